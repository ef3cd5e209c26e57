import type { Contract } from "../../api/contract.ts";
import { HOME } from "../../state/router.ts";
import { rowWords } from "../../words/rows.ts";
import { figures, stateWord } from "../../words/words.ts";

type Corrected = NonNullable<Contract["GET /batches/:batch/rows"]["answer"]["rows"][number]["corrected"]>;

/** What a correction of its batch sent for a row that was not sent, and what became of it. */
export function CorrectedSince({ by: { message_id: id, msisdn, status, at } }: { readonly by: Corrected }) {
  return (
    <span class="note">
      <a href={`${HOME}/messages/${id}`}>
        {rowWords.value.corrected({ msisdn, state: stateWord(status).toLowerCase(), time: figures.time(at) })}
      </a>
    </span>
  );
}
