/** How many appliances a batch has passed: another Bendre that posts to this one says so, and each adds itself. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** No batch passes more appliances before this one: two that are each other's route would pass it round for ever. */
export const MAX_HOPS = 3;

/** Notes, in the transaction that accepts a batch, how many appliances it had passed. */
export function noteHops(tx: Tx, batchUlid: string, hops: number): void {
  if (hops > 0) tx.run("INSERT INTO batch_hops (batch_ulid, hops) VALUES (?, ?)", batchUlid, hops);
}

/** How many appliances a batch had passed before this one; 0 of a client's. */
export function readHops(read: Reader, batchId: number): number {
  return (
    read.get<{ hops: number }>(
      "SELECT h.hops FROM batches b JOIN batch_hops h ON h.batch_ulid = b.ulid WHERE b.id = ?",
      batchId,
    )?.hops ?? 0
  );
}
