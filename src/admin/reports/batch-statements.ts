import { isoUtc } from "../../core/clock.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import { createYielder } from "../../core/slices.ts";
import type { KeyMode } from "../../domain/accounts/api-key.ts";
import {
  addLines,
  type BilledBatch,
  type BillingLine,
  billedBatch,
  billingLines,
} from "../../domain/messages/billing.ts";
import { purgedLines } from "../../domain/messages/purged-lines.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { ACCOUNT, FROM, MODE, optional, TO, text, typedAs, YES } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { findAccountByMode } from "../operations/sandboxes.ts";
import { acceptedBatches, closedPeriod } from "./accepted-batches.ts";
import {
  toPeriodView,
  readPeriod,
  type StatementPeriod,
  statementPage,
  walletStatement,
} from "./statements.ts";

export type BatchStatementView = {
  readonly account_id: string;
  readonly currency: string;
  /** One for each operator and price. */
  readonly lines: readonly ({ readonly operator: string; readonly price: Xof } & LineSums)[];
} & BilledBatchView;

export type BatchesStatementView = {
  readonly account_id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  /** What the figures count, in words. */
  readonly counts: Phrase;
  /** Oldest first. */
  readonly batches: readonly BilledBatchView[];
  readonly total: BilledSums;
};

/** What messages, batches or lines come to: reserved = charged + released + still reserved. */
export type BilledSums = Pick<
  BilledBatchView,
  "messages" | "segments" | "reserved" | "charged" | "released" | "still_reserved"
>;

/** What a line comes to: its price times its billed segments is what is charged. */
export type LineSums = BilledSums & {
  readonly billed_segments: number;
  /** Those that ended and cost nothing: segments = billed + free + those that are still reserved. */
  readonly free_segments: number;
};

/** Messages added up in one go. */
const MESSAGES_STEP = 5000;
/** Batches that one answer holds at most. */
const MAX_BATCHES = 100_000;

/** What one batch costs, by operator and price: messages, segments, price, charged and released. */
export async function batchStatement(
  context: AdminContext,
  accountId: string,
  batchId: string,
  mode: KeyMode = "live",
): Promise<AdminOutcome<BatchStatementView>> {
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
    lines: lines.map(billedLine),
  });
}

/**
 * What each batch that was accepted in a period costs, and all of them together. Above `most` it is refused,
 * because the answer is held in memory.
 */
export async function batchesStatement(
  context: AdminContext,
  accountId: string,
  period: StatementPeriod,
  most = MAX_BATCHES,
  mode: KeyMode = "live",
): Promise<AdminOutcome<BatchesStatementView>> {
  const { read } = context.store;
  const account = findAccountByMode(read, accountId, mode);
  if (!account.ok) return account;
  const found: BilledBatchView[] = [];
  let total = sumOf([]);
  const pause = createYielder(context.clock);
  for (const page of acceptedBatches(read, account.value.id, closedPeriod(period))) {
    const views = page.map(batchView);
    found.push(...views);
    total = sumOf([total, ...views]);
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
    counts: phrase("cli.counts.batches"),
    batches: found.reverse(),
    total,
  });
}

/** Adds batches or lines up. */
export function sumOf(parts: readonly BilledSums[]): BilledSums {
  const sum = (of: (part: BilledSums) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    messages: sum((part) => part.messages),
    segments: sum((part) => part.segments),
    reserved: sum((part) => part.reserved),
    charged: sum((part) => part.charged),
    released: sum((part) => part.released),
    still_reserved: sum((part) => part.still_reserved),
  };
}

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

/** What a batch costs: reserved = charged + released + still reserved. */
export type BilledBatchView = Readonly<ReturnType<typeof batchView>>;

type Money = { readonly reserved: Xof; readonly charged: Xof; readonly released: Xof };

/** A line with what of its reservation is neither charged nor released, and with how many of its segments are charged. */
export function billedLine({ openSegments, ...line }: BillingLine) {
  const ended = line.segments - openSegments;
  // Of a price of nothing all that ended is billed.
  const billed_segments = line.price === 0 ? ended : line.charged / line.price;
  const free_segments = ended - billed_segments;
  return { ...line, still_reserved: stillReserved(line), billed_segments, free_segments };
}

function stillReserved({ reserved, charged, released }: Money): Xof {
  return reserved - charged - released;
}

/** Asked for by the command line, which makes one file of several pages. */
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
