import { ask } from "../api/client.ts";
import type { Contract } from "../api/contract.ts";
import { Section } from "../kit/kit.ts";
import { HOME } from "../state/router.ts";
import { may } from "../state/session.ts";
import { useAnswer } from "../state/use-answer.ts";
import { figures, words } from "../words/words.ts";

type Ending = Contract["GET /keys/ending"]["answer"];

const NOTHING = { ok: true, value: null } as const;

/** Keys of any account whose program is refused soon, or already; nothing where there are none, or for who may not see keys. */
export function EndingKeys() {
  const isAsked = may("keys.read");
  const { value } = useAnswer<Ending | null>("keys that end", async () =>
    isAsked ? ask("GET /keys/ending", {}) : NOTHING,
  );
  if (!value || value.keys.length === 0) return null;
  const { start } = words.value;
  return (
    <Section title={start.endingKeys}>
      <ul>
        {value.keys.map(({ key_id: key, name, ends_at: at, is_over: isOver, account_id: id, account }) => (
          <li key={key}>
            <a href={`${HOME}/keys?account=${id}`}>{account}</a>
            {" · "}
            {(isOver ? start.keyEnded : start.keyEnds)({ key: name, at: figures.time(at) })}
          </li>
        ))}
      </ul>
      {value.is_more && <p class="note">{start.moreEndingKeys}</p>}
    </Section>
  );
}
