import type { Reader } from "./read.ts";

/** sqlite.org/pragma.html#pragma_data_version: what a reading connection sees of the commits of others. */
export function readDataVersion(read: Reader): number {
  return read.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
}
