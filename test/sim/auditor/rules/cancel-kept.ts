import { viewsOf } from "../batch-looks.ts";
import { cancelsByBatch } from "../cancels.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { member, text } from "../json.ts";
import { once } from "../once.ts";

const found = finder(
  "cancel-kept",
  "A batch that was called off ends CANCELLED, and shows when that was asked for, unless it was too late for its schedule before.",
);

/** Where nobody of a batch was accepted that was being validated, it is REJECTED. */
const ENDS = ["CANCELLED", "REJECTED"];

/** At rest every batch that somebody was told is called off has ended so. */
export const cancelKept: Rule = (history) => {
  const { restAtMs } = history;
  if (restAtMs === null) return [];
  return [...cancelsByBatch(history)].flatMap(([batchId, [first]]) => {
    const view = viewsOf(history, batchId).findLast(({ askedAtMs }) => askedAtMs >= restAtMs);
    if (!view || !first) return [];
    const when = text(view.json, "cancel_requested_at");
    if (ENDS.includes(view.status) && (when !== null || wasOffBefore(history, batchId))) return [];
    const what = `batch ${batchId} was called off by ${first.by} at ${at(first.doneAtMs)}, and is ${view.status} at rest, asked for at ${when}`;
    return [found(view.atMs, what, batchId)];
  });
};

/** Too late for its schedule before anybody asked: the first reason is kept, and asking moves nothing. No time was ever shown then. */
function wasOffBefore(history: History, batchId: string): boolean {
  return (
    tooLate(history).has(batchId) &&
    viewsOf(history, batchId).every(({ json }) => text(json, "cancel_requested_at") === null)
  );
}

/** The batches of which a message was shown as cancelled because it was too late. */
const tooLate = once(
  ({ sightings }) =>
    new Set(
      sightings.messageViews.flatMap(({ batchId, json }) =>
        text(member(json, "error"), "code") === "SCHEDULE_TOO_LATE" ? batchId : [],
      ),
    ),
);
