import { ask } from "../../api/client.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { figures, words } from "../../words/words.ts";

/** Operators and numbers of WhatsApp that are paused, before anything is written for their numbers. */
export function Pauses({ account }: { readonly account: string }) {
  const { value } = useAnswer(account, () => ask("GET /send/:account/pauses", { params: { account } }));
  const { notices } = words.value.start;
  return (
    <div role="status">
      {value?.pauses.map(({ operator, name, senders, since }) => (
        <p key={operator} class="notice">
          {senders === null
            ? notices.PAUSED({ operator: name, since: figures.time(since) })
            : notices.NUMBER_PAUSED({ senders: senders.join(", "), since: figures.time(since) })}
        </p>
      ))}
    </div>
  );
}
