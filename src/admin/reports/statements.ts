/**
 * What is only read, and may be long: statements, invoices, the trace of a message, doubts, parked receipts, the proof of the books.
 *
 * A report takes an `AdminContext` and answers with rows, in pages or slices, so that a year of entries holds up nobody. The proof of
 * the books reads everything and runs on a thread of its own (`books-thread`). Nothing here changes anything but the note of a check.
 */

import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import { createYielder } from "../../core/slices.ts";
import type { KeyMode } from "../../domain/accounts/api-key.ts";
import type { PostingKind } from "../../domain/ledger/postings.ts";
import { balanceBefore, type StatementEntry, statement } from "../../domain/ledger/statement.ts";
import { type Balance, balanceOf } from "../../domain/ledger/wallet.ts";
import { sumUnposted } from "../../domain/messages/fold.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { findAccountByMode } from "../operations/sandboxes.ts";
import { readTime } from "../operations/typed-values.ts";

export type StatementView = {
  readonly account_id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  /** What the figures count, in words. */
  readonly counts: Phrase;
  readonly opening_balance: Xof;
  readonly entries: readonly EntryView[];
  /** The entries added up: opening balance + all changes = closing balance. */
  readonly totals: readonly KindTotal[];
  readonly closing_balance: Xof;
  /** Charged and released since the last entry: the ledger gets it within a minute. */
  readonly not_entered_yet: { readonly charged: Xof; readonly released: Xof };
  /** The balance at this moment, with what is not entered yet. */
  readonly wallet: Balance;
};

/** The entries of one kind together. */
export type KindTotal = {
  readonly kind: PostingKind;
  readonly entries: number;
  /** Without signs; what a reservation sets aside and a release gives back changes no balance. */
  readonly amount: Xof;
  readonly change: Xof;
};

const KINDS: readonly PostingKind[] = ["TOPUP", "ADJUSTMENT", "RESERVE", "CHARGE", "RELEASE"];

/** A period: from (included) to (excluded), epoch milliseconds; null is open. */
export type StatementPeriod = { readonly fromMs: number | null; readonly toMs: number | null };

/** A period as it is asked for: dates or times; null is open. */
type TypedPeriod = { readonly from: string | null; readonly to: string | null };

/** Reads a period: a date alone begins with its day, and ends after it. Times are UTC, as all of the books are. */
export function readPeriod(
  { from, to }: TypedPeriod,
  backwards: "INVALID_TIME.backwards" | "INVALID_TIME.order",
): AdminOutcome<StatementPeriod> {
  const begin = from === null ? done(null) : readTime(from);
  if (!begin.ok) return begin;
  const end = to === null ? done(null) : readTime(to);
  if (!end.ok) return end;
  const fromMs = begin.value?.beginMs ?? null;
  const toMs = end.value && (end.value.isDay ? end.value.endMs : end.value.beginMs);
  if (fromMs !== null && toMs !== null && fromMs > toMs) {
    return refuse(backwards, { from: from ?? "", to: to ?? "" });
  }
  return done({ fromMs, toMs });
}

/** A period as the answers about it tell it. */
export function toPeriodView({ fromMs, toMs }: StatementPeriod): {
  readonly from: string | null;
  readonly to: string | null;
} {
  return { from: isoOrNull(fromMs), to: isoOrNull(toMs) };
}

/** Entries that one answer holds at most, and one page of several. */
const MAX_ENTRIES = 200_000;
const PAGE_ENTRIES = 20_000;

/**
 * The ledger entries of an account in a period, oldest first, between the balance it began with and the one
 * it ended with: what one statement closes with, the next one opens with. Above `most` it is refused, because the answer
 * is held in memory.
 */
export async function walletStatement(
  context: AdminContext,
  accountId: string,
  period: StatementPeriod,
  most = MAX_ENTRIES,
  mode: KeyMode = "live",
): Promise<AdminOutcome<StatementView>> {
  const page = await statementPage(context, accountId, period, most, mode);
  if (!page.ok) return page;
  const { next, ...statement } = page.value;
  return next === null ? done(statement) : refuse("TOO_MANY_ENTRIES", { most, next });
}

/** The beginning of a statement; the rest of it begins at `next`, null when this is all. */
export type StatementPage = StatementView & { readonly next: string | null };

/** A statement up to about `most` entries: it ends between two instants, and a page has at least one of them whole. */
export async function statementPage(
  context: AdminContext,
  accountId: string,
  period: StatementPeriod,
  most = PAGE_ENTRIES,
  mode: KeyMode = "live",
): Promise<AdminOutcome<StatementPage>> {
  const { read } = context.store;
  const account = findAccountByMode(read, accountId, mode);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  const { fromMs, toMs } = period;
  const entries: EntryView[] = [];
  const pause = createYielder(context.clock);
  const opening = fromMs === null ? 0 : await balanceBefore(read, id, fromMs, pause);
  let next: string | null = null;
  let balance = opening;
  for (let after = { atMs: fromMs ?? 0, id: 0 }; next === null; ) {
    const page = statement(read, id, after, toMs ?? Number.MAX_SAFE_INTEGER, balance);
    const last = page.at(-1);
    if (!last) break;
    for (const entry of page) entries.push(entryView(entry));
    balance = last.balance;
    after = { atMs: last.atMs, id: last.id };
    next = instantToCut(entries, most);
    await pause();
  }
  while (next !== null && (entries.at(-1)?.at ?? "") >= next) entries.pop();
  let totals: readonly KindTotal[] = KINDS.map((kind) => ({ kind, entries: 0, amount: 0, change: 0 }));
  for (let from = 0; from < entries.length; from += STEP) {
    const some = entries.slice(from, from + STEP);
    totals = totals.map((total) => withEntries(total, some));
    await pause();
  }
  return done({
    account_id: ulid,
    ...toPeriodView(period),
    currency: CURRENCY,
    counts: phrase("cli.counts.entries"),
    opening_balance: opening,
    entries,
    totals,
    closing_balance: entries.at(-1)?.balance ?? opening,
    not_entered_yet: sumUnposted(read, id),
    wallet: balanceOf(read, id, context.clock.nowMs()),
    next,
  });
}

/** Entries added up in one go. */
const STEP = 1000;

/** When the entry after the first `most` was made; where these were all made at once, the first one made later. */
function instantToCut(entries: readonly EntryView[], most: number): string | null {
  const firstAt = entries[0]?.at;
  const cut = entries[most]?.at;
  if (cut === undefined || cut !== firstAt) return cut ?? null;
  const lastAt = entries.at(-1)?.at;
  return lastAt === firstAt ? null : (entries.find(({ at }) => at !== firstAt)?.at ?? null);
}

function withEntries(total: KindTotal, page: readonly EntryView[]): KindTotal {
  const { kind } = total;
  let { entries, amount, change } = total;
  for (const entry of page) {
    if (entry.kind !== kind) continue;
    entries += 1;
    amount += entry.amount;
    change += entry.change;
  }
  return { kind, entries, amount, change };
}

function entryView(entry: StatementEntry) {
  const [kind, batch] = entry.cause.split(":");
  return {
    at: isoUtc(entry.atMs),
    kind: entry.kind,
    amount: entry.amount,
    /** What it did to the balance. */
    change: entry.balanceChange,
    /** The balance after it. */
    balance: entry.balance,
    /** The batch that it belongs to; null for money paid in and corrections. */
    batch_id: kind === "batch" ? (batch ?? null) : null,
    cause: entry.cause,
    note: entry.note,
  };
}

export type EntryView = Readonly<ReturnType<typeof entryView>>;
