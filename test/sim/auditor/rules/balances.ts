import type { Account } from "../accounts.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { number } from "../json.ts";
import { batchesAtRest, fundingOf, type Wallet, walletsOf } from "../money.ts";
import { reservedByWaits } from "../waiting.ts";

const found = finder(
  "balance",
  "The balance is what was paid in and corrected less what was charged; spendable is balance + credit limit − reserved, never below 0.",
);

/** Every balance that anybody was shown, and at rest to the last franc. */
export const balances: Rule = (history) =>
  [...history.accounts.values()].flatMap((account) => {
    const wallets = walletsOf(history, account);
    return [...wallets.flatMap((wallet) => within(account, wallet)), ...atRest(history, account, wallets)];
  });

function within({ name, accountId }: Account, wallet: Wallet): readonly Finding[] {
  const { balance, reserved, creditLimit, spendable, where, atMs } = wallet;
  const isSound = spendable === Math.max(0, balance + creditLimit - reserved) && reserved >= 0;
  const what = `${where} of ${name}: balance ${balance}, reserved ${reserved}, credit limit ${creditLimit}, spendable ${spendable}`;
  return isSound ? [] : [found(atMs, what, accountId)];
}

function atRest(history: History, account: Account, wallets: readonly Wallet[]): readonly Finding[] {
  const views = batchesAtRest(history, account);
  const ids = new Set(views.map(({ batchId }) => batchId));
  const isWhole = history.batches.every(
    (batch) => batch.account !== account || batch.batchId === null || ids.has(batch.batchId),
  );
  if (!isWhole) return [];
  const charged = views.reduce((sum, { json }) => sum + (number(json, "charged_amount") ?? 0), 0);
  const fundings = fundingOf(history, account);
  const sure = fundings.reduce((sum, { amount, sureMs }) => sum + (sureMs === null ? 0 : amount), 0);
  const doubtful = fundings.flatMap(({ amount, sureMs }) => (sureMs === null ? [amount] : []));
  const allowed = sums(sure - charged, doubtful);
  const waiting = reservedByWaits(history, { account: account.name });
  return wallets.flatMap(({ isAtRest, balance, reserved, where, atMs }) => {
    if (!isAtRest || (allowed.has(balance) && reserved === waiting)) return [];
    const must = [...allowed].join(" or ");
    const what = `${where} of ${account.name} at rest: balance ${balance}, reserved ${reserved}; paid in ${sure}, charged ${charged}, so it must be ${must}, reserved ${waiting}`;
    return [found(atMs, what, account.accountId)];
  });
}

/** What a sum may be when each of some amounts counts or does not. */
export function sums(first: number, amounts: readonly number[]): ReadonlySet<number> {
  let all = new Set([first]);
  for (const amount of amounts) all = new Set([...all].flatMap((sum) => [sum, sum + amount]));
  return all;
}
