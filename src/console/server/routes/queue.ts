/** The pages "Queue", "Unanswered" and "Unmatched": what waits, what may be doubled, receipts without a message. */

import { Type as t } from "typebox";
import { done } from "../../../admin/operations/refusal.ts";
import { queueShow } from "../../../admin/reports/queue.ts";
import { listUnknownOutcomes } from "../../../admin/reports/unknown-outcomes.ts";
import { operatorReceipts } from "../../../admin/reports/unmatched-receipts.ts";
import { operatorNames } from "../../../config/config.ts";
import { isoOrNull } from "../../../core/clock.ts";
import { findOperatorPause, listConnections } from "../pauses.ts";
import { withOperatorNames } from "./prices.ts";
import { type PageContext, told } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { LIMIT, WORD } from "./schemas.ts";

const OF_OPERATOR = t.Object({ operator: t.Optional(WORD), limit: LIMIT });

/** What waits by operator and class, since when and until when, and what holds it. */
async function queuePage(asked: PageContext) {
  const { context } = asked;
  const shown = await queueShow(context);
  const names = operatorNames(context.config);
  const queues = shown.value.queues.map((queue) => ({
    ...queue,
    name: names[queue.operator] ?? queue.operator,
    pause: findOperatorPause(context, queue.operator),
    away: countAway(asked, queue.operator),
  }));
  return done({ queues });
}

/**
 * How an operator is unreachable: since when, why, and when the next attempt is due; null where a connection is up, or where it has none
 * of its own.
 */
export function countAway({ context: { server } }: PageContext, operator: string) {
  const links = listConnections(server, operator);
  if (links.length === 0 || links.some(({ state }) => state === "BOUND")) return null;
  const times = (of: (link: (typeof links)[number]) => number | null): number[] =>
    links.map(of).filter((ms) => ms !== null);
  const since = times(({ downSinceMs }) => downSinceMs);
  const next = times(({ nextAttemptAtMs }) => nextAttemptAtMs);
  const why = links.find(({ lastError }) => lastError !== null)?.lastError ?? null;
  return {
    since: isoOrNull(since.length === 0 ? null : Math.max(...since)),
    why,
    next_attempt_at: isoOrNull(next.length === 0 ? null : Math.min(...next)),
  };
}

/** Messages whose outcome is unknown, the longest first, and what happens to each next; and those that were sent twice. */
async function unansweredPage(asked: PageContext, { operator, limit }: QueryOf<typeof OF_OPERATOR>) {
  const found = await listUnknownOutcomes(asked.context, operator, limit);
  if (!found.ok) return found;
  const messages = withOperatorNames(asked, found.value.messages);
  const sent_twice = withOperatorNames(asked, found.value.sent_twice);
  return told(asked, done({ ...found.value, messages, sent_twice }));
}

/** Receipts that match no message, newest first, and until when each is kept. */
async function unmatchedPage(asked: PageContext, { operator, limit }: QueryOf<typeof OF_OPERATOR>) {
  const found = await operatorReceipts(asked.context, operator, limit);
  return found.ok
    ? done({ ...found.value, receipts: withOperatorNames(asked, found.value.receipts) })
    : found;
}

export const QUEUE_ROUTES = {
  "GET /queue": route("queue.read", queuePage),
  "GET /unanswered": route("doubts.read", unansweredPage, { query: OF_OPERATOR }),
  "GET /unmatched": route("doubts.read", unmatchedPage, { query: OF_OPERATOR }),
};
