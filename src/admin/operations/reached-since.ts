/** Whom the batches that were sent after one, of its family, have reached: who failed in it and has the text since is not sent it again. */
import { createYielder } from "../../core/slices.ts";
import type { FamilyBatch } from "../../domain/messages/corrections.ts";
import { isReached, NEARNESS, type AttemptState, readAttempts } from "../../domain/messages/tries.ts";
import type { AdminContext } from "./context.ts";

/** Those of a family that were sent after one of it: what was sent before is another text, or nobody would have been sent this one. */
export function listLaterBatches(batches: readonly FamilyBatch[], batchId: number): readonly FamilyBatch[] {
  return batches.slice(batches.findIndex(({ id }) => id === batchId) + 1);
}

/** The numbers that batches reached, or may still reach, and how near a text came to each; read in slices beside other work. */
export async function findReachedNumbers(
  { store, clock }: Pick<AdminContext, "store" | "clock">,
  batches: readonly FamilyBatch[],
): Promise<ReadonlyMap<string, AttemptState>> {
  const reached = new Map<string, AttemptState>();
  const pause = createYielder(clock);
  for (const batch of batches) {
    for (const tries of readAttempts(store.read, batch, clock.nowMs())) {
      for (const { msisdn, state } of tries) {
        if (isReached(state) && NEARNESS[state] > NEARNESS[reached.get(msisdn) ?? "FAILED"])
          reached.set(msisdn, state);
      }
      await pause();
    }
  }
  return reached;
}
