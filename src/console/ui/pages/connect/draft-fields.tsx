import { Field } from "../../kit/field.tsx";
import { connect } from "../../words/connect.ts";
import { Radios } from "../send/radios.tsx";
import type { DraftFault, FaultyLine } from "./draft-faults.ts";
import type { TypedOperator } from "./draft-form.ts";
import { PrefixesField } from "./prefixes-field.tsx";

type FieldsProps = {
  readonly typed: TypedOperator;
  readonly setsPrices: boolean;
  readonly faults: ReadonlyMap<FaultyLine, DraftFault>;
  /** Whether the form was sent off already: what is wrong is told from then on. */
  readonly isTried: boolean;
  readonly onType: (change: Partial<TypedOperator>) => void;
};

/** What each line takes. */
const INPUTS = {
  code: { maxLength: 32, autocapitalize: "off", spellcheck: false },
  name: { maxLength: 100 },
  host: { maxLength: 255, autocapitalize: "off", spellcheck: false },
  port: { inputMode: "numeric", class: "short" },
  systemId: { autocapitalize: "off", spellcheck: false },
  throughput: { inputMode: "numeric", class: "short" },
  window: { inputMode: "numeric", class: "short" },
  price: { inputMode: "numeric", class: "short" },
} as const;

type Line = keyof typeof INPUTS;

/** In the order of an operator's sheet, each with where it stands there; then what we decide ourselves. */
export function DraftFields({ typed, setsPrices, faults, isTried, onType }: FieldsProps) {
  const words = connect.value;
  const line = (name: Line) => (
    <DraftLine key={name} name={name} typed={typed} faults={faults} isTried={isTried} onType={onType} />
  );
  const { password, bind, receipts } = typed;
  return (
    <div class="draft">
      {(["name", "code", "host", "port", "systemId"] as const).map(line)}
      <Radios
        name="password"
        legend={words.password}
        hint={words.passwordHint}
        value={password}
        options={(["file", "environment"] as const).map((value) => ({ value, ...words.passwords[value] }))}
        onValue={(value) => onType({ password: value })}
      />
      <Radios
        name="bind"
        legend={words.bind}
        hint={words.bindHint}
        value={bind}
        options={(["transceiver", "separate"] as const).map((value) => ({ value, ...words.binds[value] }))}
        onValue={(value) => onType({ bind: value })}
      />
      {(["throughput", "window"] as const).map(line)}
      <Radios
        name="receipts"
        legend={words.receipts}
        hint={words.receiptsHint}
        value={receipts}
        options={(["yes", "no"] as const).map((value) => ({ value, ...words.receiptsTold[value] }))}
        onValue={(value) => onType({ receipts: value })}
      />
      <PrefixesField
        text={typed.prefixes}
        fault={(isTried ? faults.get("prefixes") : null) ?? null}
        isTried={isTried}
        onText={(prefixes) => onType({ prefixes })}
      />
      {setsPrices && line("price")}
    </div>
  );
}

type LineProps = Pick<FieldsProps, "typed" | "faults" | "isTried" | "onType"> & { readonly name: Line };

function DraftLine({ name, typed, faults, isTried, onType }: LineProps) {
  const words = connect.value;
  const fault = isTried ? faults.get(name) : undefined;
  return (
    <Field
      label={words[name]}
      name={name}
      value={typed[name]}
      onValue={(value) => onType({ [name]: value })}
      hint={words.hints[name]}
      fault={fault === undefined ? null : words.faults[fault]}
      input={{ ...INPUTS[name], required: true, autocomplete: "off" }}
    />
  );
}
