/**
 * Wallet statements. The room holds read-only reports: statements, invoices, message traces, unknown outcomes, unmatched receipts,
 * and the verification of the ledger.
 *
 * A report takes an `AdminContext` and answers with rows in pages or slices, so that a year of entries does not block the event loop.
 * The ledger verification reads everything on its own thread (`books-thread.ts`). Nothing here changes what is stored but the record
 * of a check and the audit entry of texts that were shown.
 */
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { KeyMode } from "../../domain/accounts/api-keys.ts";
import { balanceBefore, type StatementEntry, statement } from "../../domain/ledger/statement.ts";
import { type PostingKind, readBalance } from "../../domain/ledger/wallet.ts";
import { sumUnposted } from "../../domain/messages/batch-totals.ts";
import {
  type AcceptedIn,
  addLines,
  type BatchPlace,
  type BilledBatch,
  type BillingLine,
  billedBatch,
  billedBatches,
  billingLines,
  purgedLines,
} from "../../domain/messages/billing.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { ACCOUNT, FROM, MODE, optional, readTime, TO, text, typedAs, YES } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { findAccountByMode } from "../operations/sandboxes.ts";

/** Totals of one kind of entry. */
type KindTotal = {
  readonly kind: PostingKind;
  readonly entries: number;
  /** Unsigned; reservations and releases do not change the balance. */
  readonly amount: Xof;
  readonly change: Xof;
};

const KINDS: readonly PostingKind[] = ["TOPUP", "ADJUSTMENT", "RESERVE", "CHARGE", "RELEASE"];

/** A period: from (included) to (excluded), epoch milliseconds; null is open. */
export type StatementPeriod = { readonly fromMs: number | null; readonly toMs: number | null };

/** A period as typed: dates or times; null is open. */
type TypedPeriod = { readonly from: string | null; readonly to: string | null };

/** Reads a period: a date alone starts with its day, or ends after it. Times are UTC, as in the whole ledger. */
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

/** A period as answers show it. */
export function toPeriodView({ fromMs, toMs }: StatementPeriod) {
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
) {
  const page = await statementPage(context, accountId, period, most, mode);
  if (!page.ok) return page;
  const { next, ...statement } = page.value;
  return next === null ? done(statement) : refuse("TOO_MANY_ENTRIES", { most, next });
}

/** A statement page of about `most` entries: it ends between two instants, and holds at least one instant whole. */
export async function statementPage(
  context: AdminContext,
  accountId: string,
  period: StatementPeriod,
  most = PAGE_ENTRIES,
  mode: KeyMode = "live",
) {
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
    /** What the figures count, in words. */
    counts: phrase("cli.counts.entries"),
    opening_balance: opening,
    entries,
    /** Totals by kind: opening balance + all changes = closing balance. */
    totals,
    closing_balance: entries.at(-1)?.balance ?? opening,
    /** Charged and released since the last entry: posted to the ledger within a minute. */
    not_entered_yet: sumUnposted(read, id),
    /** The current balance, including movements not posted yet. */
    wallet: readBalance(read, id, context.clock.nowMs()),
    /** Where the next page begins; null after the last. */
    next,
  });
}

/** Entries summed in one read. */
const STEP = 1000;

/** The instant of the entry after the first `most`; where all of these share one instant, the next later instant. */
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
    /** The change of the balance. */
    change: entry.balanceChange,
    /** The balance after it. */
    balance: entry.balance,
    /** The batch it belongs to; null for top-ups and corrections. */
    batch_id: kind === "batch" ? (batch ?? null) : null,
    cause: entry.cause,
    note: entry.note,
  };
}

type EntryView = Readonly<ReturnType<typeof entryView>>;

/** Totals of messages, batches or lines: reserved = charged + released + still reserved. */
type BilledSums = Pick<
  BilledBatchView,
  "messages" | "segments" | "reserved" | "charged" | "released" | "still_reserved"
>;

/** Messages summed in one read. */
const MESSAGES_STEP = 5000;
/** The most batches in one answer. */
const MAX_BATCHES = 100_000;

/** What one batch costs, by operator and price: messages, segments, price, charged and released. */
export async function batchStatement(
  context: AdminContext,
  accountId: string,
  batchId: string,
  mode: KeyMode = "live",
) {
  const { read } = context.store;
  const account = findAccountByMode(read, accountId, mode);
  if (!account.ok) return account;
  const batch = billedBatch(read, account.value.id, batchId.toUpperCase());
  if (!batch) {
    return refuse("BATCH_NOT_FOUND.of_account", { id: batchId });
  }
  const pause = createYielder(context.clock);
  const end = batch.firstMessageId + batch.messages;
  let lines: BillingLine[];
  let purged: BillingLine[];
  do {
    purged = purgedLines(read, batch.id);
    lines = addLines(purged);
    for (let from = batch.firstMessageId; from < end; from += MESSAGES_STEP) {
      lines = addLines([...lines, ...billingLines(read, from, Math.min(end, from + MESSAGES_STEP))]);
      await pause();
    }
    // Where some were purged meanwhile, they would be counted twice or not at all.
  } while (!Bun.deepEquals(purged, purgedLines(read, batch.id)));
  const now = billedBatch(read, account.value.id, batch.ulid) ?? batch;
  return done({
    account_id: account.value.ulid,
    currency: CURRENCY,
    ...batchView(now),
    /** One for each operator and price. */
    lines: lines.map(toBilledLine),
  });
}

/**
 * The cost of each batch accepted in a period, and their sum. Refused above `most` batches, because the answer
 * is held in memory.
 */
export async function batchesStatement(
  context: AdminContext,
  accountId: string,
  period: StatementPeriod,
  most = MAX_BATCHES,
  mode: KeyMode = "live",
) {
  const { read } = context.store;
  const account = findAccountByMode(read, accountId, mode);
  if (!account.ok) return account;
  const found: BilledBatchView[] = [];
  let total = addUp([]);
  const pause = createYielder(context.clock);
  for (const page of acceptedBatches(read, account.value.id, closedPeriod(period))) {
    const views = page.map(batchView);
    found.push(...views);
    total = addUp([total, ...views]);
    const tooOld = found[most];
    if (tooOld) {
      return refuse("TOO_MANY_ENTRIES.batches", { most, after: tooOld.created_at });
    }
    await pause();
  }
  return done({
    account_id: account.value.ulid,
    ...toPeriodView(period),
    currency: CURRENCY,

    /** What the figures count, in words. */
    counts: phrase("cli.counts.batches"),

    /** Oldest first. */
    batches: found.reverse(),
    total,
  });
}

/** Sums batches or lines. */
export function addUp(parts: readonly BilledSums[]): BilledSums {
  const total = { messages: 0, segments: 0, reserved: 0, charged: 0, released: 0, still_reserved: 0 };
  for (const part of parts) for (const figure of SUMMED) total[figure] += part[figure];
  return total;
}

const SUMMED = ["messages", "segments", "reserved", "charged", "released", "still_reserved"] as const;

function batchView(batch: BilledBatch) {
  return {
    batch_id: batch.ulid,
    created_at: isoUtc(batch.createdAtMs),
    sender: batch.sender,
    message_class: batch.messageClass,
    status: batch.status,
    messages: batch.messages,
    segments: batch.segments,
    reserved: batch.reserved,
    charged: batch.charged,
    released: batch.released,
    still_reserved: stillReserved(batch),
  };
}

/** The cost of a batch: reserved = charged + released + still reserved. */
type BilledBatchView = Readonly<ReturnType<typeof batchView>>;

type Money = { readonly reserved: Xof; readonly charged: Xof; readonly released: Xof };

/**
 * Adds to a line what is still reserved, and how many of its segments are billed and how many were final at no cost: charged = price ×
 * billed segments, and segments = billed + free + still reserved.
 */
export function toBilledLine({ openSegments, ...line }: BillingLine) {
  const ended = line.segments - openSegments;
  // At a price of zero every final segment counts as billed.
  const billed_segments = line.price === 0 ? ended : line.charged / line.price;
  const free_segments = ended - billed_segments;
  return { ...line, still_reserved: stillReserved(line), billed_segments, free_segments };
}

function stillReserved({ reserved, charged, released }: Money): Xof {
  return reserved - charged - released;
}

/** Set by the command line, which joins several pages into one file. */
const PAGE = typedAs({ isUnlisted: true }, YES);

export const STATEMENT_OPERATIONS = {
  "wallet statement": operation({
    does: "reads",
    params: {
      account: ACCOUNT,
      from: typedAs({ value: "ISO" }, FROM),
      to: typedAs({ value: "ISO" }, TO),
      batch: optional(typedAs({ excludes: ["batches", "from", "to"] }, text("BATCH", 40))),
      batches: YES,
      mode: MODE,
      page: PAGE,
    },
    run: (
      context,
      { account, from, to, batch, batches, mode, page },
    ): AdminOutcome<unknown> | Promise<AdminOutcome<unknown>> => {
      if (batch !== null) return batchStatement(context, account, batch, mode);
      const period = readPeriod({ from, to }, "INVALID_TIME.backwards");
      if (!period.ok) return period;
      if (batches) return batchesStatement(context, account, period.value, undefined, mode);
      const ask = page ? statementPage : walletStatement;
      return ask(context, account, period.value, undefined, mode);
    },
  }),
};

/** Batches read in one go. */
const BATCHES_PER_READ = 500;

/** A period without open ends. */
export function closedPeriod({ fromMs, toMs }: StatementPeriod): AcceptedIn {
  return { fromMs: fromMs ?? 0, toMs: toMs ?? Number.MAX_SAFE_INTEGER };
}

/** The batches of an account that were accepted in a period, newest first, some hundred at a time. */
export function* acceptedBatches(
  read: Reader,
  accountId: number,
  { fromMs, toMs }: AcceptedIn,
): Generator<readonly BilledBatch[]> {
  for (let before: BatchPlace = { createdAtMs: toMs, id: 0 }; ; ) {
    const page = billedBatches(read, accountId, fromMs, before, BATCHES_PER_READ);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    before = last;
  }
}
