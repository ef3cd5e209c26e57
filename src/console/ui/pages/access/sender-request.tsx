import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Field } from "../../kit/field.tsx";
import { Section } from "../../kit/page.tsx";
import { access } from "../../words/access.ts";

type RequestProps = {
  readonly account: string;
  readonly onDone: (told: string) => void;
};

/** An account asks for a sender of its own. */
export function RequestSender({ account, onDone }: RequestProps) {
  const [sender, setSender] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await ask("POST /accounts/:account/senders", { params: { account }, body: { sender } });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setSender("");
    onDone(words.requested({ sender: answer.value.sender }));
  };
  return (
    <Section title={words.request}>
      {problem && <ErrorBox problem={problem} />}
      <form class="stack narrow" onSubmit={(event) => void submit(event)}>
        <Field
          label={words.sender}
          name="sender"
          value={sender}
          onValue={setSender}
          hint={words.requestHint}
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
