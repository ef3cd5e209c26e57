/**
 * The outbox: what happened that clients may be told, one neutral row a change, written in the change's own transaction
 * (docs/behaviour.md#outbox). Who is told, and how, is decided by whoever reads it with a cursor.
 *
 * MESSAGE_TERMINAL has no row here. A message becomes final once and keeps the feed stamp it got then, so the feed is
 * an exact log of these events already, and a campaign of 100,000 messages does not write 100,000 rows twice.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** Figures as they stood when the event happened. */
type Figures = Readonly<Record<string, string | number | null>>;

/** Something to tell. A batch's figures are read from its row; a wallet's move on at once, so they are kept. */
type NewEvent = { readonly accountId: number; readonly atMs: number } & (
  | { readonly type: BatchEvent; readonly batchId: number }
  | { readonly type: "WALLET_LOW"; readonly figures: Figures }
);

export type OutboxEvent = NewEvent & { readonly id: number };

/** Notes an event, in the transaction of what it tells. */
export function recordEvent(tx: Tx, event: NewEvent): void {
  tx.insert(
    "INSERT INTO events (account_id, type, batch_id, figures, at) VALUES ($accountId, $type, $batchId, $figures, $atMs)",
    event.type === "WALLET_LOW"
      ? { ...event, batchId: null, figures: JSON.stringify(event.figures) }
      : { ...event, figures: null },
  );
}

type EventRow = {
  readonly id: number;
  readonly accountId: number;
  readonly type: OutboxEvent["type"];
  readonly batchId: number | null;
  readonly figures: string | null;
  readonly atMs: number;
};

/** Up to `limit` events of an account above `afterId`, oldest first. */
export function eventsAfter(read: Reader, accountId: number, afterId: number, limit: number): OutboxEvent[] {
  return read
    .all<EventRow>(
      `SELECT id, account_id AS accountId, type, batch_id AS batchId, figures, at AS atMs FROM events
       WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?`,
      accountId,
      afterId,
      limit,
    )
    .map(({ batchId, figures, type, ...row }) =>
      type === "WALLET_LOW"
        ? { ...row, type, figures: JSON.parse(figures ?? "{}") }
        : { ...row, type, batchId: batchId ?? 0 },
    );
}

/** How many events of some types an account has above `afterId`, counted up to `most`. */
export function countEvents(
  read: Reader,
  accountId: number,
  afterId: number,
  types: readonly EventType[],
  most: number,
): number {
  const counted = read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM events WHERE account_id = ? AND id > ?
       AND instr(',' || ? || ',', ',' || type || ',') > 0 LIMIT ?)`,
    accountId,
    afterId,
    types.join(","),
    most,
  );
  return counted?.n ?? 0;
}

/** The id of an account's latest event in SQL, NULL when it has none; `accountId` stands for the account's row id. */
export function lastEventSql(accountId: string): string {
  return `(SELECT max(e.id) FROM events e WHERE e.account_id = ${accountId})`;
}

/** The id of the account's latest event, 0 when it has none: the end of a cursor. */
export function lastEventId(read: Reader, accountId: number): number {
  return read.get<{ id: number | null }>(`SELECT ${lastEventSql("?")} AS id`, accountId)?.id ?? 0;
}

/** The id of the account's last event before an instant, 0 when there is none. */
export function lastEventIdBefore(read: Reader, accountId: number, beforeMs: number): number {
  return (
    read.get<{ id: number | null }>(
      "SELECT max(id) AS id FROM events WHERE account_id = ? AND at < ?",
      accountId,
      beforeMs,
    )?.id ?? 0
  );
}

/** With the usual delays a failing endpoint gets an event, or is disabled, within hours; events are kept for at least this long. */
const MIN_KEPT_HOURS = 24 * 7;

/** Events from before this instant may be forgotten: neither does the feed reach back to them nor is an endpoint so far behind. */
export function deriveEventRetentionStart(nowMs: number, maxLookbackHours: number): number {
  return nowMs - Math.max(maxLookbackHours, MIN_KEPT_HOURS) * 3_600_000;
}

/** Forgets up to `limit` events from before an instant; how many. Ids rise with time, so the oldest come first. */
export function purgeEvents(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM events WHERE id IN
       (SELECT id FROM (SELECT id, at FROM events ORDER BY id LIMIT ?2) WHERE at < ?1)`,
    beforeMs,
    limit,
  );
}

/** Events about a batch (docs/behaviour.md#event-types). */
const BATCH_EVENTS = [
  "BATCH_SETTLED",
  "BATCH_ACCEPTED",
  "BATCH_REJECTED",
  "BATCH_FAILED",
  "BATCH_CANCELLED",
] as const;

export type BatchEvent = (typeof BATCH_EVENTS)[number];

/** Every event a client may subscribe to (docs/public-api.md section 6, docs/behaviour.md#event-types). */
export const EVENT_TYPES = ["MESSAGE_TERMINAL", ...BATCH_EVENTS, "WALLET_LOW"] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What an endpoint receives that is registered without naming events (docs/public-api.md section 4.8). */
export const DEFAULT_EVENTS: readonly EventType[] = ["MESSAGE_TERMINAL", "BATCH_SETTLED"];

export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((known) => known === text);
}
