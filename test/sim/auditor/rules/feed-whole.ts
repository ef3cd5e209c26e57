import { finalStateOf } from "../final-states.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { member } from "../json.ts";
import { waitingAtRest } from "../waiting.ts";

const found = finder(
  "feed-whole",
  "Each accepted recipient is one message, which stands once in the feed and ends in a final state.",
);

/** At rest, each message of a batch that exists is in the feed of its account: once, and ended. */
export const feedWhole: Rule = (history) => {
  const { batches, restAtMs } = history;
  if (restAtMs === null || !wasReadToTheEnd(history, restAtMs)) return [];
  const ids = idsByPlace(history, restAtMs);
  return batches.flatMap((batch) => {
    if (batch.batchId === null || batch.rejections === null || endOf(history, batch.batchId) === "FAILED")
      return [];
    const isCancelled = endOf(history, batch.batchId) === "CANCELLED";
    return batch.messages.flatMap((message): readonly Finding[] => {
      const state = finalStateOf(history, message);
      const where = `place ${message.index} of ${batch.account.name}'s batch ${batch.batchId} (${message.msisdn})`;
      const about = batch.batchId ?? "";
      if (!state) return [found(history.endAtMs, `${where} is in no page of the feed at rest`, about)];
      const all = ids.get(`${batch.batchId} ${message.index}`) ?? new Set();
      if (all.size > 1)
        return [found(history.endAtMs, `${where} is several messages: ${[...all].join(", ")}`, about)];
      // Receipts that come after a cancellation still move what was charged already.
      if (
        state.isFinal ||
        waitingAtRest(history).has(state.messageId) ||
        (state.status === "SENT" && isCancelled)
      )
        return [];
      return [found(history.endAtMs, `${where} is ${state.status} at rest, and not final`, about)];
    });
  });
};

/** Somebody followed the feed of each account that has a batch until there was no more, after rest. */
function wasReadToTheEnd({ exchanges, batches }: History, restAtMs: number): boolean {
  const done = new Set(
    exchanges
      .filter(({ path, query }) => path === "/public/v1/messages" && query.get("batch_id") === null)
      .filter(({ askedAtMs, answer }) => askedAtMs >= restAtMs && answer?.status === 200)
      .filter(({ answer }) => member(answer?.json, "data", "has_more") === false)
      .map(({ client }) => client),
  );
  return batches.every(({ account, batchId }) => batchId === null || done.has(account.name));
}

function idsByPlace({ sightings }: History, restAtMs: number): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { batchId, index, messageId, exchange } of sightings.messageViews) {
    if (exchange.askedAtMs < restAtMs) continue;
    const key = `${batchId} ${index}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(messageId));
  }
  return ids;
}

/** The last status that anybody was shown: of one whose validation failed there are no messages. */
function endOf({ sightings }: History, batchId: string): string | null {
  return sightings.batchViews.findLast((view) => view.batchId === batchId)?.status ?? null;
}
