/** What is written of a large batch before it is open, and how it is taken back. */
import { accountById } from "../accounts/accounts.ts";
import { assert } from "../base/assert.ts";
import { dropStaged, removeBatch, stagedBatches } from "../messages/insert.ts";
import { countRecipients } from "../messages/recipient-counts.ts";
import { batchesWithStalePieces, dropSubmitted } from "../messages/submitted.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { MESSAGES_A_RUN } from "./plan.ts";

/** Takes back what was staged of a batch, a step at a time, allowances included; false when it was stopped before its end. */
export async function dropStagedRows(
  store: Store,
  batch: { readonly id: number; readonly accountId: number; readonly createdAt: number },
  accountTimezone: string,
  isStopping: () => boolean = () => false,
): Promise<boolean> {
  const dropStep = (tx: Tx): number => {
    const { messages, rows } = dropStaged(tx, batch.id, MESSAGES_A_RUN);
    countRecipients(tx, batch.accountId, accountTimezone, batch.createdAt, -messages);
    return rows;
  };
  while ((await store.write(dropStep, "with the next")) > 0) {
    // One step after the other, so that other writers get their turn in between.
    if (isStopping()) return false;
  }
  return true;
}

/** Pieces dropped in one transaction; each holds the recipients of a step. */
const PIECES_A_STEP = 20;

/** Forgets the recipients of a batch as they were submitted. */
export async function dropSubmittedPieces(store: Store, batchId: number): Promise<void> {
  while ((await store.write((tx) => dropSubmitted(tx, batchId, PIECES_A_STEP))) > 0) {
    // One step after the other, so that other writers get their turn in between.
  }
}

/** Removes a batch that nobody was answered for, with everything of it. */
export async function dropUnanswered(
  store: Store,
  batch: { readonly id: number; readonly accountId: number; readonly createdAt: number },
  accountTimezone: string,
): Promise<void> {
  await dropStagedRows(store, batch, accountTimezone);
  await dropSubmittedPieces(store, batch.id);
  await store.write((tx) => removeBatch(tx, batch.id));
}

/** At the start of a process: removes what an earlier one was staging, or was done with, when it ended. */
export async function dropUnansweredBatches(store: Store): Promise<void> {
  for (const batch of stagedBatches(store.read)) {
    const account = accountById(store.read, batch.accountId);
    assert(account, "a batch belongs to an account");
    await dropUnanswered(store, batch, account.timezone);
  }
  for (const batchId of batchesWithStalePieces(store.read)) await dropSubmittedPieces(store, batchId);
}
