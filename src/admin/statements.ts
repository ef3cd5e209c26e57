import { isoUtc } from "../base/clock.ts";
import { CURRENCY, type Xof } from "../base/money.ts";
import { slicer } from "../base/slices.ts";
import { unfoldedOf } from "../messages/billing.ts";
import { balanceBefore, type StatementEntry, statement } from "../wallet/statement.ts";
import { type Balance, balanceOf } from "../wallet/wallet.ts";
import { findAccount } from "./accounts.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

export type EntryView = {
  readonly at: string;
  readonly kind: StatementEntry["kind"];
  readonly amount: Xof;
  /** What it did to the balance. */
  readonly change: Xof;
  /** The balance after it. */
  readonly balance: Xof;
  /** The batch that it belongs to; null for money paid in and corrections. */
  readonly batch_id: string | null;
  readonly cause: string;
  readonly note: string | null;
};

export type StatementView = {
  readonly account_id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  readonly opening_balance: Xof;
  readonly entries: readonly EntryView[];
  readonly closing_balance: Xof;
  /** Charged and released since the last entry: the ledger gets it within a minute. */
  readonly not_entered_yet: { readonly charged: Xof; readonly released: Xof };
  /** The balance at this moment, with what is not entered yet. */
  readonly wallet: Balance;
};

/** A stretch of time: from (included) to (excluded), epoch milliseconds; null is open. */
export type Stretch = { readonly fromMs: number | null; readonly toMs: number | null };

/** Entries that one answer holds at most. */
const MOST_ENTRIES = 200_000;

/**
 * The ledger entries of an account in a stretch of time, oldest first, between the balance it began with and the one
 * it ended with: what one statement closes with, the next one opens with.
 */
export async function walletStatement(
  context: AdminContext,
  accountId: string,
  { fromMs, toMs }: Stretch,
): Promise<AdminOutcome<StatementView>> {
  const { read } = context.store;
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  const opening = fromMs === null ? 0 : balanceBefore(read, id, fromMs);
  const entries: EntryView[] = [];
  const pause = slicer(context.clock);
  let balance = opening;
  for (let after = { atMs: fromMs ?? 0, id: 0 }; ; ) {
    const page = statement(read, id, after, toMs ?? Number.MAX_SAFE_INTEGER, balance);
    const last = page.at(-1);
    if (!last) break;
    for (const entry of page) entries.push(entryView(entry));
    if (entries.length > MOST_ENTRIES) {
      return refuse(
        "TOO_MANY_ENTRIES",
        `more than ${MOST_ENTRIES} entries: ask for a shorter stretch of time`,
      );
    }
    balance = last.balance;
    after = { atMs: last.atMs, id: last.id };
    await pause();
  }
  return done({
    account_id: ulid,
    from: fromMs === null ? null : isoUtc(fromMs),
    to: toMs === null ? null : isoUtc(toMs),
    currency: CURRENCY,
    opening_balance: opening,
    entries,
    closing_balance: balance,
    not_entered_yet: unfoldedOf(read, id),
    wallet: balanceOf(read, id, context.clock.nowMs()),
  });
}

function entryView(entry: StatementEntry): EntryView {
  const [kind, batch] = entry.cause.split(":");
  return {
    at: isoUtc(entry.atMs),
    kind: entry.kind,
    amount: entry.amount,
    change: entry.balanceChange,
    balance: entry.balance,
    batch_id: kind === "batch" ? (batch ?? null) : null,
    cause: entry.cause,
    note: entry.note,
  };
}
