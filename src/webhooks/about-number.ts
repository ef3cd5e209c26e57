/** What waits to be told to endpoints about one number. */
import { type Page, toPage } from "../core/pages.ts";
import type { NumberMatcher } from "../core/sought-number.ts";
import type { Reader } from "../db/read.ts";

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
