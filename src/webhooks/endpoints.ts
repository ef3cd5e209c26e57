/** Webhook endpoints of accounts: their rows, and every change to them. */
import { assert } from "../core/assert.ts";
import { isoOrNull, isoUtc } from "../core/clock.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { Reader } from "../db/reader.ts";
import type { Tx } from "../db/writer.ts";
import { ulidOfAccount } from "../domain/accounts/accounts.ts";
import {
  type EventType,
  isEventType,
  lastEventId,
  lastEventIdBefore,
  lastEventSql,
} from "../domain/events/outbox.ts";
import { lastMoveSql, lastStampUs } from "../domain/messages/feed-stamps.ts";
import { type Phrase, readPhrase, written } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

/** The states of an endpoint (docs/public-api.md section 3.3). */
export type EndpointStatus = "ENABLED" | "DISABLED_BY_USER" | "DISABLED_AFTER_FAILURES";

/** Times are epoch milliseconds. */
export type Endpoint = {
  readonly id: number;
  readonly ulid: string;
  readonly accountId: number;
  readonly accountUlid: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly status: EndpointStatus;
  readonly disabledReason: Phrase | null;
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly createdAt: number;
  readonly revision: number;
  readonly feedCursorUs: number;
  readonly eventCursor: number;
  readonly notBefore: number;
};

const SELECT = `SELECT w.id, w.ulid, w.account_id AS accountId, ${ulidOfAccount("w.account_id")} AS accountUlid, w.url, w.description,
    w.events, w.status, w.disabled_reason AS disabledReason, w.consecutive_failures AS consecutiveFailures,
    w.last_success_at AS lastSuccessAt, w.last_failure_at AS lastFailureAt, w.created_at AS createdAt,
    w.revision, w.feed_cursor_us AS feedCursorUs, w.event_cursor AS eventCursor, w.not_before AS notBefore
  FROM webhook_endpoints w`;

type EndpointRow = Omit<Endpoint, "events" | "disabledReason"> & {
  readonly events: string;
  readonly disabledReason: string | null;
};

export function endpointById(read: Reader, id: number): Endpoint | null {
  return recordOf(read.get<EndpointRow>(`${SELECT} WHERE w.id = ?`, id));
}

/** The endpoint of this public id, whichever account's it is. */
export function endpointByUlid(read: Reader, ulid: string): Endpoint | null {
  return recordOf(read.get<EndpointRow>(`${SELECT} WHERE w.ulid = ?`, ulid));
}

/** Every endpoint of an account, newest first. */
export function listEndpoints(read: Reader, accountId: number): Endpoint[] {
  return read
    .all<EndpointRow>(`${SELECT} WHERE w.account_id = ? ORDER BY w.id DESC`, accountId)
    .flatMap((row) => recordOf(row) ?? []);
}

export function countEndpoints(read: Reader, accountId: number): number {
  const row = read.get<{ n: number }>(
    "SELECT count(*) AS n FROM webhook_endpoints WHERE account_id = ?",
    accountId,
  );
  return row?.n ?? 0;
}

function recordOf(row: EndpointRow | null): Endpoint | null {
  if (!row) return null;
  const { disabledReason } = row;
  return {
    ...row,
    events: row.events.split(",").filter(isEventType),
    disabledReason: disabledReason === null ? null : readPhrase(disabledReason),
  };
}

type NewEndpoint = {
  readonly ulid: string;
  readonly accountId: number;
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
};

/** Adds an endpoint, enabled: it gets the events from this transaction on. Returns its row id. */
export function createEndpoint(tx: Tx, endpoint: NewEndpoint, nowMs: number): number {
  return tx.insert(
    `INSERT INTO webhook_endpoints (ulid, account_id, url, description, events, status, created_at, feed_cursor_us,
       event_cursor)
     VALUES ($ulid, $accountId, $url, $description, $events, 'ENABLED', $nowMs, $feedCursorUs, $eventCursor)`,
    {
      ...endpoint,
      events: endpoint.events.join(","),
      nowMs,
      feedCursorUs: lastStampUs(tx, endpoint.accountId),
      eventCursor: lastEventId(tx, endpoint.accountId),
    },
  );
}

/**
 * Enables an endpoint and resets its failures. One that was disabled starts at the end of the logs: events in between are not
 * delivered (docs/public-api.md section 3.3). For one that was enabled, waiting retries are due at once: whoever enables it says
 * that it is back. True when it was disabled.
 */
export function enableEndpoint(tx: Tx, endpoint: Pick<Endpoint, "id" | "accountId">, nowMs: number): boolean {
  const wasDisabled =
    tx.run(
      `UPDATE webhook_endpoints SET status = 'ENABLED', disabled_reason = NULL, feed_cursor_us = ?, event_cursor = ?
       WHERE id = ? AND status <> 'ENABLED'`,
      lastStampUs(tx, endpoint.accountId),
      lastEventId(tx, endpoint.accountId),
      endpoint.id,
    ) === 1;
  tx.run(
    `UPDATE webhook_endpoints SET consecutive_failures = 0, not_before = 0, revision = revision + 1 WHERE id = ?`,
    endpoint.id,
  );
  retryAtOnce(tx, endpoint.id, nowMs);
  return wasDisabled;
}

/** Makes the waiting retries of an endpoint due at `nowMs`. */
export function retryAtOnce(tx: Tx, endpointId: number, nowMs: number): void {
  tx.run("UPDATE webhook_retries SET due_at = ?1 WHERE endpoint_id = ?2 AND due_at > ?1", nowMs, endpointId);
}

/** Disables an endpoint and drops what waits for it (docs/behaviour.md#outbox). */
export function disableEndpoint(
  tx: Tx,
  id: number,
  status: Exclude<EndpointStatus, "ENABLED">,
  reason: Phrase,
): void {
  tx.run(
    `UPDATE webhook_endpoints SET status = ?, disabled_reason = ?, not_before = 0, revision = revision + 1
     WHERE id = ?`,
    status,
    written(reason),
    id,
  );
  tx.run("DELETE FROM webhook_retries WHERE endpoint_id = ?", id);
}

/** Notes that something beside the row changed, such as its secrets, so that its worker is opened again. */
export function touchEndpoint(tx: Tx, id: number): void {
  tx.run("UPDATE webhook_endpoints SET revision = revision + 1 WHERE id = ?", id);
}

/** The same for every endpoint of some accounts, when something in their messages changed that events contain. */
export function touchEndpoints(tx: Tx, accountIds: readonly number[]): void {
  tx.run(
    "UPDATE webhook_endpoints SET revision = revision + 1 WHERE account_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(accountIds),
  );
}

/** What an administrator may change; what is left out stays as it is. */
export type EndpointChanges = Partial<Pick<Endpoint, "url" | "description" | "events">>;

export function changeEndpoint(tx: Tx, id: number, changes: EndpointChanges): void {
  tx.run(
    `UPDATE webhook_endpoints SET url = coalesce(?, url), description = coalesce(?, description),
       events = coalesce(?, events), revision = revision + 1 WHERE id = ?`,
    changes.url ?? null,
    changes.description ?? null,
    changes.events?.join(",") ?? null,
    id,
  );
}

/** Removes an endpoint with its secrets, and what waits for it. */
export function deleteEndpoint(tx: Tx, id: number): void {
  const removed = tx.run("DELETE FROM webhook_endpoints WHERE id = ?", id);
  assert(removed === 1, `endpoint ${id} exists`);
}

/** Has everything since an instant delivered to an endpoint again, under the same event ids; waiting retries as well. */
export function rewindEndpoint(
  tx: Tx,
  { id, accountId }: Pick<Endpoint, "id" | "accountId">,
  sinceMs: number,
): void {
  tx.run(
    `UPDATE webhook_endpoints SET feed_cursor_us = min(feed_cursor_us, ?), event_cursor = min(event_cursor, ?),
       revision = revision + 1 WHERE id = ?`,
    sinceMs * 1000 - 1,
    lastEventIdBefore(tx, accountId, sinceMs),
    id,
  );
  retryAtOnce(tx, id, sinceMs);
}

/** An endpoint as the public API shows it (docs/public-api.md section 2.7). */
export function toPublicEndpoint(endpoint: Endpoint) {
  return {
    webhook_id: endpoint.ulid,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    status: endpoint.status,
    consecutive_failures: endpoint.consecutiveFailures,
    disabled_reason: endpoint.disabledReason && english(endpoint.disabledReason),
    last_success_at: isoOrNull(endpoint.lastSuccessAt),
    last_failure_at: isoOrNull(endpoint.lastFailureAt),
    created_at: isoUtc(endpoint.createdAt),
    is_sandbox: isSandbox(endpoint.accountId),
  };
}

export type PublicEndpoint = ReturnType<typeof toPublicEndpoint>;

// What the dispatcher looks up about enabled endpoints.

/** Endpoints looked up in one query. */
export const PAGE = 250;

export type EnabledEndpoint = {
  readonly id: number;
  readonly revision: number;
  /** How far the logs of its account go. */
  readonly feedUs: number;
  readonly eventId: number;
  /** When a retry is due next, epoch milliseconds. */
  readonly dueAt: number | null;
};

/** Enabled endpoints above an id, with how far the logs of their accounts go and when a retry is due next. */
export function readEnabledEndpoints(read: Reader, id: number): EnabledEndpoint[] {
  return read.all<EnabledEndpoint>(
    `SELECT w.id, w.revision,
       coalesce(${lastMoveSql("w.account_id")}, 0) AS feedUs, coalesce(${lastEventSql("w.account_id")}, 0) AS eventId,
       (SELECT min(due_at) FROM webhook_retries r WHERE r.endpoint_id = w.id) AS dueAt
     FROM webhook_endpoints w WHERE w.status = 'ENABLED' AND w.id > ? ORDER BY w.id LIMIT ?`,
    id,
    PAGE,
  );
}

/** Whether any endpoint is enabled. */
export function isAnyEnabled(read: Reader): boolean {
  return read.get("SELECT 1 FROM webhook_endpoints WHERE status = 'ENABLED' LIMIT 1") !== null;
}

/** The URLs of the first enabled endpoints. */
export function readEnabledUrls(read: Reader, limit: number): string[] {
  const rows = read.all<{ url: string }>(
    "SELECT url FROM webhook_endpoints WHERE status = 'ENABLED' ORDER BY id LIMIT ?",
    limit,
  );
  return rows.map(({ url }) => url);
}
