/** What the dispatcher looks up of the endpoints that may be told something. */

import type { Reader } from "../db/read.ts";
import { lastEventOf } from "../domain/events/outbox.ts";
import { lastMoveOf } from "../domain/messages/stamps.ts";

/** Endpoints looked up in one go. */
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
       coalesce(${lastMoveOf("w.account_id")}, 0) AS feedUs, coalesce(${lastEventOf("w.account_id")}, 0) AS eventId,
       (SELECT min(due_at) FROM webhook_retries r WHERE r.endpoint_id = w.id) AS dueAt
     FROM webhook_endpoints w WHERE w.status = 'ENABLED' AND w.id > ? ORDER BY w.id LIMIT ?`,
    id,
    PAGE,
  );
}

/** Whether there is an endpoint that may be told something. */
export function isAnyEnabled(read: Reader): boolean {
  return read.get("SELECT 1 FROM webhook_endpoints WHERE status = 'ENABLED' LIMIT 1") !== null;
}

/** Where the first enabled endpoints are. */
export function readEnabledUrls(read: Reader, limit: number): string[] {
  const rows = read.all<{ url: string }>(
    "SELECT url FROM webhook_endpoints WHERE status = 'ENABLED' ORDER BY id LIMIT ?",
    limit,
  );
  return rows.map(({ url }) => url);
}
