/** Outcomes of attempts to endpoints: gathered for a moment, written in one transaction, and read for views and retries. */
import type { Clock } from "../core/clock.ts";
import type { ErasedNumber, NumberMatcher } from "../core/number-matcher.ts";
import { type Page, toPage } from "../core/paging.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { type Phrase, phrase, readPhrase, written } from "../i18n/phrase.ts";
import { disableEndpoint, retryAtOnce, touchEndpoint } from "./endpoints.ts";
import { FAILURES_TO_DISABLE } from "./retry-schedule.ts";

/** An event that was attempted and waits for its next attempt. */
export type Retry = {
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  /** Attempts made so far. */
  readonly attempts: number;
  readonly dueAt: number;
};

/** One attempt, as views show it. */
export type EndpointAttempt = {
  readonly eventId: string;
  readonly type: string;
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: Phrase | null;
};

/** The outcome of an attempt, in words. */
export function attemptOutcome({ error }: EndpointAttempt): Phrase {
  return error ?? phrase("webhook.delivered");
}

/** Of each endpoint only the latest attempts are kept. */
export const ATTEMPTS_KEPT = 20;

export type EndpointOutcome = {
  readonly endpointId: number;
  /** The endpoint's revision when these attempts were made. */
  readonly revision: number;
  readonly feedCursorUs: number;
  readonly eventCursor: number;
  readonly consecutiveFailures: number;
  readonly notBefore: number;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  readonly retries: readonly Retry[];
  /** Retries that were delivered or given up. */
  readonly finished: readonly string[];
  readonly attempts: readonly EndpointAttempt[];
  /** The endpoint answers again: its waiting retries are due at once. */
  readonly isBack: boolean;
  /** The endpoint has failed for the last time: it is disabled. */
  readonly isOver: boolean;
};

/** Writes outcomes; tells of each whether its endpoint still had the revision that the attempts were made for. */
export type SaveOutcomes = (outcomes: readonly EndpointOutcome[]) => Promise<readonly boolean[]>;

/** Writes outcomes in one transaction. */
export function outcomesInto(store: Pick<Store, "write">, clock: Clock): SaveOutcomes {
  return (outcomes) =>
    store.write((tx) => outcomes.map((outcome) => writeOutcome(tx, outcome, clock.nowMs())));
}

/** Writes an outcome; false, and nothing is written, when the endpoint was changed, disabled or removed meanwhile. */
export function writeOutcome(tx: Tx, outcome: EndpointOutcome, nowMs: number): boolean {
  const { retries, finished, attempts, isBack, isOver, ...state } = outcome;
  const { endpointId: id } = state;
  const isCurrent = tx.run(
    `UPDATE webhook_endpoints SET feed_cursor_us = $feedCursorUs, event_cursor = $eventCursor,
       consecutive_failures = $consecutiveFailures, not_before = $notBefore,
       last_success_at = coalesce($lastSuccessAt, last_success_at),
       last_failure_at = coalesce($lastFailureAt, last_failure_at)
     WHERE id = $endpointId AND revision = $revision AND status = 'ENABLED'`,
    state,
  );
  if (isCurrent === 0) return false;
  // Before the retries of this outcome are written: events that failed after it was back keep their own due times.
  if (isBack) retryAtOnce(tx, id, nowMs);
  for (const retry of retries) {
    tx.run(
      `INSERT INTO webhook_retries (endpoint_id, event_id, type, body, attempts, due_at)
       VALUES ($id, $eventId, $type, $body, $attempts, $dueAt)
       ON CONFLICT (endpoint_id, event_id) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at`,
      { ...retry, id },
    );
  }
  for (const eventId of finished) {
    tx.run("DELETE FROM webhook_retries WHERE endpoint_id = ? AND event_id = ?", id, eventId);
  }
  saveAttempts(tx, id, attempts);
  if (isOver) {
    const reason = phrase("webhook.disabled.failures", { failures: FAILURES_TO_DISABLE });
    disableEndpoint(tx, id, "DISABLED_AFTER_FAILURES", reason);
  }
  return true;
}

/** Notes attempts and forgets all but the latest of the endpoint. */
export function saveAttempts(tx: Tx, endpointId: number, attempts: readonly EndpointAttempt[]): void {
  for (const attempt of attempts) {
    tx.insert(
      `INSERT INTO webhook_attempts (endpoint_id, event_id, type, at, duration_ms, status, error)
       VALUES ($endpointId, $eventId, $type, $at, $durationMs, $status, $error)`,
      { ...attempt, endpointId, error: attempt.error && written(attempt.error) },
    );
  }
  if (attempts.length === 0) return;
  tx.run(
    `DELETE FROM webhook_attempts WHERE endpoint_id = ?1 AND id <=
       (SELECT id FROM webhook_attempts WHERE endpoint_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    endpointId,
    ATTEMPTS_KEPT,
  );
}

/** The latest attempts of an endpoint, newest first. */
export function readLatestAttempts(read: Reader, endpointId: number): EndpointAttempt[] {
  const rows = read.all<Omit<EndpointAttempt, "error"> & { readonly error: string | null }>(
    `SELECT event_id AS eventId, type, at, duration_ms AS durationMs, status, error FROM webhook_attempts
     WHERE endpoint_id = ? ORDER BY id DESC`,
    endpointId,
  );
  return rows.map((row) => ({ ...row, error: row.error === null ? null : readPhrase(row.error) }));
}

/** Up to `limit` events that are due, the longest due first. */
export function readDueRetries(read: Reader, endpointId: number, nowMs: number, limit: number): Retry[] {
  return read.all<Retry>(
    `SELECT event_id AS eventId, type, body, attempts, due_at AS dueAt FROM webhook_retries
     WHERE endpoint_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`,
    endpointId,
    nowMs,
    limit,
  );
}

/** Whether an event failed at an endpoint and is tried again later. */
export function waitsForRetry(read: Reader, endpointId: number, eventId: string): boolean {
  const sql = "SELECT 1 FROM webhook_retries WHERE endpoint_id = ? AND event_id = ?";
  return read.get(sql, endpointId, eventId) !== null;
}

// Events about one number that wait for delivery to endpoints.

export type PendingEvent = {
  readonly id: number;
  readonly endpointId: number;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
};

const PAGE = 500;

/** Events that name a number and wait for their next attempt, among the next rows. */
export function readRetriesPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<PendingEvent, number> {
  const rows = read.all<PendingEvent>(
    `SELECT id, endpoint_id AS endpointId, event_id AS eventId, type, body FROM webhook_retries
     WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  return toPage(
    rows,
    PAGE,
    ({ id }) => id,
    ({ body }) => body.includes(number.msisdn),
  );
}

/**
 * Takes a number out of events that still wait for delivery; returns how many. They are delivered with its erasure name in its place,
 * also those with an attempt in flight, whose result is ignored.
 */
export function eraseRetries(
  tx: Tx,
  { msisdn, name }: ErasedNumber,
  events: readonly PendingEvent[],
): number {
  let erased = 0;
  for (const { id, body } of events)
    erased += tx.run("UPDATE webhook_retries SET body = ? WHERE id = ?", body.replaceAll(msisdn, name), id);
  for (const endpointId of new Set(events.map((event) => event.endpointId))) touchEndpoint(tx, endpointId);
  return erased;
}
