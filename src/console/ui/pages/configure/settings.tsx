/** Console page "Settings": what the server keeps of the configuration, written here, and what stands in the file by hand. */
import { useState } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import {
  Area,
  Button,
  Choice,
  type Columns,
  column,
  Facts,
  Field,
  Loaded,
  Note,
  Page,
  Section,
  Table,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { configure } from "../../words/configure.ts";
import { figures } from "../../words/words.ts";
import { FileFaults } from "../appliance/config-changes.tsx";
import { parseWholeNumber } from "../connect/operator-form.ts";
import { ChangeOutcome, type SettingsChange, UndoButton, useChange } from "./settings-change.tsx";

type View = Answer<"GET /settings">;
type Key = View["keys"][number];
type Operator = View["operators"][number];

export function Settings() {
  const request = useAnswer("GET /settings");
  const words = configure.value;
  return (
    <Page
      title={words.title}
      aside={
        request.value?.can_undo ? (
          <div class="tools">
            <UndoButton verb={words.undo} onUndone={request.reload} />
          </div>
        ) : null
      }
    >
      <Loaded of={request}>{(view) => <Written view={view} reload={request.reload} />}</Loaded>
    </Page>
  );
}

type WrittenProps = { readonly view: View; readonly reload: () => Promise<void> };

function Written({ view, reload }: WrittenProps) {
  const words = configure.value;
  const { file, console_file: kept, faults, shadowed, revision } = view;
  const lead = file === null || kept === null ? words.leadUnread : words.lead({ file: kept, hand: file });
  return (
    <>
      <p class="prose">{lead}</p>
      {view.can_undo && <Note>{words.undoHint}</Note>}
      {view.is_without_file ? (
        <Note>{words.withoutFile}</Note>
      ) : (
        faults.length > 0 && <FileFaults title={words.unreadable} faults={faults} />
      )}
      {shadowed.length > 0 && (
        <div class="notice">
          <p class="notice-title">{words.shadowed}</p>
          <ul>
            {shadowed.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
      {faults.length === 0 && (
        <>
          <Operators view={view} reload={reload} />
          {GROUPS.map(({ title, help, table }) => (
            <KeysSection
              key={`${title} ${revision}`}
              title={words[title]}
              help={words[help]}
              keys={view.keys.filter(({ key }) => key.startsWith(table))}
              reload={reload}
            />
          ))}
        </>
      )}
    </>
  );
}

const GROUPS = [
  { title: "address", help: "addressHelp", table: "server." },
  { title: "seller", help: "sellerHelp", table: "seller." },
  { title: "alerts", help: "alertsHelp", table: "alerts." },
] as const;

function Operators({ view, reload }: WrittenProps) {
  const flow = useChange(reload);
  const words = configure.value;
  return (
    <Section
      title={words.operators}
      aside={
        <a class="button" href={`${HOME}/operators/new`}>
          {words.connectOne}
        </a>
      }
    >
      {view.operators.length === 0 ? (
        <p class="note">{words.noOperators}</p>
      ) : (
        <Table
          caption={words.operators}
          columns={operatorColumns((code) => flow.look({ remove: code }))}
          rows={view.operators}
          keyOf={({ code }) => code}
        />
      )}
      <ChangeOutcome flow={flow} fields={[]} onUndone={reload} />
    </Section>
  );
}

function operatorColumns(onRemove: (code: string) => unknown): Columns<Operator> {
  const words = configure.value;
  return [
    column(words.name, (row) =>
      row.in === "console" ? (
        <a href={`${HOME}/settings/operators/${encodeURIComponent(row.code)}`}>{row.name}</a>
      ) : (
        row.name
      ),
    ),
    column(words.code, ({ code }) => code),
    column(words.price, ({ price }) => (price === null ? "–" : figures.money(price))),
    column(words.connections, ({ connections }) =>
      connections.map(({ url, host, port, bind }) => url ?? `${host}:${port} (${bind})`).join(", "),
    ),
    column(words.where, (row) => placeWords(row)),
    column(
      words.change,
      ({ code, name, in: where }) =>
        where === "console" && (
          <Button label={`${words.remove} ${name}`} onPress={() => onRemove(code)}>
            {words.remove}
          </Button>
        ),
    ),
  ];
}

export function placeWords({ in: where, line }: Pick<Key, "in" | "line">): string {
  const words = configure.value;
  switch (where) {
    case "console":
      return words.here;
    case "default":
      return words.notSet;
    case "file":
      return line === null ? words.byHandNoLine : words.byHand({ line: String(line) });
  }
}

type KeysProps = {
  readonly title: string;
  readonly help: string;
  readonly keys: readonly Key[];
  readonly reload: () => Promise<void>;
};

type Typed = Readonly<Record<string, string>>;

/** Settings of one group: those that may be written here as fields, those that stand by hand as they are, with their line. */
function KeysSection({ title, help, keys, reload }: KeysProps) {
  const own = keys.filter((one) => one.in !== "file");
  const byHand = keys.filter((one) => one.in === "file");
  const before: Typed = Object.fromEntries(own.map((one) => [one.key, textOf(one.value)]));
  const [typed, setTyped] = useState(before);
  const [isTried, setTried] = useState(false);
  const flow = useChange(reload);
  const words = configure.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const change = changeOf(own, typed);
    if (change === null) return flow.drop();
    await flow.look(change);
  };
  return (
    <Section title={title}>
      <p class="note">{help}</p>
      {byHand.length > 0 && (
        <Facts
          rows={byHand.map((one) => [
            fieldName(one.key),
            <>
              {shownText(one)} <span class="note">{placeWords(one)}</span>
            </>,
          ])}
        />
      )}
      {own.length > 0 && (
        <form class="stack" noValidate onSubmit={(event) => void submit(event)}>
          <div class="draft">
            {own.map((one) => (
              <KeyField
                key={one.key}
                of={one}
                value={typed[one.key] ?? ""}
                faults={[
                  ...(isTried && isMistyped(one, typed[one.key] ?? "") ? [words.numberFault] : []),
                  ...flow.faultsOf(one.key),
                ]}
                onValue={(value) => {
                  flow.drop();
                  setTyped({ ...typed, [one.key]: value });
                }}
              />
            ))}
          </div>
          <div>
            <Button submits>{words.look}</Button>
          </div>
        </form>
      )}
      <ChangeOutcome flow={flow} fields={own.map(({ key }) => key)} onUndone={reload} />
    </Section>
  );
}

const LISTS: ReadonlySet<string> = new Set([
  "seller.address",
  "seller.tax_numbers",
  "alerts.email",
  "alerts.sms",
]);
const PROTECTIONS = ["starttls", "implicit", "none"] as const;

type KeyFieldProps = {
  readonly of: Key;
  readonly value: string;
  readonly faults: readonly string[];
  readonly onValue: (value: string) => void;
};

function KeyField({ of: { key, is_set: isSet }, value, faults, onValue }: KeyFieldProps) {
  const words = configure.value;
  const label = fieldName(key);
  const hint = hintOf(key);
  const name = key.replaceAll(".", "-");
  if (LISTS.has(key)) {
    const area = { rows: 3, maxLength: 4000, autocomplete: "off" } as const;
    return (
      <Area
        label={label}
        name={name}
        value={value}
        onValue={onValue}
        {...(hint === undefined ? {} : { hint })}
        faults={faults}
        area={area}
      />
    );
  }
  if (key === "alerts.smtp.tls") {
    const options = PROTECTIONS.map((one) => ({ value: one, label: one }));
    const chosen = PROTECTIONS.find((one) => one === value) ?? "starttls";
    return <Choice label={label} value={chosen} options={options} onValue={onValue} />;
  }
  const isSecret = key === "alerts.smtp.password";
  const isNumber = key === "alerts.smtp.port";
  return (
    <Field
      label={label}
      name={name}
      value={value}
      onValue={onValue}
      hint={isSecret && isSet ? words.keepPassword : hint}
      fault={faults[0] ?? null}
      spellcheck={false}
      {...(isSecret ? { type: "password", autocomplete: "new-password" } : {})}
      {...(isNumber ? { inputMode: "numeric", class: "short" } : {})}
    />
  );
}

function fieldName(key: string): string {
  const names: Readonly<Record<string, string>> = configure.value.fields;
  return names[key] ?? key;
}

function hintOf(key: string): string | undefined {
  const hints: Readonly<Record<string, string>> = configure.value.hints;
  return hints[key];
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : value === null ? "" : String(value);
}

function shownText({ value, is_set: isSet }: Key): string {
  if (value === null) return isSet ? configure.value.isSet : configure.value.notSet;
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function isMistyped({ key }: Key, value: string): boolean {
  return key === "alerts.smtp.port" && parseWholeNumber(value) === null;
}

/** The request; null where a field cannot be sent as it is. A password that was left empty stays as it is. */
function changeOf(own: readonly Key[], typed: Typed): SettingsChange | null {
  const values: Record<string, unknown> = {};
  for (const one of own) {
    const text = typed[one.key] ?? "";
    if (isMistyped(one, text)) return null;
    if (one.key === "alerts.smtp.password") values[one.key] = text === "" ? null : text;
    else if (LISTS.has(one.key)) values[one.key] = linesOf(text);
    else if (one.key === "alerts.smtp.port") values[one.key] = parseWholeNumber(text);
    else values[one.key] = text.trim();
  }
  return { keys: values };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
