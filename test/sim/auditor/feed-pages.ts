/** Pages of the feed as clients read them. */
import type { History } from "./history.ts";
import { type Json, list, member, text } from "./json.ts";

export type FeedPage = {
  readonly account: string;
  /** What it was asked from, as it was written, and in microseconds. */
  readonly since: string;
  readonly fromMicros: bigint;
  readonly batchId: string | null;
  readonly limit: number;
  readonly rows: readonly FeedRow[];
  readonly next: string;
  readonly hasMore: boolean;
  readonly askedAtMs: number;
  readonly atMs: number;
};

export type FeedRow = {
  readonly messageId: string;
  readonly batchId: string;
  readonly stamp: string;
  readonly micros: bigint;
};

/** All pages that clients got, in the order they asked. */
export function feedPagesOf({ exchanges }: History): readonly FeedPage[] {
  return exchanges.flatMap(({ client, method, path, query, answer, askedAtMs }) => {
    if (method !== "GET" || path !== "/public/v1/messages" || answer?.status !== 200) return [];
    const since = query.get("status_changed_since") ?? "";
    const fromMicros = microsOf(since);
    const next = text(answer.json, "data", "next_status_changed_since");
    if (fromMicros === null || next === null) return [];
    return [
      {
        account: client,
        since,
        fromMicros,
        next,
        askedAtMs,
        atMs: answer.atMs,
        batchId: query.get("batch_id"),
        limit: Number(query.get("limit") ?? 100),
        rows: list(answer.json, "data", "messages").map(rowOf),
        hasMore: member(answer.json, "data", "has_more") === true,
      },
    ];
  });
}

function rowOf(json: Json): FeedRow {
  const stamp = text(json, "status_changed_at") ?? "";
  return {
    messageId: text(json, "message_id") ?? "",
    batchId: text(json, "batch_id") ?? "",
    stamp,
    micros: microsOf(stamp) ?? -1n,
  };
}

/** A time in microseconds since 1970; null where it can't be read or has no offset. */
export function microsOf(iso: string): bigint | null {
  const read = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d))?$/.exec(
    iso.replaceAll(" ", "+"),
  );
  if (!read) return null;
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = read;
  const seconds = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(seconds)) return null;
  return BigInt(seconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
