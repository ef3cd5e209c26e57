/**
 * From planned recipients to a paid batch. A small batch is screened, written and paid in one transaction. The rows
 * of a larger one are staged in steps before, so that nobody waits for it; one last transaction pays and opens it,
 * and nobody sees any of it earlier. What was staged before a refusal, a failure or a crash counts for nothing from
 * that moment on (messages/stages.ts), and its rows are dropped as soon as they can be.
 *
 * Nothing is written that the account could not pay with what was before it. So money bounds what a batch writes, as
 * it bounds what the batch sends: of texts of 255 parts for 100,000 recipients, four gigabytes, an empty wallet writes
 * nothing. There is no limit on the text of a batch beside it: docs/public-api.md section 8 has none, and what is absurd to
 * one operator is the `max_segments` of another.
 */
import { accountById } from "../accounts/accounts.ts";
import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { Log } from "../base/log.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import {
  type BatchSums,
  insertBatch,
  insertMessages,
  insertRejections,
  type MessageIds,
  type NewBatch,
  type Opening,
  openBatch,
} from "../messages/insert.ts";
import { recipientKeyOf, rememberSend } from "../messages/recent-sends.ts";
import { countRecipients } from "../messages/recipient-counts.ts";
import type { Stage, Stages } from "../messages/stages.ts";
import { stampClock } from "../messages/stamps.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { mayReserve, reserve } from "../wallet/reserve.ts";
import { walletOf } from "../wallet/wallet.ts";
import { type Planned, type Planner, type Rejection, runsOf } from "./plan.ts";
import { RECIPIENTS_A_STEP, type RecipientList } from "./recipient-list.ts";
import type { RequestRecipient } from "./request.ts";
import { type Screened, type Screener, screenStep } from "./screen-step.ts";
import { withStagedBatch } from "./staging.ts";

export type Intake = {
  readonly store: Store;
  readonly clock: Clock;
  readonly messageIds: MessageIds;
  readonly stages: Stages;
  readonly log: Log;
};

export type Acceptance = {
  readonly batch: NewBatch;
  /** The zone in which the account's days begin. */
  readonly accountTimezone: string;
  readonly plan: Planner;
  readonly screener: Screener;
  /** Called in the accepting transaction. */
  readonly onAccepted: (tx: Tx, result: AcceptedBatch) => void;
};

/** A batch as its submission is answered. */
export type AcceptedBatch = {
  readonly id: number;
  readonly status: BatchStatus;
  readonly sums: BatchSums;
  readonly rejections: readonly Rejection[];
};

/** Accepts a batch before it is answered, or says why the account can't have it now: then nothing of it stays. */
export function acceptBatch(
  intake: Intake,
  acceptance: Acceptance,
  recipients: RecipientList,
): Promise<Outcome<AcceptedBatch>> {
  return recipients.length <= RECIPIENTS_A_STEP
    ? acceptAtOnce(intake, acceptance, recipients)
    : acceptStaged(intake, acceptance, recipients);
}

async function acceptAtOnce(
  intake: Intake,
  acceptance: Acceptance,
  recipients: RecipientList,
): Promise<Outcome<AcceptedBatch>> {
  const { batch } = acceptance;
  const planned = await acceptance.plan(recipients.slice(0, RECIPIENTS_A_STEP), 0);
  if (!planned.ok) return planned;
  const firstId = intake.messageIds.take(planned.value.drafts.length);
  return intake.store.write((tx): Outcome<AcceptedBatch> => {
    const screened = screenStep(tx, acceptance.screener, planned.value);
    const verdict = payable(tx, batch.accountId, screened.sums);
    if (!verdict.ok) return verdict;
    const { sums, rejections } = screened;
    const opening = openingOf(batch, sums, null);
    const id = insertBatch(tx, batch, firstId, opening);
    const atMs = intake.clock.nowMs();
    const stamps = stampClock(tx, atMs);
    writeStep(tx, acceptance, { id, firstId, screened, stampUs: () => stamps.next(batch.accountId) });
    return accepted(pay(tx, acceptance, { id, status: opening.status, sums, rejections }, atMs));
  });
}

async function acceptStaged(
  intake: Intake,
  acceptance: Acceptance,
  recipients: RecipientList,
): Promise<Outcome<AcceptedBatch>> {
  const { batch } = acceptance;
  const firstId = intake.messageIds.take(recipients.length);
  return withStagedBatch(intake, batch, firstId, async (id, stage) => {
    let at = 0;
    const staged = await stageInSteps(intake, acceptance, { id, firstId, stage }, () => {
      if (at >= recipients.length) return null;
      const step = recipients.slice(at, at + RECIPIENTS_A_STEP);
      at += RECIPIENTS_A_STEP;
      return step;
    });
    return staged.ok ? openStaged(intake, acceptance, id, staged.value) : staged;
  });
}

/** Reads the recipients of a batch step by step; null after the last. */
export type NextStep = () => readonly RequestRecipient[] | null;

/** A batch as it stands with all its rows staged, before it is paid for. */
export type StagedBatch = { readonly sums: BatchSums; readonly rejections: readonly Rejection[] };

type StagingPlace = { readonly id: number; readonly firstId: number; readonly stage: Stage };

/** Stages the recipients of a batch whose row `id` is there already, step by step. */
export async function stageInSteps(
  { store }: Intake,
  acceptance: Acceptance,
  { id, firstId, stage }: StagingPlace,
  nextStep: NextStep,
): Promise<Outcome<StagedBatch>> {
  const rejections: Rejection[] = [];
  let sums: BatchSums = { accepted: 0, rejected: 0, segments: 0, amount: 0 };
  let position = 0;
  for (let step = nextStep(); step; step = nextStep()) {
    const planned = await acceptance.plan(step, position);
    if (!planned.ok) return planned;
    position += step.length;
    for (const run of runsOf(planned.value)) {
      const place = { id, firstId: firstId + sums.accepted, stage };
      const written = await stageStep(store, acceptance, place, run, sums);
      if (!written.ok) return written;
      for (const rejection of written.value.rejections) rejections.push(rejection);
      sums = written.value.sums;
    }
  }
  return accepted({ sums, rejections });
}

/** Pays for a staged batch and opens it, in one transaction. */
export function openStaged(
  { store, clock }: Intake,
  acceptance: Acceptance,
  id: number,
  { sums, rejections }: StagedBatch,
): Promise<Outcome<AcceptedBatch>> {
  const { accountId } = acceptance.batch;
  return store.write((tx): Outcome<AcceptedBatch> => {
    const verdict = payable(tx, accountId, sums);
    if (!verdict.ok) return verdict;
    const atMs = clock.nowMs();
    const stamps = stampClock(tx, atMs);
    const queuedStampUs = sums.accepted > 0 ? stamps.run(accountId, sums.accepted) : null;
    const opening = openingOf(acceptance.batch, sums, queuedStampUs);
    openBatch(tx, id, opening);
    return accepted(pay(tx, acceptance, { id, status: opening.status, sums, rejections }, atMs));
  });
}

/** Writes a run, unless the account can't pay it together with what `before` came to. */
function stageStep(
  store: Store,
  acceptance: Acceptance,
  { stage, ...place }: StagingPlace,
  planned: Planned,
  before: BatchSums,
): Promise<Outcome<StagedSoFar>> {
  return store.write((tx): Outcome<StagedSoFar> => {
    const screened = screenStep(tx, acceptance.screener, planned, { stage, recipients: before.accepted });
    const sums = added(before, screened.sums);
    const verdict = payable(tx, acceptance.batch.accountId, sums, "so far");
    if (!verdict.ok) return verdict;
    writeStep(tx, acceptance, { ...place, screened, stampUs: null });
    stage.holds(sums.accepted);
    return accepted({ sums, rejections: screened.rejections });
  }, "with the next");
}

/** The sums of a batch up to a step, and the rejections of the step. */
type StagedSoFar = { readonly sums: BatchSums; readonly rejections: readonly Rejection[] };

function added(a: BatchSums, b: BatchSums): BatchSums {
  return {
    accepted: a.accepted + b.accepted,
    rejected: a.rejected + b.rejected,
    segments: a.segments + b.segments,
    amount: a.amount + b.amount,
  };
}

/** Whether the account may have the batch at this moment; nothing is written, so a "no" costs nobody anything. */
function payable(
  tx: Tx,
  accountId: number,
  sums: BatchSums,
  priced: "all" | "so far" = "all",
): Outcome<null> {
  const standing = stillActive(tx, accountId);
  if (!standing.ok || sums.accepted === 0) return standing;
  return mayReserve(walletOf(tx, accountId), sums.amount, priced);
}

/** Asked again in the transaction that accepts a batch: an account may be suspended while its request is under way. */
export function stillActive(read: Reader, accountId: number): Outcome<null> {
  return accountById(read, accountId)?.status === "ACTIVE"
    ? accepted(null)
    : refused("ACCOUNT_SUSPENDED", "the account is suspended");
}

type Step = {
  readonly id: number;
  readonly firstId: number;
  readonly screened: Screened;
  readonly stampUs: (() => number) | null;
};

function writeStep(tx: Tx, { batch }: Acceptance, step: Step): void {
  const { drafts, rejections } = step.screened;
  const plannedAt = batch.scheduledAt ?? batch.createdAt;
  insertMessages(
    tx,
    {
      batchId: step.id,
      accountId: batch.accountId,
      firstId: step.firstId,
      notBefore: plannedAt,
      createdAt: batch.createdAt,
      stampUs: step.stampUs,
    },
    drafts,
  );
  for (const [index, draft] of drafts.entries()) {
    rememberSend(tx, {
      recipientKey: recipientKeyOf(batch.accountId, draft.msisdn),
      plannedAt,
      messageId: step.firstId + index,
      textKey: draft.textKey,
      isMarketing: batch.messageClass === "MARKETING" ? 1 : 0,
    });
  }
  insertRejections(tx, step.id, rejections);
}

/** What a batch whose recipients came to `sums` is opened as. */
function openingOf(batch: NewBatch, sums: BatchSums, queuedStampUs: number | null): Opening {
  const status = sums.accepted === 0 ? "REJECTED" : batch.scheduledAt === null ? "QUEUED" : "SCHEDULED";
  return { status, sums, queuedStampUs, endedAt: status === "REJECTED" ? batch.createdAt : null };
}

/**
 * Pays an open batch at a time, for a large one up to half an hour after its submission, and answers for it; `payable` has
 * said yes in the same transaction.
 */
function pay(
  tx: Tx,
  { batch, accountTimezone, onAccepted }: Acceptance,
  result: AcceptedBatch,
  atMs: number,
): AcceptedBatch {
  const { id, sums } = result;
  if (sums.accepted > 0) {
    reserve(tx, {
      accountId: batch.accountId,
      batchId: id,
      batchUlid: batch.ulid,
      amount: sums.amount,
      atMs,
    });
  }
  countRecipients(tx, batch.accountId, accountTimezone, batch.createdAt, sums.accepted);
  onAccepted(tx, result);
  return result;
}
