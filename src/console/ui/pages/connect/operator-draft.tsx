import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Area, Choice, Field } from "../../kit/field.tsx";
import { may } from "../../state/session.ts";
import { connect } from "../../words/connect.ts";
import { draftBody, isOperatorCode, NOTHING_TYPED, type TypedOperator } from "./draft-form.ts";
import { Verdict } from "./verdict.tsx";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

/** What each line takes. */
const INPUTS = {
  code: { maxLength: 32 },
  name: { maxLength: 100 },
  host: { maxLength: 255 },
  port: { inputMode: "numeric", pattern: "[0-9]{1,5}" },
  systemId: { maxLength: 15 },
  throughput: { inputMode: "numeric", pattern: "[1-9][0-9]{0,4}" },
  window: { inputMode: "numeric", pattern: "[1-9][0-9]{0,2}" },
  price: { inputMode: "numeric", pattern: "[0-9]{1,7}" },
} as const;

type Line = keyof typeof INPUTS;

/** In the order of an operator's sheet; then what we decide ourselves. */
const LINES = ["code", "name", "host", "port", "systemId", "throughput", "window"] as const;

/** Words an operator for the configuration file out of what the operator gave, and has it checked. */
export function OperatorDraft() {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [isTried, setTried] = useState(false);
  const [drafted, setDrafted] = useState<Drafted | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = connect.value;
  // Prices are the owner's.
  const setsPrices = may("prices.change");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (!isOperatorCode(typed.code)) return;
    const answer = await ask("POST /appliance/operator-draft", { body: draftBody(typed, setsPrices) });
    setProblem(answer.ok ? null : answer.problem);
    setDrafted(answer.ok ? answer.value : null);
  };
  const put = (change: Partial<TypedOperator>) => setTyped({ ...typed, ...change });
  const line = (name: Line) => (
    <DraftLine
      key={name}
      {...{ name, typed, onType: put }}
      fault={name === "code" && isTried && !isOperatorCode(typed.code) ? words.codeFault : null}
    />
  );
  return (
    <>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p class="prose">{words.help}</p>
        {problem && <ErrorBox problem={problem} />}
        <div class="draft">
          {LINES.map(line)}
          <Choice
            label={words.bind}
            value={typed.bind}
            options={(["transceiver", "separate"] as const).map((value) => ({
              value,
              label: words.binds[value],
            }))}
            onValue={(bind) => put({ bind })}
          />
        </div>
        <Area
          label={words.prefixes}
          name="prefixes"
          value={typed.prefixes}
          onValue={(prefixes) => put({ prefixes })}
          hint={words.prefixesHint}
          area={{ required: true, rows: 3, autocomplete: "off" }}
        />
        {setsPrices && <div class="draft">{line("price")}</div>}
        <div>
          <Button kind="primary" submits>
            {words.check}
          </Button>
        </div>
      </form>
      <div class="verdict" aria-live="polite">
        {drafted && <Verdict drafted={drafted} />}
      </div>
    </>
  );
}

type LineProps = {
  readonly name: Line;
  readonly typed: TypedOperator;
  readonly onType: (change: Partial<TypedOperator>) => void;
  readonly fault: string | null;
};

function DraftLine({ name, typed, onType, fault }: LineProps) {
  const words = connect.value;
  const hints: Partial<Record<Line, string>> = {
    ...{ code: words.codeHint, throughput: words.throughputHint },
    ...{ window: words.windowHint, price: words.priceHint },
  };
  return (
    <Field
      label={words[name]}
      name={name}
      value={typed[name]}
      onValue={(value) => onType({ [name]: value })}
      {...(hints[name] === undefined ? {} : { hint: hints[name] })}
      fault={fault}
      input={{ ...INPUTS[name], required: true, autocomplete: "off" }}
    />
  );
}
