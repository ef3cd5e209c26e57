import { accountById } from "../accounts/accounts.ts";
import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import {
  dropStaged,
  insertBatch,
  insertMessages,
  insertRejections,
  type MessageIds,
  type NewBatch,
  openStagedBatch,
} from "../messages/insert.ts";
import { stampClock } from "../messages/stamps.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { mayReserve, reserve } from "../wallet/reserve.ts";
import { walletOf } from "../wallet/wallet.ts";
import type { Plan } from "./plan.ts";

/** Rows written in one go; a larger batch is staged in steps of this many, so that nobody waits for it. */
const ROWS_A_STEP = 250;

export type Acceptance = {
  readonly store: Store;
  readonly clock: Clock;
  readonly messageIds: MessageIds;
  readonly plan: Plan;
  readonly batch: Omit<NewBatch, "status" | "firstMessageId" | "endedAt" | AmountFields>;
  /** Called in the accepting transaction with the status the batch was given. */
  readonly onAccepted: (tx: Tx, status: BatchStatus) => void;
};

export type Accepted = { readonly id: number; readonly status: BatchStatus };

type AmountFields = "accepted" | "rejected" | "totalSegments" | "reservedAmount";

/**
 * Reserves the money and queues the messages of a planned batch, all or nothing, in one transaction: its id and
 * status, or why the account can't have it now. The rows of a large batch are staged before; nobody sees them
 * until that transaction opens the batch, and a refusal or a crash takes them back.
 */
export async function acceptBatch(acceptance: Acceptance): Promise<Outcome<Accepted>> {
  const { store, plan } = acceptance;
  const rows = plan.messages.length + plan.rejections.length;
  if (rows > ROWS_A_STEP) return acceptInSteps(acceptance);
  const firstMessageId = acceptance.messageIds.take(plan.messages.length);
  return store.write((tx): Outcome<Accepted> => {
    const verdict = payable(tx, acceptance);
    if (!verdict.ok) return verdict;
    const status = statusOf(acceptance);
    const id = insertBatch(tx, newBatch(acceptance, firstMessageId, status));
    const nowMs = acceptance.batch.createdAt;
    const stamps = stampClock(tx, nowMs);
    insertMessages(
      tx,
      { ...run(acceptance, id, firstMessageId), stampUs: () => stamps.next(acceptance.batch.accountId) },
      plan.messages,
    );
    stamps.save();
    insertRejections(tx, id, plan.rejections);
    pay(tx, acceptance, id);
    acceptance.onAccepted(tx, status);
    return accepted({ id, status });
  });
}

async function acceptInSteps(acceptance: Acceptance): Promise<Outcome<Accepted>> {
  const { store, plan } = acceptance;
  const firstMessageId = acceptance.messageIds.take(plan.messages.length);
  const id = await store.write((tx) => insertBatch(tx, newBatch(acceptance, firstMessageId, "STAGING")));
  for (let at = 0; at < plan.messages.length; at += ROWS_A_STEP) {
    const step = plan.messages.slice(at, at + ROWS_A_STEP);
    await store.write((tx) => insertMessages(tx, run(acceptance, id, firstMessageId + at), step));
  }
  for (let at = 0; at < plan.rejections.length; at += ROWS_A_STEP) {
    const step = plan.rejections.slice(at, at + ROWS_A_STEP);
    await store.write((tx) => insertRejections(tx, id, step));
  }
  const outcome = await store.write((tx): Outcome<Accepted> => {
    const verdict = payable(tx, acceptance);
    if (!verdict.ok) return verdict;
    const status = statusOf(acceptance);
    const nowMs = acceptance.clock.nowMs();
    pay(tx, acceptance, id);
    const stamps = stampClock(tx, nowMs);
    const firstStamp = stamps.run(acceptance.batch.accountId, plan.messages.length);
    stamps.save();
    openStagedBatch(tx, id, status, firstStamp, status === "REJECTED" ? nowMs : null);
    acceptance.onAccepted(tx, status);
    return accepted({ id, status });
  });
  if (!outcome.ok) await dropStagedBatch(store, id);
  return outcome;
}

/** Removes what staging left of a batch that will not be opened, a step at a time. */
export async function dropStagedBatch(store: Store, batchId: number): Promise<void> {
  while (await store.write((tx) => dropStaged(tx, batchId, ROWS_A_STEP))) {
    // One step after the other, so that other writers get their turn in between.
  }
}

/** Whether the account may have the batch at this moment; nothing is written, so a "no" costs nobody anything. */
function payable(tx: Tx, { batch, plan }: Acceptance): Outcome<null> {
  if (accountById(tx, batch.accountId)?.status !== "ACTIVE")
    return refused("ACCOUNT_SUSPENDED", "the account is suspended");
  return plan.messages.length === 0 ? accepted(null) : mayReserve(walletOf(tx, batch.accountId), plan.amount);
}

/** Sets the price aside; `payable` has said yes in the same transaction. A batch of nobody costs nothing, in debit too. */
function pay(tx: Tx, { batch, plan }: Acceptance, batchId: number): void {
  if (plan.messages.length === 0) return;
  reserve(tx, {
    accountId: batch.accountId,
    batchId,
    batchUlid: batch.ulid,
    amount: plan.amount,
    atMs: batch.createdAt,
  });
}

function statusOf({ plan, batch }: Acceptance): BatchStatus {
  if (plan.messages.length === 0) return "REJECTED";
  return batch.scheduledAt === null ? "QUEUED" : "SCHEDULED";
}

function newBatch(acceptance: Acceptance, firstMessageId: number, status: BatchStatus): NewBatch {
  const { batch, plan } = acceptance;
  return {
    ...batch,
    status,
    firstMessageId,
    accepted: plan.messages.length,
    rejected: plan.rejections.length,
    totalSegments: plan.totalSegments,
    reservedAmount: plan.amount,
    endedAt: status === "REJECTED" ? batch.createdAt : null,
  };
}

function run({ batch }: Acceptance, batchId: number, firstId: number) {
  return {
    batchId,
    accountId: batch.accountId,
    firstId,
    notBefore: batch.scheduledAt ?? batch.createdAt,
    createdAt: batch.createdAt,
    stampUs: null,
  };
}
