import type { ErasedNumber } from "../../../core/sought-number.ts";
import { recordAudit } from "../../../domain/accounts/audit.ts";
import type { MessageTo } from "../../../domain/messages/about-number.ts";
import { cancelOne } from "../../../domain/messages/cancel.ts";
import type { AdminContext } from "../context.ts";

/** Cancels the messages to a number that wait, one after the other; how many. Those to others in the same batch go on. */
export async function cancelWhatWaits(
  { store, clock, actor, server }: AdminContext,
  { name }: ErasedNumber,
  messages: readonly MessageTo[],
): Promise<number> {
  let cancelled = 0;
  for (const { id, ulid, account_id: accountId, batch_id: batchId } of messages.filter(
    ({ status }) => status === "QUEUED",
  )) {
    cancelled += await store.write((tx) => {
      if (!cancelOne(tx, id, "data erase", clock.nowMs())) return 0;
      const detail = { cancelled: ulid };
      recordAudit(tx, { atMs: clock.nowMs(), actor, action: "data erase", subject: name, detail });
      tx.afterCommit(() => server?.changed({ kind: "batch", accountId, batchId }));
      return 1;
    }, "with the next");
  }
  return cancelled;
}
