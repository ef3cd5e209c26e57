import type { Reader } from "../../db/read.ts";

/** Messages whose submit got no answer and that wait for a late one, sandboxes apart: an index holds them and nothing else. */
export function countUnanswered(read: Reader): number {
  return (
    read.get<{ messages: number }>(
      "SELECT count(*) AS messages FROM messages WHERE unanswered_until IS NOT NULL AND account_id > 0",
    )?.messages ?? 0
  );
}
