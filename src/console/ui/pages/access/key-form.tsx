import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Field } from "../../kit/field.tsx";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { Boxes, Failed, OneOf } from "./parts.tsx";

type NewKey = Contract["POST /accounts/:account/keys"]["body"];
type Scope = NewKey["scopes"][number];

const SCOPES: readonly Scope[] = [
  "MESSAGES_SEND",
  "MESSAGES_READ",
  "ACCOUNT_READ",
  "SENDER_IDS_READ",
  "WEBHOOKS_MANAGE",
];
const MODES = ["live", "test"] as const;

type FormProps = {
  readonly account: string;
  readonly onCreated: (made: { readonly name: string; readonly value: string }) => Promise<void>;
  readonly onClose: () => void;
};

/** What a key is for, what it may do, of which kind it is, and until when. */
export function KeyForm({ account, onCreated, onClose }: FormProps) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["MESSAGES_SEND", "MESSAGES_READ"]);
  const [mode, setMode] = useState<(typeof MODES)[number]>("live");
  const [ends, setEnds] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.keys;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || scopes.length === 0) return;
    setBusy(true);
    const body: NewKey = {
      name,
      scopes: [...scopes],
      mode,
      expires_at: ends === "" ? null : `${ends}T23:59:59`,
    };
    const answer = await ask("POST /accounts/:account/keys", { params: { account }, body });
    setBusy(false);
    if (!answer.ok) return setProblem(answer.problem);
    onClose();
    await onCreated({ name: answer.value.name, value: answer.value.api_key });
  };
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <Failed problem={problem} />
        <Field
          label={words.name}
          name="name"
          value={name}
          onValue={setName}
          hint={words.nameHint}
          input={{ required: true, maxLength: 100, autofocus: true, autocomplete: "off" }}
        />
        <Boxes
          label={words.scopesLabel}
          options={SCOPES.map((value) => ({ value, label: words.scopeWords[value] ?? value }))}
          chosen={scopes}
          onChosen={setScopes}
          fault={scopes.length === 0 ? words.noScope : null}
        />
        <OneOf
          label={words.modeLabel}
          name="mode"
          options={MODES.map((value) => ({
            value,
            label: words.modes[value] ?? value,
            note: words.modeHints[value],
          }))}
          chosen={mode}
          onChosen={setMode}
        />
        <Field
          label={words.endsLabel}
          name="ends"
          value={ends}
          onValue={setEnds}
          hint={words.endsHint}
          input={{ type: "date" }}
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {words.createVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
