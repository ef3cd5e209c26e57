/** The pages "Queue", "Unanswered" and "Unmatched": what waits, what may be doubled, what nobody asked for. */
import { type Static, Type as t } from "@sinclair/typebox";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { operatorReceipts, type ReceiptsView } from "../../reports/parked-receipts.ts";
import { queueShow } from "../../reports/queue.ts";
import { operatorUnanswered, type UnansweredView } from "../../reports/unanswered.ts";
import type { Asked } from "./asked.ts";
import { route } from "./route.ts";
import { LIMIT, USUAL_ROWS, WORD } from "./shapes.ts";

const OF_OPERATOR = t.Object({ operator: t.Optional(WORD), limit: LIMIT });

/** What waits by operator and class, since when and until when, and what holds it. */
function queuePage({ context }: Asked) {
  return queueShow(context);
}

/** Messages that an operator may or may not have, the longest in doubt first, and what happens to each next. */
async function unansweredPage(
  { context, inTheirWords }: Asked,
  query: Static<typeof OF_OPERATOR>,
): Promise<AdminOutcome<Unanswered>> {
  const found = await operatorUnanswered(context, query.operator ?? null, query.limit ?? USUAL_ROWS);
  if (!found.ok) return found;
  const messages = found.value.messages.map((each) => ({ ...each, next: inTheirWords(each.next) }));
  return done({ ...found.value, messages });
}

type Unanswered = { readonly messages: readonly UnansweredView[]; readonly has_more: boolean };

/** Receipts that match no message, newest first, and until when each is kept. */
function unmatchedPage(
  { context }: Asked,
  query: Static<typeof OF_OPERATOR>,
): Promise<AdminOutcome<ReceiptsView>> {
  return operatorReceipts(context, query.operator ?? null, query.limit ?? USUAL_ROWS);
}

export const QUEUE_ROUTES = {
  "GET /queue": route({ operation: "queue.read" }, queuePage),
  "GET /unanswered": route({ operation: "doubts.read", query: OF_OPERATOR }, (asked, { query }) =>
    unansweredPage(asked, query),
  ),
  "GET /unmatched": route({ operation: "doubts.read", query: OF_OPERATOR }, (asked, { query }) =>
    unmatchedPage(asked, query),
  ),
};
