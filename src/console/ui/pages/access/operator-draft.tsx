import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { copyText } from "../../browser.ts";
import { Button } from "../../kit/button.tsx";
import { Field } from "../../kit/field.tsx";
import { say } from "../../kit/toast.tsx";
import { access } from "../../words/access.ts";
import { Failed } from "./parts.tsx";

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
  const words = access.value.first;
  const hints: Partial<Typed> = { code: words.codeHint, prefixes: words.prefixesHint };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { code, name, host, port, systemId, prefixes, price } = typed;
    const answer = await ask("POST /appliance/operator-draft", {
      body: {
        ...{ code, name, host, system_id: systemId, port: Number(port), price: Number(price) },
        prefixes: prefixes.split(/[\s,;+]+/).filter((prefix) => prefix !== ""),
      },
    });
    setProblem(answer.ok ? null : answer.problem);
    setDrafted(answer.ok ? answer.value : null);
  };
  return (
    <div class="pair">
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>{words.operatorHelp}</p>
        <Failed problem={problem} />
        <div class="draft">
          {FIELDS.map((name) => (
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
      <div aria-live="polite">{drafted && <Verdict drafted={drafted} />}</div>
    </div>
  );
}

function Verdict({ drafted: { text, variable, is_set, faults, file } }: { readonly drafted: Drafted }) {
  const words = access.value.first;
  if (faults.length > 0)
    return (
      <div class="error" role="alert">
        <p class="error-title">{words.bad}</p>
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </div>
    );
  const copy = async (): Promise<void> => {
    say((await copyText(text)) ? access.value.copied : access.value.copyFailed);
  };
  return (
    <div class="stack">
      <h3>{words.text}</h3>
      <pre class="file" tabIndex={-1}>
        {text}
      </pre>
      <p>
        <Button onPress={() => void copy()}>{words.copy}</Button>
      </p>
      <p class="note">{words.textHint}</p>
      <p>
        <strong>{words.good}</strong>
      </p>
      <ol class="todo">
        <li>{file === null ? words.putUnknown : words.put(file)}</li>
        {is_set ? (
          <Reload />
        ) : (
          <li>
            {words.passwordWays}
            <ul>
              <li>
                <p>
                  {words.passwordInFile} <code>{'password = "…"'}</code>
                </p>
                <p>
                  {words.reload} <code>bendre config reload</code>
                </p>
              </li>
              <li>
                <p>
                  {words.variable} <code>{`${variable}=…`}</code>
                </p>
                <p>
                  {words.start} <code>systemctl restart bendre</code>
                </p>
              </li>
            </ul>
          </li>
        )}
      </ol>
    </div>
  );
}

function Reload() {
  return (
    <li>
      {access.value.first.reload} <code>bendre config reload</code>
    </li>
  );
}
