/**
 * Which messages something happened to since searches were told last: what clients see of it is read from the feed's own indexes, the
 * rest is noted apart.
 */

import type { Reader } from "../../../db/read.ts";
import type { Tx } from "../../../db/write.ts";
import { movedBetween, runsSince } from "../look-up.ts";
import { findOffFeedChanges } from "../quiet-moves.ts";
import { lastStampUs } from "../stamps.ts";
import { blockOf } from "./blocks.ts";

/** An account whose messages moved: the blocks of those, and how far the feed was read. */
export type Followed = {
  readonly accountId: number;
  readonly blocks: ReadonlySet<number>;
  readonly stampUs: number;
};

/** Entries of the feed's index that are read in one go. */
const MOVES_A_PAGE = 2000;

/**
 * Follows the feed of an account from its cursor on; null where nothing happened. Stamps only rise, and a commit never carries an
 * earlier one, so that what is read up to the last stamp there is stays read. `pause` is asked between pages.
 */
export async function follow(
  read: Reader,
  accountId: number,
  pause: () => Promise<void> | undefined,
): Promise<Followed | null> {
  const cursorUs = cursorOf(read, accountId);
  const stampUs = lastStampUs(read, accountId);
  if (stampUs <= cursorUs) return null;
  const blocks = new Set<number>();
  for (const { firstId, count } of runsSince(read, accountId, cursorUs)) {
    for (let block = blockOf(firstId); block <= blockOf(firstId + count - 1); block++) blocks.add(block);
  }
  for (let afterUs = cursorUs; afterUs < stampUs; ) {
    const page = movedBetween(read, accountId, { afterUs, toUs: stampUs }, MOVES_A_PAGE);
    for (const { id } of page) blocks.add(blockOf(id));
    afterUs = page.length < MOVES_A_PAGE ? stampUs : (page.at(-1)?.stampUs ?? stampUs);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { accountId, blocks, stampUs };
}

/** The blocks that something happened to since they were told last, of some accounts. */
export async function changedBlocks(
  read: Reader,
  accountIds: readonly number[],
  pause: () => Promise<void> | undefined,
): Promise<ReadonlySet<number>> {
  const changed = new Set(findOffFeedChanges(read));
  for (const id of accountIds) {
    for (const block of (await follow(read, id, pause))?.blocks ?? []) changed.add(block);
  }
  return changed;
}

/** Notes how far the feed of an account was read. */
export function moveCursor(tx: Tx, { accountId, stampUs }: Followed): void {
  tx.run(
    `INSERT INTO search_cursors (account_id, stamp_us) VALUES (?1, ?2)
     ON CONFLICT (account_id) DO UPDATE SET stamp_us = ?2`,
    accountId,
    stampUs,
  );
}

function cursorOf(read: Reader, accountId: number): number {
  return (
    read.get<{ stampUs: number }>(
      "SELECT stamp_us AS stampUs FROM search_cursors WHERE account_id = ?",
      accountId,
    )?.stampUs ?? 0
  );
}
