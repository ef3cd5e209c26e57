/** The money of sandboxes: what test keys spend is nobody's, and there is as much again every day (docs/behaviour.md#test-keys). */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { adjust } from "./funding.ts";
import { readWallet } from "./wallet.ts";

export type Filling = {
  /** The sandbox's. */
  readonly accountId: number;
  /** Whole XOF that it is to have to spend. */
  readonly credit: Xof;
  /** The day of its account's timezone, such as 2026-03-01. */
  readonly day: string;
  /** A new ULID. */
  readonly id: string;
  readonly atMs: number;
};

/** The day for which a sandbox's wallet was filled last; null before the first time. */
export function readCreditedDay(read: Reader, accountId: number): string | null {
  return (
    read.known<{ day: string }>("SELECT day FROM sandbox_fillings WHERE account_id = ?", accountId)?.day ??
    null
  );
}

/** Makes what a sandbox can spend the credit again, once for a day; false where that was done. */
export function creditSandbox(tx: Tx, { accountId, credit, day, id, atMs }: Filling): boolean {
  if (readCreditedDay(tx, accountId) === day) return false;
  tx.run(
    "INSERT INTO sandbox_fillings (account_id, day) VALUES (?, ?) ON CONFLICT (account_id) DO UPDATE SET day = excluded.day",
    accountId,
    day,
  );
  const amount = credit - readWallet(tx, accountId).funds;
  if (amount !== 0) adjust(tx, { accountId, amount, reason: "credit of the sandbox", id, atMs });
  return true;
}
