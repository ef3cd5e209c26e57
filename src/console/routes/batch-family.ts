/** A batch beside those that it corrects, and those that correct it. */
import { isoUtc } from "../../base/clock.ts";
import { batchById } from "../../messages/batches.ts";
import { familyOf } from "../../messages/corrections.ts";
import { unreadableCount } from "../../messages/unreadable-rows.ts";
import type { Asked } from "./asked.ts";
import { type MaybeMoney, moneyFor } from "./money.ts";

export type RelatedBatch = MaybeMoney<{
  readonly batch_id: string;
  /** The batch that it corrects; null of the first. */
  readonly corrects: string | null;
  readonly created_at: string;
  readonly client_reference: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Rows that nothing was sent for. */
  readonly left: number;
  /** What it cost, in XOF. */
  readonly amount: number;
}>;

/** All of them in the order in which they were sent, this one too; none where it is alone. */
export function familyView(asked: Asked, batchId: number): readonly RelatedBatch[] {
  const { read } = asked.context.store;
  const { batches } = familyOf(read, batchId);
  if (batches.length < 2) return [];
  return batches.flatMap(({ id, ulid, corrects, createdAtMs }) => {
    const row = batchById(read, id);
    if (!row) return [];
    const {
      client_reference,
      accepted,
      delivered,
      failed,
      cancelled,
      rejected,
      charged_amount: amount,
    } = row;
    const left = rejected + unreadableCount(read, id);
    const sums = { client_reference, accepted, delivered, failed, cancelled, left, amount };
    return [
      moneyFor(asked.seesMoney, { batch_id: ulid, corrects, created_at: isoUtc(createdAtMs), ...sums }),
    ];
  });
}
