import type { Xof } from "../base/money.ts";
import type { Tx } from "../store/write.ts";

type Level = { readonly lowBalance: Xof | null; readonly creditLimit: Xof };

/**
 * Watches how much an account has left to spend, in the transaction that changed it: `onLow` is called when that falls
 * below the account's `low_balance`, once until it was at least that much again.
 */
export function watchLevel(
  tx: Tx,
  accountId: number,
  wallet: { readonly funds: Xof; readonly isLow: number },
  atMs: number,
): void {
  const level = tx.get<Level>(
    "SELECT low_balance AS lowBalance, credit_limit AS creditLimit FROM accounts WHERE id = ?",
    accountId,
  );
  const lowBalance = level?.lowBalance ?? null;
  const spendable = wallet.funds + (level?.creditLimit ?? 0);
  const isLow = lowBalance !== null && spendable < lowBalance;
  if (isLow === (wallet.isLow === 1)) return;
  tx.run("UPDATE wallets SET is_low = ? WHERE account_id = ?", isLow ? 1 : 0, accountId);
  if (isLow) {
    tx.insert(
      "INSERT INTO low_balance_crossings (account_id, crossed_at, spendable, low_balance) VALUES (?, ?, ?, ?)",
      accountId,
      atMs,
      Math.max(0, spendable),
      lowBalance,
    );
  }
}
