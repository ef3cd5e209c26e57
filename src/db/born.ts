import type { Reader } from "./read.ts";

/** When the database was made, as the clock said then; epoch milliseconds. A copy that was restored has its original's. */
export function readCreatedAtMs(read: Reader): number {
  const first = read.get<{ at: number }>(
    "SELECT applied_at AS at FROM schema_history ORDER BY version LIMIT 1",
  );
  if (first === null) throw new Error("the database has no history of its schema");
  return first.at;
}
