/** Whom alarms may be about beside operators, as people name them. */

import type { Reader } from "../../db/read.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { lowWallets } from "../../domain/ledger/low-wallets.ts";

/** More at once tell nobody more. */
const MOST = 50;

export type LowWallet = { readonly accountId: string; readonly name: string; readonly spendable: number };

/** Accounts whose wallet is below their low balance. */
export function readLowWallets(read: Reader): LowWallet[] {
  return lowWallets(read, MOST).flatMap(({ accountId, spendable }) => {
    const account = accountById(read, accountId);
    return account && account.status === "ACTIVE"
      ? [{ accountId: account.ulid, name: account.name, spendable }]
      : [];
  });
}

/** How many endpoints are told of at most. */
export const MAX_ENDPOINTS = MOST;
