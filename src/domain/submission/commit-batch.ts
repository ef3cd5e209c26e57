/** What the transaction that accepts a batch is made of: the only one of a small batch, or the last of a large one. */

import { accepted, refuse } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../accounts/accounts.ts";
import { mayReserve, reserve } from "../ledger/reservations.ts";
import { readWallet, type Wallet } from "../ledger/wallet.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import {
  type BatchSums,
  insertMessages,
  insertRejections,
  type MessageRun,
  type NewBatch,
  type Opening,
} from "../messages/insert.ts";
import type { FilledQueue } from "../messages/queue.ts";
import { recordSends } from "../messages/recent-messages.ts";
import type { RecipientRejection } from "./expand-recipients.ts";
import { countRecipients } from "./recipient-counts.ts";
import type { IntakeOutcome } from "./request.ts";
import type { ScreenedRecipients } from "./screen-recipients.ts";
import type { SubmissionContext } from "./submission-context.ts";
import type { Warning } from "./warnings.ts";

/** An accepted batch, as reported to its submitter. */
export type AcceptedBatch = {
  readonly id: number;
  readonly ulid: string;
  readonly clientReference: string | null;
  readonly status: BatchStatus;
  readonly sums: BatchSums;
  readonly rejections: readonly RecipientRejection[];
  /** Warnings for its client about tags. */
  readonly warnings: readonly Warning[];
  /** The queued messages of a batch that was written in one go, for dispatch; null where they are to be read. */
  readonly filled: readonly FilledQueue[] | null;
};

/**
 * The last step of the transaction that accepts a batch: writes down what is to be true with it or not at all. Its value
 * is what the caller gets. It may run twice, as all work of the writer may (db/writer.ts).
 */
export type CommitHook<T> = (tx: Tx, batch: AcceptedBatch) => T;

/** The sums of a batch of which nothing is validated. */
export const EMPTY_SUMS: BatchSums = { accepted: 0, rejected: 0, segments: 0, amount: 0 };

export const SUSPENDED = refuse("ACCOUNT_SUSPENDED");

/** Asked again in the transaction that accepts a batch: an account may be suspended while its request is under way. */
export function checkActive(read: Reader, accountId: number): IntakeOutcome<null> {
  return accountById(read, accountId)?.status === "ACTIVE" ? accepted(null) : SUSPENDED;
}

/**
 * Whether the account may have a batch of `sums` at this moment, and the wallet that pays for it, null where nothing is to be paid. Writes
 * nothing, so a refusal costs nobody anything.
 */
export function checkAllowance(
  tx: Tx,
  accountId: number,
  sums: BatchSums,
  priced: "all" | "so far" = "all",
): IntakeOutcome<Wallet | null> {
  const standing = checkActive(tx, accountId);
  if (!standing.ok || sums.accepted === 0) return standing;
  const wallet = readWallet(tx, accountId);
  const verdict = mayReserve(wallet, sums.amount, priced);
  return verdict.ok ? accepted(wallet) : verdict;
}

/** Writes the messages and rejections of some recipients, and what the repetition guards are to remember of them. */
export function writeRecipients(
  tx: Tx,
  batch: NewBatch,
  { id, ...run }: { readonly id: number } & Pick<MessageRun, "firstId" | "stampUs" | "claims">,
  { drafts, rejections }: ScreenedRecipients,
): void {
  const { accountId, createdAt } = batch;
  const plannedAt = batch.scheduledAt ?? createdAt;
  insertMessages(tx, { ...run, batchId: id, accountId, notBefore: plannedAt, createdAt }, drafts);
  const isMarketing = batch.messageClass === "MARKETING" ? 1 : 0;
  recordSends(tx, { firstId: run.firstId, accountId, plannedAt, isMarketing }, drafts);
  insertRejections(tx, id, rejections);
}

/** The status that a batch is opened with. */
export function deriveOpeningStatus({ scheduledAt }: NewBatch, acceptedRecipients: number): BatchStatus {
  if (acceptedRecipients === 0) return "REJECTED";
  return scheduledAt === null ? "QUEUED" : "SCHEDULED";
}

/** What a batch whose recipients came to `sums` is opened as. */
export function toOpening(
  { batch, planner }: SubmissionContext,
  sums: BatchSums,
  queuedStampUs: number | null,
): Opening & { readonly warnings: readonly Warning[] } {
  const status = deriveOpeningStatus(batch, sums.accepted);
  const warnings = planner.warnings();
  return { status, sums, warnings, queuedStampUs, endedAt: status === "REJECTED" ? batch.createdAt : null };
}

/**
 * Pays for a batch and counts its recipients for the ceilings, from the wallet that `checkAllowance` approved in the same transaction; for
 * a large batch up to half an hour after its submission.
 */
export function reserveForBatch(
  tx: Tx,
  { batch, accountTimezone, rejected: counts }: SubmissionContext,
  { id, wallet }: { readonly id: number; readonly wallet: Wallet | null },
  { accepted: recipients, rejected, amount }: BatchSums,
  atMs: number,
): void {
  const { accountId, ulid: batchUlid, createdAt } = batch;
  if (wallet) reserve(tx, { accountId, wallet, batchId: id, batchUlid, amount, atMs });
  countRecipients(tx, accountId, accountTimezone, createdAt, recipients);
  counts.count(tx, accountId, accountTimezone, atMs, rejected);
}
