/** The pages "Queue", "Unanswered" and "Unmatched": what waits, what may be doubled, receipts without a message. */

import { Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { type QueueView, queueShow } from "../../../admin/reports/queue.ts";
import { listUnknownOutcomes, type UnknownOutcomeView } from "../../../admin/reports/unknown-outcomes.ts";
import { operatorReceipts, type ReceiptsView } from "../../../admin/reports/unmatched-receipts.ts";
import { operatorNames } from "../../../config/config.ts";
import { isoOrNull } from "../../../core/clock.ts";
import type { Phrase, Told } from "../../../i18n/phrase.ts";
import { findOperatorPause, type OperatorPause } from "../pauses.ts";
import { named } from "./prices.ts";
import { type PageContext, told } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { LIMIT, WORD } from "./schemas.ts";

const OF_OPERATOR = t.Object({ operator: t.Optional(WORD), limit: LIMIT });

/** What waits for an operator, its name, and what of the operator itself holds it. */
type WaitingView = QueueView & {
  readonly name: string;
  readonly pause: OperatorPause | null;
  /** No connection is up: since when, why, and when the next attempt is due. */
  readonly away: {
    readonly since: string | null;
    readonly why: Phrase | null;
    readonly next_attempt_at: string | null;
  } | null;
};

/** What waits by operator and class, since when and until when, and what holds it. */
async function queuePage(
  asked: PageContext,
): Promise<AdminOutcome<{ readonly queues: readonly WaitingView[] }>> {
  const { context } = asked;
  const shown = await queueShow(context);
  if (!shown.ok) return shown;
  const names = operatorNames(context.config);
  const rows = shown.value.queues.map(
    (queue): WaitingView => ({
      ...queue,
      name: names[queue.operator] ?? queue.operator,
      pause: findOperatorPause(context, queue.operator),
      away: awayOf(asked, queue.operator),
    }),
  );
  return done({ queues: rows });
}

/** How an operator is unreachable; null where a connection is up, or where it has none of its own. */
export function awayOf({ context: { server } }: PageContext, operator: string): WaitingView["away"] {
  const links = server?.operatorStatus().find((one) => one.operator === operator)?.connections ?? [];
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

/** Messages whose outcome is unknown, the longest first, and what happens to each next. */
async function unansweredPage(
  asked: PageContext,
  { operator, limit }: QueryOf<typeof OF_OPERATOR>,
): Promise<AdminOutcome<Unanswered>> {
  const found = await listUnknownOutcomes(asked.context, operator, limit);
  if (!found.ok) return found;
  const messages = named(asked, found.value.messages);
  return told(asked, done({ ...found.value, messages }));
}

type Named<Row> = Row & { readonly operator_name: string };
type Unanswered = {
  readonly messages: readonly Named<Told<UnknownOutcomeView>>[];
  readonly has_more: boolean;
};
type Unmatched = Omit<ReceiptsView, "receipts"> & {
  readonly receipts: readonly Named<ReceiptsView["receipts"][number]>[];
};

/** Receipts that match no message, newest first, and until when each is kept. */
async function unmatchedPage(
  asked: PageContext,
  { operator, limit }: QueryOf<typeof OF_OPERATOR>,
): Promise<AdminOutcome<Unmatched>> {
  const found = await operatorReceipts(asked.context, operator, limit);
  return found.ok ? done({ ...found.value, receipts: named(asked, found.value.receipts) }) : found;
}

export const QUEUE_ROUTES = {
  "GET /queue": route("queue.read", queuePage),
  "GET /unanswered": route("doubts.read", unansweredPage, { query: OF_OPERATOR }),
  "GET /unmatched": route("doubts.read", unmatchedPage, { query: OF_OPERATOR }),
};
