import type { Tx } from "../store/write.ts";
import { callOff } from "./cancel.ts";

/** How late a scheduled batch may leave; later, it is cancelled and released (public-api.md section 8). */
const MOST_LATE_MS = 30 * 60_000;

/**
 * Starts the scheduled batches whose time has come, and calls off those that would leave more than 30 minutes late,
 * because the appliance was off at the time. The ids of the started ones.
 */
export function startDueBatches(tx: Tx, nowMs: number): number[] {
  const due = tx.all<{ id: number; scheduledAt: number }>(
    `SELECT id, scheduled_at AS scheduledAt FROM batches
     WHERE status = 'SCHEDULED' AND cancel_reason IS NULL AND scheduled_at <= ? ORDER BY scheduled_at LIMIT 500`,
    nowMs,
  );
  const started: number[] = [];
  for (const { id, scheduledAt } of due) {
    if (nowMs - scheduledAt > MOST_LATE_MS) {
      callOff(tx, id, "SCHEDULE_TOO_LATE", null, nowMs);
      continue;
    }
    tx.run("UPDATE batches SET status = 'QUEUED' WHERE id = ? AND status = 'SCHEDULED'", id);
    started.push(id);
  }
  return started;
}
