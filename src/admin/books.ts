import { listAccounts } from "../accounts/accounts.ts";
import { slicer } from "../base/slices.ts";
import type { Reader } from "../store/read.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What was compared when nothing differed. */
export type LedgerView = { readonly accounts: number; readonly batches: number };

/** How many differences an answer names. */
const MOST_NAMED = 20;

/**
 * Recomputes every balance from its entries and every batch from its messages, while the server runs
 * (decisions.md section 5). Each account and each batch is read by one statement, so what changes meanwhile is seen
 * whole or not at all; others get their turn in between.
 */
export async function ledgerCheck({ store, clock }: AdminContext): Promise<AdminOutcome<LedgerView>> {
  const { read } = store;
  const pause = slicer(clock);
  const differences: string[] = [];
  const accounts = listAccounts(read);
  let batches = 0;
  for (const { id, ulid } of accounts) {
    differences.push(...accountDifferences(read, id, ulid));
    for (let after = 0; ; ) {
      await pause();
      const batch = nextBatch(read, id, after);
      if (!batch) break;
      differences.push(...batchDifferences(batch));
      batches += 1;
      after = batch.id;
    }
  }
  if (differences.length === 0) return done({ accounts: accounts.length, batches });
  const named = differences.slice(0, MOST_NAMED).join("; ");
  const rest = differences.length > MOST_NAMED ? `; and ${differences.length - MOST_NAMED} more` : "";
  return refuse("LEDGER_DIFFERENCES", `${differences.length} difference(s): ${named}${rest}`);
}

type AccountFigures = Readonly<
  Record<
    | "funds"
    | "booked_funds"
    | "reserved"
    | "booked_reserved"
    | "entered_reserve"
    | "entered_charge"
    | "entered_release"
    | "batch_reserve"
    | "batch_charge"
    | "batch_release"
    | "unfolded_charge"
    | "unfolded_release",
    number
  >
>;

/** The wallet against its entries and what is not folded yet; the entries against what batches say they posted. */
function accountDifferences(read: Reader, accountId: number, ulid: string): string[] {
  const figures = read.get<AccountFigures>(
    `SELECT w.funds, w.reserved, entries.*, moved.* FROM wallets w,
       (SELECT coalesce(sum(amount * ((credit = 'FUNDS') - (debit = 'FUNDS'))), 0) AS booked_funds,
               coalesce(sum(amount * ((credit = 'RESERVED') - (debit = 'RESERVED'))), 0) AS booked_reserved,
               coalesce(sum(amount) FILTER (WHERE kind = 'RESERVE'), 0) AS entered_reserve,
               coalesce(sum(amount) FILTER (WHERE kind = 'CHARGE'), 0) AS entered_charge,
               coalesce(sum(amount) FILTER (WHERE kind = 'RELEASE'), 0) AS entered_release
        FROM ledger WHERE account_id = ?1) AS entries,
       (SELECT coalesce(sum(reserved_amount), 0) AS batch_reserve,
               coalesce(sum(posted_charged), 0) AS batch_charge,
               coalesce(sum(posted_released), 0) AS batch_release,
               coalesce(sum(charged_amount - posted_charged), 0) AS unfolded_charge,
               coalesce(sum(released_amount - posted_released), 0) AS unfolded_release
        FROM batches WHERE account_id = ?1 AND status <> 'STAGING') AS moved
     WHERE w.account_id = ?1`,
    accountId,
  );
  if (!figures) return [`account ${ulid} has no wallet`];
  const { unfolded_charge, unfolded_release } = figures;
  return compare(`account ${ulid}`, [
    ["funds", figures.funds, figures.booked_funds + unfolded_release],
    ["reserved", figures.reserved, figures.booked_reserved - unfolded_charge - unfolded_release],
    ["reserved by batches", figures.batch_reserve, figures.entered_reserve],
    ["charged by batches", figures.batch_charge, figures.entered_charge],
    ["released by batches", figures.batch_release, figures.entered_release],
  ]);
}

type BatchFigures = Readonly<
  Record<
    "id" | "reserved" | "charged" | "released" | "message_reserved" | "message_charged" | "message_released",
    number
  > & { ulid: string }
>;

/** The account's first batch after `after` with the sums of its messages; one that is still staged is left out. */
function nextBatch(read: Reader, accountId: number, after: number): BatchFigures | null {
  return read.get<BatchFigures>(
    `SELECT b.id, b.ulid, b.reserved_amount AS reserved, b.charged_amount AS charged, b.released_amount AS released,
            coalesce(sum(m.segments * m.price), 0) AS message_reserved,
            coalesce(sum(m.amount), 0) AS message_charged,
            coalesce(sum(m.segments * m.price - m.amount) FILTER (WHERE m.is_squared = 1), 0) AS message_released
     FROM (SELECT * FROM batches WHERE account_id = ? AND id > ? AND status <> 'STAGING' ORDER BY id LIMIT 1) AS b
     LEFT JOIN messages m ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
     GROUP BY b.id`,
    accountId,
    after,
  );
}

function batchDifferences(batch: BatchFigures): string[] {
  return compare(`batch ${batch.ulid}`, [
    ["reserved", batch.reserved, batch.message_reserved],
    ["charged", batch.charged, batch.message_charged],
    ["released", batch.released, batch.message_released],
  ]);
}

type Comparison = readonly [what: string, shown: number, recomputed: number];

function compare(whose: string, pairs: readonly Comparison[]): string[] {
  return pairs
    .filter(([, shown, recomputed]) => shown !== recomputed)
    .map(([what, shown, recomputed]) => `${whose}: ${what} is ${shown} XOF, its entries make ${recomputed}`);
}
