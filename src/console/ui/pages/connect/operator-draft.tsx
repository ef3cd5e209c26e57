import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { may } from "../../state/session.ts";
import { connect } from "../../words/connect.ts";
import { Verdict } from "./verdict.tsx";

type Drafted = Contract["POST /appliance/operator-draft"]["answer"];

const FIELDS = ["code", "name", "host", "port", "systemId", "prefixes", "price"] as const;
type Typed = Readonly<Record<(typeof FIELDS)[number], string>>;
const NOTHING: Typed = { code: "", name: "", host: "", port: "2775", systemId: "", prefixes: "", price: "" };

/** What each field takes. */
const INPUTS = {
  code: { pattern: "[a-z][a-z0-9_\\-]*", maxLength: 32 },
  name: { maxLength: 100 },
  host: { maxLength: 255 },
  port: { inputMode: "numeric", pattern: "[0-9]{1,5}" },
  systemId: { maxLength: 15 },
  prefixes: { inputMode: "numeric", pattern: "[0-9 ,;+]+" },
  price: { inputMode: "numeric", pattern: "[0-9]{1,7}" },
} as const;

/** Words an operator for the configuration file out of what the operator gave, and has it checked. */
export function OperatorDraft() {
  const [typed, setTyped] = useState(NOTHING);
  const [drafted, setDrafted] = useState<Drafted | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = connect.value;
  // Prices are the owner's.
  const fields = FIELDS.filter((name) => name !== "price" || may("prices.change"));
  const hints: Partial<Typed> = { code: words.codeHint, prefixes: words.prefixesHint };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { code, name, host, port, systemId, prefixes, price } = typed;
    const answer = await ask("POST /appliance/operator-draft", {
      body: {
        ...{ code, name, host, system_id: systemId, port: Number(port) },
        ...(may("prices.change") ? { price: Number(price) } : {}),
        prefixes: prefixes.split(/[\s,;+]+/).filter((prefix) => prefix !== ""),
      },
    });
    setProblem(answer.ok ? null : answer.problem);
    setDrafted(answer.ok ? answer.value : null);
  };
  return (
    <>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p class="prose">{words.help}</p>
        {problem && <ErrorBox problem={problem} />}
        <div class="draft">
          {fields.map((name) => (
            <Field
              key={name}
              label={words[name]}
              name={name}
              value={typed[name]}
              onValue={(value) => setTyped({ ...typed, [name]: value })}
              {...(hints[name] === undefined ? {} : { hint: hints[name] })}
              input={{ ...INPUTS[name], required: true, autocomplete: "off" }}
            />
          ))}
        </div>
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
