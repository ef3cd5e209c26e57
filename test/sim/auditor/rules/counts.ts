import { finalStatesOf } from "../final-states.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { once } from "../once.ts";
import type { BatchView } from "../sightings.ts";

const found = finder(
  "counts",
  "`counts` says how many messages of the batch ever reached each state: none goes down, and total is the accepted ones.",
);
const moved = finder("batch-status", "A batch moves forward, and an end is an end.");

const NAMES = ["total", "queued", "submitted", "sent", "delivered", "failed", "cancelled"] as const;
const ENDS = ["SETTLED", "REJECTED", "FAILED", "CANCELLED"];
const RANK: Readonly<Record<string, number>> = { VALIDATING: 0, SCHEDULED: 1, QUEUED: 2, SENDING: 3 };

/** What fetches of one batch say agrees with itself, with the fetch before, and in the end with the feed. */
export const counts: Rule = (history) => {
  const byBatch = new Map<string, BatchView[]>();
  for (const view of history.sightings.batchViews)
    byBatch.set(view.batchId, [...(byBatch.get(view.batchId) ?? []), view]);
  return [...byBatch.values()].flatMap((views) => [
    ...views.flatMap(within),
    ...views.flatMap((view, index) => views.slice(0, index).flatMap((earlier) => between(earlier, view))),
    ...final(history, views),
  ]);
};

function within({ batchId, atMs, accepted, counts: seen, status }: BatchView): readonly Finding[] {
  const of = (name: string) => seen[name] ?? -1;
  const ended = of("delivered") + of("failed") + of("cancelled");
  const isSound =
    NAMES.every((name) => of(name) >= 0 && of(name) <= Math.max(accepted, 0)) &&
    of("total") === accepted &&
    of("queued") === accepted &&
    of("sent") <= of("submitted") &&
    of("delivered") <= of("sent") &&
    ended <= of("total");
  const words = NAMES.map((name) => `${name} ${of(name)}`).join(", ");
  if (isSound) return [];
  return [found(atMs, `batch ${batchId} (${status}, ${accepted} accepted) was shown with ${words}`, batchId)];
}

/** Two looks that do not overlap, the earlier first. */
function between(earlier: BatchView, later: BatchView): readonly Finding[] {
  if (earlier.atMs > later.askedAtMs) return [];
  const { batchId, atMs } = later;
  const fallen = NAMES.filter((name) => (later.counts[name] ?? 0) < (earlier.counts[name] ?? 0));
  const down = fallen.map((name) => {
    const what = `batch ${batchId}: ${name} fell from ${earlier.counts[name]} at ${at(earlier.atMs)} to ${later.counts[name]} at ${at(atMs)}`;
    return found(atMs, what, batchId);
  });
  const isEnd = ENDS.includes(earlier.status);
  const isBack = isEnd
    ? later.status !== earlier.status
    : (RANK[later.status] ?? 9) < (RANK[earlier.status] ?? 0);
  if (!isBack) return down;
  const what = `batch ${batchId} was ${earlier.status} at ${at(earlier.atMs)} and ${later.status} at ${at(atMs)}`;
  return [...down, moved(atMs, what, batchId)];
}

/** The last states of the messages of each batch. */
const statusesAtRest = once((history) => {
  const statuses = new Map<string, string[]>();
  for (const { status, view } of finalStatesOf(history).values()) {
    const known = statuses.get(view.batchId) ?? [];
    known.push(status);
    statuses.set(view.batchId, known);
  }
  return statuses;
});

/** The last look at rest against the states that the feed ended with. */
function final(history: History, views: readonly BatchView[]): readonly Finding[] {
  const { restAtMs } = history;
  const last = views.at(-1);
  if (!last || restAtMs === null || last.askedAtMs < restAtMs) return [];
  const { batchId, atMs } = last;
  const states = statusesAtRest(history).get(batchId) ?? [];
  if (states.length !== last.accepted) return [];
  const of = (status: string) => states.filter((each) => each === status).length;
  const pairs = [
    ["delivered", of("DELIVERED")],
    ["failed", of("FAILED")],
    ["cancelled", of("CANCELLED")],
  ] as const;
  return pairs.flatMap(([name, number]) => {
    if (last.counts[name] === number) return [];
    const what = `batch ${batchId} counts ${last.counts[name]} ${name} at rest, and the feed shows ${number}`;
    return [found(atMs, what, batchId)];
  });
}
