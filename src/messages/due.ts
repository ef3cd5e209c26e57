import type { Tx } from "../store/write.ts";
import { HAS_NOT_ENDED } from "./batch-status.ts";
import { advanceBatch } from "./batch-totals.ts";
import { callOff } from "./cancel.ts";

/** How late a scheduled batch may leave; later, it is cancelled and released (public-api.md section 8). */
const MOST_LATE_MS = 30 * 60_000;

/** Batches started in one transaction. */
const STEP = 500;

/**
 * Starts the scheduled batches whose time has come, and calls off those that would leave more than 30 minutes late,
 * because the appliance was off at the time or the account was held. `isHeld` tells of an account whose messages may
 * not leave now: its batches wait, and the 30 minutes run on. The ids of the started ones.
 */
export function startDueBatches(tx: Tx, nowMs: number, isHeld: (accountId: number) => boolean): number[] {
  const due = tx.all<{ id: number; accountId: number; scheduledAt: number }>(
    `SELECT id, account_id AS accountId, scheduled_at AS scheduledAt FROM batches
     WHERE ${HAS_NOT_ENDED} AND status = 'SCHEDULED' AND cancel_reason IS NULL AND scheduled_at <= ? ORDER BY scheduled_at`,
    nowMs,
  );
  const held = new Map<number, boolean>();
  const started: number[] = [];
  for (const { id, accountId, scheduledAt } of due) {
    if (nowMs - scheduledAt > MOST_LATE_MS) {
      callOff(tx, id, "SCHEDULE_TOO_LATE", null, nowMs);
      continue;
    }
    const isWaiting = held.get(accountId) ?? isHeld(accountId);
    held.set(accountId, isWaiting);
    if (isWaiting) continue;
    tx.run("UPDATE batches SET status = 'QUEUED' WHERE id = ? AND status = 'SCHEDULED'", id);
    // Every message of it may have been given up while it waited, with an operator that was retired.
    advanceBatch(tx, id, false, nowMs);
    started.push(id);
    if (started.length === STEP) break;
  }
  return started;
}
