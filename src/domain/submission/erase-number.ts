import type { ErasedNumber } from "../../core/sought-number.ts";
import type { Tx } from "../../db/write.ts";
import type { RememberedAnswer } from "./about-number.ts";

/** Takes a number out of remembered answers; how many. A repetition is answered with its name in its place. */
export function eraseReplies(
  tx: Tx,
  { msisdn, name }: ErasedNumber,
  answers: readonly RememberedAnswer[],
): number {
  let erased = 0;
  for (const { id, text } of answers)
    erased += tx.run(
      "UPDATE idempotency_records SET response = ? WHERE id = ?",
      text.replaceAll(msisdn, name),
      id,
    );
  return erased;
}
