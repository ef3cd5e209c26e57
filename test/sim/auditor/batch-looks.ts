/** What anybody saw of one batch, looked up: a long run has thousands of batches, and as many looks at each kind of thing. */
import type { Exchange } from "./exchanges.ts";
import type { History } from "./history.ts";
import { once } from "./once.ts";
import type { BatchView } from "./sightings.ts";

/** Every look at a batch, in the order they were answered. */
export function viewsOf(history: History, batchId: string): readonly BatchView[] {
  return viewsByBatch(history).get(batchId) ?? [];
}

/** Every fetch of a batch, whatever came of it. */
export function fetchesOf(history: History, batchId: string): readonly Exchange[] {
  return fetchesByBatch(history).get(batchId) ?? [];
}

const viewsByBatch = once(({ sightings }) => Map.groupBy(sightings.batchViews, ({ batchId }) => batchId));

const fetchesByBatch = once(({ exchanges }) =>
  Map.groupBy(
    exchanges.filter(({ method }) => method === "GET"),
    ({ path }) => /\/batches\/([^/]*)$/.exec(path)?.[1] ?? "",
  ),
);
