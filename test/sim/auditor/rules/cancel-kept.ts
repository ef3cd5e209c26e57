import { viewsOf } from "../batch-looks.ts";
import { cancelsByBatch } from "../cancels.ts";
import { finalStatesOf } from "../final-states.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { text } from "../json.ts";

const found = finder(
  "cancel-kept",
  "A batch that was called off ends CANCELLED, and shows when that was asked for.",
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
    const isShown = when !== null || wasMissed(history, batchId);
    if (ENDS.includes(view.status) && isShown) return [];
    const what = `batch ${batchId} was called off by ${first.by} at ${at(first.doneAtMs)}, and is ${view.status} at rest, asked for at ${when}`;
    return [found(view.atMs, what, batchId)];
  });
};

/** A batch that had missed its time was CANCELLED before anybody asked: such a cancel is done, and nothing moves (docs/behaviour.md#cancelling). */
function wasMissed(history: History, batchId: string): boolean {
  const states = [...finalStatesOf(history).values()].filter(({ view }) => view.batchId === batchId);
  return states.length > 0 && states.every(({ errorCode }) => errorCode === "SCHEDULE_TOO_LATE");
}
