import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { words as common } from "../../words/words.ts";
import { Boxes } from "./parts.tsx";

type AddProps = {
  readonly account: string;
  readonly onDone: (told: string) => void;
  readonly onCancel?: () => void;
};

/** Adds a sender of an account in one go, for those who decide about it anyway: its name, and who has registered it. */
export function AddSender({ account, onDone, onCancel }: AddProps) {
  const [sender, setSender] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const operators = useAnswer("operators", () => ask("GET /operators", {}));
  const words = access.value.senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const failed = await add(account, sender, chosen);
    setBusy(false);
    setProblem(failed);
    if (failed) return;
    setSender("");
    setChosen([]);
    onDone(words.added({ sender: sender.trim() }));
  };
  return (
    <form class="stack narrow" onSubmit={(event) => void submit(event)}>
      {problem && <ErrorBox problem={problem} />}
      <Field
        label={words.sender}
        name="sender"
        value={sender}
        onValue={setSender}
        hint={words.addHint}
        input={{ required: true, maxLength: 32, autocomplete: "off" }}
      />
      {operators.value?.operators.length === 0 && <p>{words.noOperators}</p>}
      {operators.value && operators.value.operators.length > 0 && (
        <>
          <Boxes
            label={words.addOperators}
            options={operators.value.operators.map(({ code, name }) => ({ value: code, label: name }))}
            chosen={chosen}
            onChosen={setChosen}
          />
          <p class="note">{words.addText}</p>
        </>
      )}
      <div class="actions">
        {onCancel && <Button onPress={onCancel}>{common.value.cancel}</Button>}
        <Button kind="primary" submits busy={isBusy}>
          {words.addVerb}
        </Button>
      </div>
    </form>
  );
}

/** Asked for, approved and registered; said again, what is done already stays as it is. */
async function add(account: string, typed: string, operators: readonly string[]): Promise<Problem | null> {
  const params = { account };
  const asked = await ask("POST /accounts/:account/senders", { params, body: { sender: typed } });
  if (!asked.ok) return asked.problem;
  const { sender } = asked.value;
  const approved = await ask("POST /accounts/:account/senders/approve", { params, body: { sender } });
  if (!approved.ok) return approved.problem;
  for (const operator of operators) {
    const noted = await ask("POST /accounts/:account/senders/register", {
      params,
      body: { sender, operator },
    });
    if (!noted.ok) return noted.problem;
  }
  return null;
}

type ForAccountProps = {
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
};

const MOST_OFFERED = 10;

/** The same where no account is before them: they choose it first. */
export function AddForAccount({ onDone, onClose }: ForAccountProps) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const asked = search.trim();
  const { value, problem } = useAnswer(asked, () =>
    ask("GET /accounts", { query: { limit: MOST_OFFERED, ...(asked === "" ? {} : { search: asked }) } }),
  );
  const words = access.value;
  const done = (told: string): void => {
    onDone(told);
    onClose();
  };
  const title = chosen === null ? words.senders.add : words.senders.addFor({ account: chosen.name });
  return (
    <Dialog title={title} onClose={onClose}>
      {problem && <ErrorBox problem={problem} />}
      {chosen === null ? (
        <>
          <Field
            label={words.findAccount}
            name="request-account"
            value={search}
            onValue={setSearch}
            input={{ autocomplete: "off", autofocus: true, maxLength: 100 }}
          />
          <ul class="picks">
            {value?.accounts.map(({ account_id: id, name, short_name: short }) => (
              <li key={id}>
                <button type="button" class="pick" onClick={() => setChosen({ id, name })}>
                  {name} {short !== null && <span class="note">{short}</span>}
                </button>
              </li>
            ))}
          </ul>
          {value?.accounts.length === 0 && <p role="status">{words.noneFits}</p>}
          <div class="actions">
            <Button onPress={onClose}>{common.value.cancel}</Button>
          </div>
        </>
      ) : (
        <AddSender account={chosen.id} onDone={done} onCancel={onClose} />
      )}
    </Dialog>
  );
}
