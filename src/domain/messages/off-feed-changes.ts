/**
 * Changes of messages that their clients do not see: a fallback that begins, and a hand-over to another operator. The feed does not report
 * them, so whoever keeps what is derived from messages reads them here, by blocks of ids.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** Messages of a block: those whose id divided by this is the block's number. */
export const MESSAGES_A_BLOCK = 1024;

/** Notes that messages of a block changed. A caller that changes many in one transaction keeps in `noted` which blocks it noted in it. */
export function recordOffFeedChange(tx: Tx, messageId: number, noted: Set<number> = new Set()): void {
  const block = Math.floor(messageId / MESSAGES_A_BLOCK);
  if (noted.has(block)) return;
  noted.add(block);
  tx.onRollback(() => noted.delete(block));
  tx.run("INSERT INTO quiet_moves (block) VALUES (?) ON CONFLICT DO NOTHING", block);
}

/** The blocks that were noted, from the first on. */
export function findOffFeedChanges(read: Reader): number[] {
  return read
    .all<{ block: number }>("SELECT block FROM quiet_moves WHERE block >= 0 ORDER BY block")
    .map(({ block }) => block);
}

/** Takes blocks off the list, in the transaction in which their changes are recorded elsewhere. */
export function deleteOffFeedChanges(tx: Tx, blocks: Iterable<number>): void {
  for (const block of blocks) tx.run("DELETE FROM quiet_moves WHERE block = ?", block);
}
