import { fetchesOf, viewsOf } from "../batch-looks.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number } from "../json.ts";
import { onlyWaits } from "../waiting.ts";

const found = finder(
  "lost-batch",
  "A 202 is durable: the batch is there with the figures that were told, and it ends.",
);

const ENDS = ["SETTLED", "REJECTED", "FAILED", "CANCELLED"];

/** Every batch that a client was answered for is there at rest, ended, with what the answer said. */
export const lostBatches: Rule = (history) => {
  const { restAtMs, batches } = history;
  if (restAtMs === null) return [];
  return batches.flatMap((batch) => {
    if (batch.batchId === null) return [];
    const answer = batch.acknowledged?.answer;
    return [
      ...missing(history, batch.batchId, batch.account.name, answer?.atMs ?? batch.acceptedToMs),
      ...(answer ? changed(history, batch.batchId, answer.json) : []),
      ...open(history, batch.batchId, restAtMs),
    ];
  });
};

/** A fetch by its owner that came back without it, after it was told. */
function missing(history: History, batchId: string, account: string, toldAtMs: number): readonly Finding[] {
  return fetchesOf(history, batchId).flatMap(({ client, answer, askedAtMs, id }) => {
    if (client !== account || askedAtMs < toldAtMs || answer?.status !== 404) return [];
    const what = `${account} was told of batch ${batchId} at ${at(toldAtMs)}, and a fetch at ${at(askedAtMs)} found nothing`;
    return [found(answer.atMs, what, batchId, `request ${id}`)];
  });
}

/** Figures of the answer that a later look shows otherwise. */
function changed(history: History, batchId: string, told: unknown): readonly Finding[] {
  if (number(told, "data", "accepted") === 0 && number(told, "data", "rejected") === 0) return [];
  const [accepted, rejected] = [number(told, "data", "accepted"), number(told, "data", "rejected")];
  const reserved = number(told, "data", "reserved_amount");
  return viewsOf(history, batchId).flatMap((view) => {
    const now = number(view.json, "reserved_amount");
    const isSame = view.accepted === accepted && view.rejected === rejected;
    if (isSame && (now === null || now === reserved)) return [];
    const what =
      `batch ${batchId} was answered with ${accepted} accepted, ${rejected} rejected, ${reserved} reserved, and shown at ` +
      `${at(view.atMs)} with ${view.accepted}, ${view.rejected}, ${now}`;
    return [found(view.atMs, what, batchId)];
  });
}

/** The last look at rest shows it open, or nobody looked. */
function open(history: History, batchId: string, restAtMs: number): readonly Finding[] {
  const view = viewsOf(history, batchId).findLast(({ askedAtMs }) => askedAtMs >= restAtMs);
  if (!view) return [found(history.endAtMs, `nobody was shown batch ${batchId} at rest`, batchId)];
  if (ENDS.includes(view.status) || onlyWaits(history, batchId)) return [];
  return [found(view.atMs, `batch ${batchId} is still ${view.status} at rest`, batchId)];
}
