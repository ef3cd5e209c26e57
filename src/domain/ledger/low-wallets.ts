import type { Reader } from "../../db/read.ts";
import { walletTerms } from "../accounts/accounts.ts";

/** An account whose wallet is low, and what it may still spend. */
export type LowAccount = { readonly accountId: number; readonly spendable: number };

/** The first wallets that are below their account's low balance, sandboxes apart: an index holds them and nothing else. */
export function lowWallets(read: Reader, limit: number): LowAccount[] {
  const rows = read.all<{ accountId: number; funds: number }>(
    "SELECT account_id AS accountId, funds FROM wallets WHERE is_low = 1 AND account_id > 0 ORDER BY account_id LIMIT ?",
    limit,
  );
  return rows.map(({ accountId, funds }) => ({
    accountId,
    spendable: Math.max(0, funds + walletTerms(read, accountId).creditLimit),
  }));
}
