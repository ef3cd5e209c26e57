import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { me } from "../../state/session.ts";
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
