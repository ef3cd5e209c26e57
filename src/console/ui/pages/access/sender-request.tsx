import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";

type RequestProps = {
  readonly account: string;
  readonly name: string;
  readonly onDone: (told: string) => void;
};

/** Asks for a sender in the name of an account. */
export function RequestSender({ account, name, onDone }: RequestProps) {
  const [sender, setSender] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.senders;
  const isOwn = me.value?.account != null;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await ask("POST /accounts/:account/senders", { params: { account }, body: { sender } });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setSender("");
    onDone((isOwn ? words.requested : words.requestedFor)(answer.value.sender));
  };
  return (
    <Section title={isOwn ? words.request : words.requestFor(name)}>
      {problem && <ErrorBox problem={problem} />}
      <form class="stack narrow" onSubmit={(event) => void submit(event)}>
        <Field
          label={words.sender}
          name="sender"
          value={sender}
          onValue={setSender}
          hint={isOwn ? words.requestHint : words.requestForHint}
          input={{ required: true, maxLength: 32, autocomplete: "off" }}
        />
        <div>
          <Button kind="primary" submits>
            {words.requestVerb}
          </Button>
        </div>
      </form>
    </Section>
  );
}

type ForAccountProps = {
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
};

const MOST_OFFERED = 10;

/** The same for staff who have no account before them: they choose it first. */
export function RequestForAccount({ onDone, onClose }: ForAccountProps) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const asked = search.trim();
  const { value, problem } = useAnswer(asked, () =>
    ask("GET /accounts", { query: { limit: MOST_OFFERED, ...(asked === "" ? {} : { search: asked }) } }),
  );
  const words = access.value;
  return (
    <Dialog title={words.senders.request} onClose={onClose}>
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
        </>
      ) : (
        <RequestSender
          account={chosen.id}
          name={chosen.name}
          onDone={(told) => {
            onDone(told);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
