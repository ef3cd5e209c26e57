import { finder, type Rule } from "../finding.ts";

const found = finder(
  "asked-for",
  "A batch exists because a client submitted it, once for each idempotency key.",
);

/** Every batch that anybody was shown is some submission's, and no submission has two. */
export const askedFor: Rule = ({ sightings, batches, endAtMs }) => {
  const known = new Set(batches.map(({ batchId }) => batchId));
  return [...sightings.batches.values()]
    .filter(({ batchId }) => !known.has(batchId))
    .map(({ batchId, account, sender, recipients }) => {
      const what = `${account} has batch ${batchId} (sender ${sender}, ${recipients} recipients), and no submission is left that can have made it`;
      return found(endAtMs, what, batchId);
    });
};
