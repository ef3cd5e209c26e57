import { type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type Json, list, member, text } from "../json.ts";
import { type Told, toldOf } from "./status-history.ts";

const found = finder(
  "feed-gaps",
  "A client that follows the cursor of the feed sees each message at its latest change: nothing is left out, nothing twice, oldest first.",
);

const MAX_ROWS = 500;

/** Every page is whole, in order, and leads to the next. */
export function feedGaps(history: History): readonly Finding[] {
  const pages = feedPagesOf(history);
  const last = lastTold(history);
  const followed = new Map<string, FeedPage>();
  return pages.flatMap((page) => {
    const key = `${page.account} ${page.batchId} ${page.since}`;
    const before = followed.get(key);
    followed.set(`${page.account} ${page.batchId} ${page.next}`, page);
    const why = [
      ...wrongRows(page),
      ...wrongCursor(page),
      ...leftOut(page, last.get(keyOf(page.account, page.batchId)) ?? []),
      ...(before?.hasMore && before.atMs <= page.askedAtMs && page.rows.length === 0
        ? ["is empty, though the page before it said that there is more"]
        : []),
    ];
    const name = `the page of ${page.account} from ${page.since}${page.batchId === null ? "" : ` of batch ${page.batchId}`}`;
    return why.map((one) => found(page.atMs, `${name} ${one}`, page.account));
  });
}

type LastTold = Told & { readonly micros: bigint; readonly batchId: string };

/** Whose a list is: an account's as a whole, or one batch's of it. */
function keyOf(account: string, batchId: string | null): string {
  return batchId === null ? account : `${account} ${batchId}`;
}

/** What was told last of each message that is final: it stands there for ever. By `keyOf`, oldest first. */
function lastTold(history: History): ReadonlyMap<string, readonly LastTold[]> {
  const final = new Map<string, LastTold>();
  for (const told of toldOf(history)) {
    const micros = microsOf(told.stamp);
    const batchId = text(told.json, "batch_id");
    if (!told.isFinal || micros === null || batchId === null || final.has(told.messageId)) continue;
    final.set(told.messageId, { ...told, micros, batchId });
  }
  const sorted = [...final.values()].sort((a, b) => (a.micros < b.micros ? -1 : a.micros > b.micros ? 1 : 0));
  const ofAll = Map.groupBy(sorted, ({ account }) => keyOf(account, null));
  const ofBatches = Map.groupBy(sorted, ({ account, batchId }) => keyOf(account, batchId));
  return new Map([...ofAll, ...ofBatches]);
}

function wrongRows({ rows, fromMicros, limit, batchId }: FeedPage): string[] {
  const wrong: string[] = [];
  if (rows.length > Math.min(limit, MAX_ROWS))
    wrong.push(`has ${rows.length} rows, and ${limit} were asked for`);
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (row.micros < fromMicros) wrong.push(`has ${row.messageId} of before, ${row.stamp}`);
    if (before && before.micros >= row.micros)
      wrong.push(`is not in order: ${before.stamp}, then ${row.stamp}`);
    if (!/\.\d{6}Z$/.test(row.stamp)) wrong.push(`has a stamp without six digits, ${row.stamp}`);
    if (batchId !== null && row.batchId !== batchId)
      wrong.push(`has ${row.messageId} of batch ${row.batchId}`);
  }
  if (new Set(rows.map(({ messageId }) => messageId)).size < rows.length) wrong.push("has a message twice");
  return wrong;
}

function wrongCursor({ rows, next, fromMicros }: FeedPage): string[] {
  const cursor = microsOf(next);
  const last = rows.at(-1);
  if (cursor === null) return [`leads to ${next}, which is no time`];
  if (last) return cursor === last.micros + 1n ? [] : [`ends at ${last.stamp} and leads to ${next}`];
  // An old time is clamped, so an empty page may lead further.
  return cursor >= fromMicros ? [] : [`is empty and leads back, to ${next}`];
}

/** Final messages between where a page begins and where it ends, or which were told before it was asked for and come after. */
function leftOut({ rows, fromMicros, hasMore, askedAtMs }: FeedPage, last: readonly LastTold[]): string[] {
  const end = rows.at(-1)?.micros ?? null;
  const shown = new Set(rows.map(({ messageId }) => messageId));
  const first = firstFrom(last, fromMicros);
  const behind = hasMore && end !== null ? firstFrom(last, end + 1n) : last.length;
  return last.slice(first, behind).flatMap((told) => {
    if (shown.has(told.messageId)) return [];
    const isBetween = end !== null && told.micros <= end;
    const isAfter = !hasMore && told.atMs <= askedAtMs;
    if (!isBetween && !isAfter) return [];
    return [`leaves out message ${told.messageId}, ${told.status} since ${told.stamp}`];
  });
}

/** The first place at or after a stamp. */
function firstFrom(last: readonly LastTold[], micros: bigint): number {
  let [low, high] = [0, last.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((last[middle]?.micros ?? 0n) < micros) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Pages of the feed as clients read them.

type FeedPage = {
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

type FeedRow = {
  readonly messageId: string;
  readonly batchId: string;
  readonly stamp: string;
  readonly micros: bigint;
};

/** All pages that clients got, in the order they asked. */
function feedPagesOf({ exchanges }: History): readonly FeedPage[] {
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
function microsOf(iso: string): bigint | null {
  const read = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d))?$/.exec(
    iso.replaceAll(" ", "+"),
  );
  if (!read) return null;
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = read;
  const seconds = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(seconds)) return null;
  return BigInt(seconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
