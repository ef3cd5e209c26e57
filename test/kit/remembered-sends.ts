import type { Reader } from "../../src/db/reader.ts";

/** How many messages the guards remember, by what is on the disk. */
export function rememberedSends(read: Reader): number {
  return (
    read.get<{ n: number }>(
      "SELECT (SELECT count(*) FROM recent_messages) + (SELECT coalesce(sum(length(keys)), 0) / 16 FROM recent_message_runs) AS n",
    )?.n ?? 0
  );
}
