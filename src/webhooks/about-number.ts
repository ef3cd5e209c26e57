/** What waits to be told to endpoints about one number. */
import { type Page, pageOf } from "../core/pages.ts";
import type { SoughtNumber } from "../core/sought-number.ts";
import type { Reader } from "../db/read.ts";

export type UntoldEvent = {
  readonly id: number;
  readonly endpointId: number;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
};

const PAGE = 500;

/** Events that name a number and wait for their next attempt, among the next rows. */
export function retriesPage(
  read: Reader,
  number: SoughtNumber,
  after: number | null,
): Page<UntoldEvent, number> {
  const rows = read.all<UntoldEvent>(
    `SELECT id, endpoint_id AS endpointId, event_id AS eventId, type, body FROM webhook_retries
     WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  return pageOf(
    rows,
    PAGE,
    ({ id }) => id,
    ({ body }) => body.includes(number.msisdn),
  );
}
