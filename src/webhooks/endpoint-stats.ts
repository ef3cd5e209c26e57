/** Views of an endpoint that the public API does not show: what waits, the last attempts, when the next one is due. */
import { isoUtc } from "../core/clock.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { Reader } from "../db/reader.ts";
import { countEvents, lastEventId } from "../domain/events/outbox.ts";
import { countFinals } from "../domain/messages/feed.ts";
import { lastStampUs } from "../domain/messages/feed-stamps.ts";
import { attemptOutcome, readLatestAttempts } from "./attempts.ts";
import { type Endpoint, endpointById, readEnabledEndpoints, toPublicEndpoint } from "./endpoints.ts";
import { FAILURES_TO_PROBE } from "./retry-schedule.ts";

/** Events that wait are counted up to this. */
const MAX_COUNTED = 10_000;

/** How far an endpoint is behind. */
type EndpointBacklog = {
  /** Events that were attempted and wait for their next attempt. */
  readonly retrying: number;
  /** Events that were not attempted yet. */
  readonly waiting: number;
  /** Whether more wait than were counted. */
  readonly is_more: boolean;
  /** When something is attempted next; null when nothing waits, or the endpoint is disabled. */
  readonly next_attempt_at: string | null;
};

function backlogOf(read: Reader, endpoint: Endpoint, nowMs: number): EndpointBacklog {
  const retries = retriesOf(read, endpoint.id);
  const isEnabled = endpoint.status === "ENABLED";
  const waiting = isEnabled ? countWaiting(read, endpoint) : 0;
  const dueAt = waiting > 0 ? nowMs : retries.dueAt;
  return {
    retrying: retries.count,
    waiting: Math.min(waiting, MAX_COUNTED),
    is_more: waiting > MAX_COUNTED,
    next_attempt_at: isEnabled && dueAt !== null ? isoUtc(Math.max(nowMs, dueAt, endpoint.notBefore)) : null,
  };
}

function countWaiting(read: Reader, { accountId, events, feedCursorUs, eventCursor }: Endpoint): number {
  const messages =
    events.includes("MESSAGE_TERMINAL") && lastStampUs(read, accountId) > feedCursorUs
      ? countFinals(read, accountId, feedCursorUs, MAX_COUNTED + 1)
      : 0;
  if (lastEventId(read, accountId) <= eventCursor) return messages;
  return messages + countEvents(read, accountId, eventCursor, events, MAX_COUNTED + 1);
}

/**
 * Counts events that wait for enabled endpoints of live accounts, for each endpoint at most 10,000 that were not attempted yet; `pause`
 * is called between two endpoints.
 */
export async function readTotalBacklog(
  read: Reader,
  pause: () => Promise<void> | undefined,
): Promise<number> {
  let total = 0;
  for (
    let rows = readEnabledEndpoints(read, 0);
    rows.length > 0;
    rows = readEnabledEndpoints(read, rows.at(-1)?.id ?? 0)
  ) {
    for (const { id } of rows) {
      const endpoint = endpointById(read, id);
      if (!endpoint || isSandbox(endpoint.accountId)) continue;
      total += Math.min(MAX_COUNTED, countWaiting(read, endpoint)) + retriesOf(read, id).count;
      const turn = pause();
      if (turn !== undefined) await turn;
    }
  }
  return total;
}

function retriesOf(
  read: Reader,
  endpointId: number,
): { readonly count: number; readonly dueAt: number | null } {
  const retries = read.get<{ count: number; dueAt: number | null }>(
    "SELECT count(*) AS count, min(due_at) AS dueAt FROM webhook_retries WHERE endpoint_id = ?",
    endpointId,
  );
  return retries ?? { count: 0, dueAt: null };
}

/** An endpoint with its backlog. */
export function toEndpointView(read: Reader, endpoint: Endpoint, nowMs: number) {
  return {
    account_id: endpoint.accountUlid,
    ...toPublicEndpoint(endpoint),
    disabled_reason: endpoint.disabledReason,
    backlog: backlogOf(read, endpoint, nowMs),
  };
}

export type EndpointView = ReturnType<typeof toEndpointView>;

/** The last attempts to an endpoint, newest first. */
export function toAttemptsView(read: Reader, endpointId: number) {
  return readLatestAttempts(read, endpointId).map((attempt) => ({
    at: isoUtc(attempt.at),
    event_id: attempt.eventId,
    type: attempt.type,
    outcome: attemptOutcome(attempt),
    status: attempt.status,
    duration_ms: attempt.durationMs,
  }));
}

/** The first enabled endpoints that are only probed, because they keep failing, with their accounts. */
export function listFailing(
  read: Reader,
  limit: number,
): { readonly id: string; readonly account: string }[] {
  return read
    .all<{ id: number }>(
      "SELECT id FROM webhook_endpoints WHERE status = 'ENABLED' AND account_id > 0 AND consecutive_failures >= ? ORDER BY id LIMIT ?",
      FAILURES_TO_PROBE,
      limit,
    )
    .flatMap(({ id }) => {
      const endpoint = endpointById(read, id);
      return endpoint ? [{ id: endpoint.ulid, account: endpoint.accountUlid }] : [];
    });
}

/** How many endpoints are enabled, how many of them are only probed because they keep failing, and the first of those. */
export function readFailingEndpoints(read: Reader) {
  const counts = read.get<{ enabled: number; failing: number; first: string | null }>(
    `SELECT count(*) AS enabled, count(*) FILTER (WHERE consecutive_failures >= ?1) AS failing,
       min(ulid) FILTER (WHERE consecutive_failures >= ?1) AS first
     FROM webhook_endpoints WHERE status = 'ENABLED' AND account_id > 0`,
    FAILURES_TO_PROBE,
  );
  return { enabled: counts?.enabled ?? 0, failing: counts?.failing ?? 0, first: counts?.first ?? "" };
}
