import type { Account } from "../accounts.ts";
import type { ExpectedBatch } from "../expected.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { policyIn } from "../planned-time.ts";

const found = finder(
  "ceilings",
  "`recipients_per_minute` counts a rolling minute of accepted recipients: above it they are rejected.",
);

/** A minute is counted by whole seconds, so it may end a second early. */
const MINUTE_MS = 59_000;

/** Recipients that were surely accepted within one minute are no more than the highest ceiling of that time. */
export const ceilings: Rule = (history) => {
  if (history.observations.some(({ kind }) => kind === "clock")) return [];
  return [...history.accounts.values()].flatMap((account) => {
    const batches = history.batches
      .filter((batch) => batch.account === account && batch.acknowledged && batch.rejections)
      .sort((a, b) => a.acceptedFromMs - b.acceptedFromMs);
    return batches.flatMap((first, index) => overfull(history, account, batches.slice(index), first));
  });
};

function overfull(
  history: History,
  account: Account,
  later: readonly ExpectedBatch[],
  first: ExpectedBatch,
): readonly Finding[] {
  const toMs = first.acceptedFromMs + MINUTE_MS;
  const period = { fromMs: first.acceptedFromMs, toMs };
  const limits = policyIn(history, account, "recipients_per_minute", period);
  if (limits.some((limit) => limit === 0)) return [];
  const within = later.filter(({ acceptedToMs }) => acceptedToMs < toMs);
  const accepted = within.reduce((sum, { messages }) => sum + messages.length, 0);
  const most = Math.max(...limits);
  if (accepted <= most) return [];
  const what = `${account.name} had ${accepted} recipients accepted within a minute, of ${most}`;
  return [found(toMs, what, ...within.map(({ batchId }) => batchId ?? ""))];
}
