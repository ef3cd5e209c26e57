/**
 * The newest time that is stored, with which a clock is compared when the appliance starts (docs/behaviour.md#clock-that-jumps).
 */
import type { Reader } from "./reader.ts";
import type { Tx } from "./writer.ts";

/**
 * The wall time that the appliance last believed while it ran, epoch milliseconds; null where it never ran. The stamps of
 * the feed say nothing of it: they may run ahead of the clock.
 */
export function readClockMark(read: Reader): number | null {
  return read.get<{ wallAt: number }>("SELECT wall_at AS wallAt FROM clock_mark")?.wallAt ?? null;
}

/** Notes wall time for the clock of the next start to be compared with. */
export function saveClockMark(tx: Tx, wallMs: number): void {
  tx.run(
    "INSERT INTO clock_mark (id, wall_at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET wall_at = excluded.wall_at",
    wallMs,
  );
}

/** When the database was made, as the clock said then; epoch milliseconds. A copy that was restored has its original's. */
export function readCreatedAtMs(read: Reader): number {
  const first = read.get<{ at: number }>(
    "SELECT applied_at AS at FROM schema_history ORDER BY version LIMIT 1",
  );
  if (first === null) throw new Error("the database has no history of its schema");
  return first.at;
}
