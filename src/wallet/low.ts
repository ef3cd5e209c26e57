import { walletTerms } from "../accounts/accounts.ts";
import { isoUtc } from "../base/clock.ts";
import { CURRENCY, type Xof } from "../base/money.ts";
import { recordEvent } from "../events/outbox.ts";
import type { Tx } from "../store/write.ts";

/**
 * Watches how much an account has left to spend, in the transaction that changed it: WALLET_LOW is noted when that
 * falls below the account's low balance, once until it was at least that much again.
 */
export function watchLevel(
  tx: Tx,
  accountId: number,
  wallet: { readonly funds: Xof; readonly reserved: Xof; readonly isLow: number },
  atMs: number,
): void {
  const { lowBalance, creditLimit } = walletTerms(tx, accountId);
  const spendable = wallet.funds + creditLimit;
  const isLow = lowBalance !== null && spendable < lowBalance;
  if (isLow === (wallet.isLow === 1)) return;
  tx.run("UPDATE wallets SET is_low = ? WHERE account_id = ?", isLow ? 1 : 0, accountId);
  if (!isLow) return;
  const figures = {
    low_balance: lowBalance,
    spendable: Math.max(0, spendable),
    balance: wallet.funds + wallet.reserved,
    reserved: wallet.reserved,
    credit_limit: creditLimit,
    currency: CURRENCY,
    as_of: isoUtc(atMs),
  };
  recordEvent(tx, { type: "WALLET_LOW", accountId, atMs, figures });
}
