import type { Clock } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import type { Reader } from "../store/read.ts";

/** Positions counted in one go. */
const COUNT_STEP = 5000;

/** How many recipients of a batch were rejected for each reason; by stretches, because there may be 100,000. */
export async function rejectionsByReason(
  read: Reader,
  clock: Clock,
  batchId: number,
): Promise<Record<string, number>> {
  const pause = slicer(clock);
  const counts: Record<string, number> = {};
  const last =
    read.get<{ last: number | null }>(
      "SELECT max(position) AS last FROM rejections WHERE batch_id = ?",
      batchId,
    )?.last ?? -1;
  for (let from = 0; from <= last; from += COUNT_STEP) {
    const rows = read.all<{ reason: string; count: number }>(
      `SELECT reason, count(*) AS count FROM rejections
       WHERE batch_id = ? AND position >= ? AND position < ? GROUP BY reason ORDER BY reason`,
      batchId,
      from,
      from + COUNT_STEP,
    );
    for (const { reason, count } of rows) counts[reason] = (counts[reason] ?? 0) + count;
    await pause();
  }
  return counts;
}
