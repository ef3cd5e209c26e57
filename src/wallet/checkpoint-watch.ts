import type { Reader } from "../store/read.ts";

/** Entries of an account after which it is looked at again; a checkpoint is due after four times as many. */
const ENTRIES_BETWEEN_LOOKS = 2500;

/** Entries read in one go. */
const PAGE = 1000;

/**
 * Tells of which accounts a checkpoint of the ledger may be due: each with its first entry since the start, and then once in
 * so many. Every entry is read once, so that accounts that do nothing cost nothing, however many there are.
 */
export function checkpointWatch(read: Reader): (pause: () => Promise<void> | undefined) => Promise<number[]> {
  let seenId = read.get<{ id: number | null }>("SELECT max(id) AS id FROM ledger")?.id ?? 0;
  const untilLook = new Map<number, number>();
  return async (pause) => {
    const due = new Set<number>();
    for (;;) {
      const entries = read.all<{ id: number; accountId: number }>(
        "SELECT id, account_id AS accountId FROM ledger WHERE id > ? ORDER BY id LIMIT ?",
        seenId,
        PAGE,
      );
      for (const { id, accountId } of entries) {
        seenId = id;
        const left = (untilLook.get(accountId) ?? 1) - 1;
        if (left === 0) due.add(accountId);
        untilLook.set(accountId, left === 0 ? ENTRIES_BETWEEN_LOOKS : left);
      }
      if (entries.length < PAGE) return [...due];
      await pause();
    }
  };
}
