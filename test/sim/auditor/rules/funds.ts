import type { Account } from "../accounts.ts";
import type { ExpectedBatch } from "../expected.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { accountSettingIn, type Period } from "../in-force.ts";
import { number } from "../json.ts";
import { batchesAtRest, fundingOf } from "../money.ts";

const overspent = finder(
  "overspent",
  "Accepting reserves the money: a prepaid wallet never pays for more than it holds, a postpaid one never passes its limit.",
);

/** No more is accepted than there is money for. */
export const funds: Rule = (history) =>
  [...history.accounts.values()].flatMap((account) => spending(history, account));

/** Batches that were accepted before this one was asked for cost what they cost in the end; this one all that it reserved. */
function spending(history: History, account: Account): readonly Finding[] {
  const views = new Map(batchesAtRest(history, account).map((view) => [view.batchId, view.json]));
  const own = history.batches.filter((batch) => batch.account === account && batch.acknowledged);
  return own.flatMap((batch) => {
    const { batchId, acknowledged, acceptedToMs } = batch;
    const reserved = number(acknowledged?.answer?.json, "data", "reserved_amount") ?? 0;
    if (reserved === 0) return [];
    const money = mostMoney(history, account, { fromMs: batch.acceptedFromMs, toMs: acceptedToMs });
    const before = own.filter((other) => other !== batch && isBefore(other, batch));
    const taken = before.reduce(
      (sum, other) => sum + (number(views.get(other.batchId ?? ""), "charged_amount") ?? 0),
      0,
    );
    if (taken + reserved <= money) return [];
    const what = `${account.name} had ${money} XOF at most when batch ${batchId} reserved ${reserved}, and earlier batches took ${taken}`;
    return [overspent(acceptedToMs, what, batchId ?? "", account.accountId)];
  });
}

function isBefore(one: ExpectedBatch, other: ExpectedBatch): boolean {
  return one.acceptedToMs <= other.acceptedFromMs;
}

/** All the money that an account can have had at a time, its credit included. */
function mostMoney(history: History, account: Account, { fromMs, toMs }: Period): number {
  const paid = fundingOf(history, account).reduce((sum, { amount, earliestMs, sureMs }) => {
    const counts = amount > 0 ? earliestMs <= toMs : sureMs !== null && sureMs <= fromMs;
    return counts ? sum + amount : sum;
  }, 0);
  return paid + Math.max(...creditLimits(history, account, { fromMs, toMs }));
}

function creditLimits(history: History, account: Account, period: Period): readonly number[] {
  if (account.billing === "prepaid") return [0];
  const own = accountSettingIn(history, account, "credit-limit", period);
  return own.map((limit) => (limit === null ? account.creditLimit : Number(limit)));
}
