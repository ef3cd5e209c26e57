import type { Account } from "../accounts.ts";
import type { Exchange } from "../exchanges.ts";
import type { ExpectedBatch } from "../expected.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { accountSettingIn, carriersIn, type Period, pricesIn } from "../in-force.ts";
import { number, text } from "../json.ts";
import { batchesAtRest, fundingOf } from "../money.ts";
import { readNumber } from "../numbers.ts";
import type { Submission } from "../submissions.ts";
import { type Channel, weigh } from "../text.ts";

const overspent = finder(
  "overspent",
  "Accepting reserves the money: a prepaid wallet never pays for more than it holds, a postpaid one never passes its limit.",
);
const refused = finder(
  "refused-money",
  "A submission that the wallet can pay for is not refused for want of money.",
);

/** No more is accepted than there is money for, and no less. */
export const funds: Rule = (history) => [
  ...[...history.accounts.values()].flatMap((account) => spending(history, account)),
  ...history.submissions.flatMap((submission) => refusals(history, submission)),
];

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

/** The money that an account surely had. */
function leastMoney(history: History, account: Account, { fromMs, toMs }: Period): number {
  const paid = fundingOf(history, account).reduce((sum, { amount, earliestMs, sureMs }) => {
    const counts = amount > 0 ? sureMs !== null && sureMs <= fromMs : earliestMs <= toMs;
    return counts ? sum + amount : sum;
  }, 0);
  return paid + Math.min(...creditLimits(history, account, { fromMs, toMs }));
}

function creditLimits(history: History, account: Account, period: Period): readonly number[] {
  if (account.billing === "prepaid") return [0];
  const own = accountSettingIn(history, account, "credit-limit", period);
  return own.map((limit) => (limit === null ? account.creditLimit : Number(limit)));
}

/** A 402 though everything that can have been reserved by then, and this on top, was covered. */
function refusals(history: History, { account, bodies }: Submission): readonly Finding[] {
  return bodies.flatMap(({ tries, request }) =>
    tries.flatMap((exchange) => {
      const { answer, askedAtMs, id } = exchange;
      if (answer?.status !== 402) return [];
      const period = { fromMs: askedAtMs, toMs: answer.atMs };
      const price = dearest(history, account, exchange, request, period);
      const others = history.batches.filter(
        (batch) => batch.account === account && batch.acceptedFromMs <= answer.atMs,
      );
      const held = others.reduce((sum, batch) => sum + mostReserved(history, batch), 0);
      const money = leastMoney(history, account, period);
      if (Number.isNaN(price) || held + price > money) return [];
      const what = `${account.name}'s request ${id} of ${at(askedAtMs)} was refused (${text(answer.json, "code")}): it costs ${price} XOF at most, all else ${held}, and there were ${money}`;
      return [refused(answer.atMs, what, `request ${id}`, account.accountId)];
    }),
  );
}

function mostReserved(history: History, batch: ExpectedBatch): number {
  const told = number(batch.acknowledged?.answer?.json, "data", "reserved_amount");
  if (told !== null && told > 0) return told;
  const { request, tries } = batch.body;
  const period = { fromMs: batch.acceptedFromMs, toMs: batch.acceptedToMs };
  const [first] = tries;
  return first ? dearest(history, batch.account, first, request, period) : 0;
}

/** What a request can cost at most, everybody in it accepted. */
function dearest(
  history: History,
  account: Account,
  { headers }: Exchange,
  { recipients, body, messageClass, channel, fallback }: Submission["bodies"][number]["request"],
  period: Period,
): number {
  if (headers["idempotency-key"] === undefined) return Number.NaN;
  return recipients.reduce((sum, { msisdn, attributes }) => {
    const read = readNumber(msisdn, "BF").msisdn;
    if (read === null) return sum;
    const way = (by: Channel, words: string): number => {
      const prices = [...carriersIn(history, { channel: by, msisdn: read }, period)].flatMap((operator) =>
        operator === null ? [] : [...pricesIn(history, account, { operator, messageClass }, period)],
      );
      return Math.max(0, ...prices) * weigh(by, words, attributes).segments;
    };
    const second = channel === "WHATSAPP" && fallback !== null ? way("SMS", fallback.body) : 0;
    return sum + Math.max(way(channel, body), second);
  }, 0);
}
