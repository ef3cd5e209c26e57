import { isoUtc } from "../base/clock.ts";
import { CURRENCY, type Xof } from "../base/money.ts";
import { slicer } from "../base/slices.ts";
import {
  addLines,
  type BilledBatch,
  type BillingLine,
  billedBatch,
  billedBatches,
  billingLines,
} from "../messages/billing.ts";
import { findAccount } from "./accounts.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import type { Stretch } from "./statements.ts";

/** What a batch costs: reserved = charged + released + still reserved. */
export type BilledBatchView = {
  readonly batch_id: string;
  readonly created_at: string;
  readonly sender: string;
  readonly message_class: string;
  readonly status: string;
  readonly messages: number;
  readonly segments: number;
  readonly reserved: Xof;
  readonly charged: Xof;
  readonly released: Xof;
  readonly still_reserved: Xof;
};

export type BatchStatementView = {
  readonly account_id: string;
  readonly currency: string;
  /** One for each operator and price. */
  readonly lines: readonly (BillingLine & { readonly still_reserved: Xof })[];
} & BilledBatchView;

export type BatchesStatementView = {
  readonly account_id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly currency: string;
  /** Oldest first. */
  readonly batches: readonly BilledBatchView[];
  readonly total: Pick<
    BilledBatchView,
    "messages" | "segments" | "reserved" | "charged" | "released" | "still_reserved"
  >;
};

/** Messages added up in one go. */
const MESSAGES_STEP = 5000;
const BATCHES_STEP = 500;
/** Batches that one answer holds at most. */
const MOST_BATCHES = 100_000;
/** A clock that was set back may have given a batch an earlier time than the one before it, but not by more. */
const CLOCK_SLACK_MS = 86_400_000;

/** What one batch costs, by operator and price: messages, segments, price, charged and released. */
export async function batchStatement(
  context: AdminContext,
  accountId: string,
  batchId: string,
): Promise<AdminOutcome<BatchStatementView>> {
  const { read } = context.store;
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const batch = billedBatch(read, account.value.id, batchId.toUpperCase());
  if (!batch) {
    return refuse("BATCH_NOT_FOUND", `the account has no batch ${JSON.stringify(batchId)}`);
  }
  const pause = slicer(context.clock);
  const end = batch.firstMessageId + batch.messages;
  let lines: BillingLine[] = [];
  for (let from = batch.firstMessageId; from < end; from += MESSAGES_STEP) {
    lines = addLines([...lines, ...billingLines(read, from, Math.min(end, from + MESSAGES_STEP))]);
    await pause();
  }
  const now = billedBatch(read, account.value.id, batch.ulid) ?? batch;
  return done({
    account_id: account.value.ulid,
    currency: CURRENCY,
    ...batchView(now),
    lines: lines.map((line) => ({ ...line, still_reserved: stillReserved(line) })),
  });
}

/** What each batch that was accepted in a stretch of time costs, and all of them together. */
export async function batchesStatement(
  context: AdminContext,
  accountId: string,
  { fromMs, toMs }: Stretch,
): Promise<AdminOutcome<BatchesStatementView>> {
  const { read } = context.store;
  const account = findAccount(read, accountId);
  if (!account.ok) return account;
  const found: BilledBatch[] = [];
  const pause = slicer(context.clock);
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = billedBatches(read, account.value.id, before, BATCHES_STEP);
    const last = page.at(-1);
    if (!last) break;
    for (const batch of page) {
      if (batch.createdAtMs >= (fromMs ?? 0) && batch.createdAtMs < (toMs ?? Number.MAX_SAFE_INTEGER)) {
        found.push(batch);
      }
    }
    if (found.length > MOST_BATCHES) {
      return refuse(
        "TOO_MANY_ENTRIES",
        `more than ${MOST_BATCHES} batches: ask for a shorter stretch of time`,
      );
    }
    if (fromMs !== null && last.createdAtMs < fromMs - CLOCK_SLACK_MS) break;
    before = last.id;
    await pause();
  }
  const batches = found.reverse().map(batchView);
  const sum = (of: (batch: BilledBatchView) => number) =>
    batches.reduce((total, batch) => total + of(batch), 0);
  return done({
    account_id: account.value.ulid,
    from: fromMs === null ? null : isoUtc(fromMs),
    to: toMs === null ? null : isoUtc(toMs),
    currency: CURRENCY,
    batches,
    total: {
      messages: sum((batch) => batch.messages),
      segments: sum((batch) => batch.segments),
      reserved: sum((batch) => batch.reserved),
      charged: sum((batch) => batch.charged),
      released: sum((batch) => batch.released),
      still_reserved: sum((batch) => batch.still_reserved),
    },
  });
}

function batchView(batch: BilledBatch): BilledBatchView {
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

function stillReserved(money: {
  readonly reserved: Xof;
  readonly charged: Xof;
  readonly released: Xof;
}): Xof {
  return money.reserved - money.charged - money.released;
}
