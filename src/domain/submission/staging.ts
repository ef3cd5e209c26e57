/** Writes the rows of a large batch before it is open, and takes them back. */

import { errorFields, type Log } from "../../core/log.ts";
import { accepted, type Outcome } from "../../core/refusals.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { stampClock } from "../messages/feed-stamps.ts";
import {
  type BatchSums,
  dropStaged,
  insertBatch,
  type NewBatch,
  openBatch,
  removeBatch,
  stagedBatches,
} from "../messages/insert.ts";
import {
  addRecipients,
  countAccepted,
  createRecipientMetrics,
  type RecipientMetrics,
} from "../messages/message-metrics.ts";
import { batchesWithStalePieces, dropSubmitted } from "../messages/pending-validation.ts";
import type { Stage, Stages } from "../messages/staged-recipients.ts";
import {
  type CommitHook,
  checkAllowance,
  EMPTY_SUMS,
  reserveForBatch,
  toOpening,
  writeRecipients,
} from "./commit-batch.ts";
import { MESSAGES_A_RUN, type Planned, type RecipientRejection, runsOf } from "./expand-recipients.ts";
import type { RequestRecipient } from "./recipients.ts";
import type { IntakeOutcome, IntakeRefusalCode } from "./refusals.ts";
import { type ScreenedRecipients, screenRecipients } from "./screen-recipients.ts";
import type { SubmissionContext, SubmissionDeps } from "./submission-context.ts";

type StagingDeps = { readonly store: Store; readonly stages: Stages; readonly log: Log };

/**
 * Writes the row of a batch and has `work` stage the rest of it, and answer for it. Where that is a refusal or an
 * error, nothing of the batch counts any more, and its rows are dropped: now, or by `dropAbandonedStaging` when the disk has
 * no room even for that, or the process is stopping.
 */
export async function runStaging<T>(
  { store, stages, log, isStopping }: StagingDeps & { readonly isStopping: () => boolean },
  batch: NewBatch,
  firstMessageId: number,
  work: (batchId: number, stage: Stage) => Promise<IntakeOutcome<T>>,
): Promise<IntakeOutcome<T>> {
  const stage = stages.begin(batch);
  let isAnswered = false;
  let id: number | null = null;
  try {
    id = await store.write((tx) => {
      const inserted = insertBatch(tx, batch, firstMessageId);
      stage.isOf(inserted);
      return inserted;
    });
    const outcome = await work(id, stage);
    isAnswered = outcome.ok;
    return outcome;
  } finally {
    stage.isVoid();
    if (id !== null && !isAnswered && !isStopping()) await tryToDrop(store, log, id);
    stage.end();
  }
}

async function tryToDrop(store: Store, log: Log, batchId: number): Promise<void> {
  try {
    await dropBatch(store, batchId);
  } catch (error) {
    log.warn("what was staged of a refused batch is dropped later", { ...errorFields(error) });
  }
}

const never = () => false;

/** Takes back what was staged of a batch; false when it was stopped before its end. */
export function dropStagedRows(store: Store, batchId: number, isStopping = never): Promise<boolean> {
  return untilEmpty(
    () => store.write((tx) => dropStaged(tx, batchId, MESSAGES_A_RUN), "with the next"),
    isStopping,
  );
}

/** Pieces dropped in one transaction; each holds the recipients of a step. */
const PIECES_A_STEP = 20;

/** Forgets the recipients of a batch as they were submitted; false when it was stopped before its end. */
export function dropSubmittedPieces(store: Store, batchId: number, isStopping = never): Promise<boolean> {
  return untilEmpty(() => store.write((tx) => dropSubmitted(tx, batchId, PIECES_A_STEP)), isStopping);
}

/** Drops until a step finds nothing: one after the other, so that other writers get their turn in between. */
async function untilEmpty(drop: () => Promise<number>, isStopping: () => boolean): Promise<boolean> {
  while ((await drop()) > 0) if (isStopping()) return false;
  return true;
}

/** Removes a batch that nobody was answered for, with everything of it; false when it was stopped before its end. */
async function dropBatch(store: Store, batchId: number, isStopping?: () => boolean): Promise<boolean> {
  if (!(await dropStagedRows(store, batchId, isStopping))) return false;
  if (!(await dropSubmittedPieces(store, batchId, isStopping))) return false;
  await store.write((tx) => removeBatch(tx, batchId));
  return true;
}

/**
 * Removes leftovers: batches that an earlier process was staging when it ended, or that failed on a disk without the room to take them
 * back, and recipients as submitted that are no longer needed. True when there was any.
 */
export async function dropAbandonedStaging(
  { store, stages }: Omit<StagingDeps, "log">,
  isStopping = never,
): Promise<boolean> {
  const left = stagedBatches(store.read).filter((id) => !stages.hasStage(id));
  for (const id of left) if (!(await dropBatch(store, id, isStopping))) return false;
  const stale = batchesWithStalePieces(store.read);
  for (const id of stale) if (!(await dropSubmittedPieces(store, id, isStopping))) return false;
  return left.length + stale.length > 0;
}

// How a large batch comes to be: staged run by run, then paid for and opened in one transaction.

/** A batch as it stands with all its rows staged, before it is paid for. */
type StagedBatch = {
  readonly sums: BatchSums;
  readonly rejections: readonly RecipientRejection[];
  readonly recipients: RecipientMetrics;
};

/** Where a batch is staged whose row `id` is there already. */
type StagingPlace = { readonly id: number; readonly firstId: number; readonly stage: Stage };

/** Plans and stages the recipients of a batch, step by step; `mayGoOn` is asked before each step and after the last. */
export async function stageInSteps<Code extends string = IntakeRefusalCode>(
  { store }: SubmissionDeps,
  terms: SubmissionContext,
  { id, firstId, stage }: StagingPlace,
  steps: Iterable<readonly RequestRecipient[]>,
  mayGoOn: () => Outcome<null, Code> = () => accepted(null),
): Promise<Outcome<StagedBatch, Code | IntakeRefusalCode>> {
  const rejections: RecipientRejection[] = [];
  const recipients = createRecipientMetrics();
  let sums = EMPTY_SUMS;
  let position = 0;
  for (const step of steps) {
    const going = mayGoOn();
    if (!going.ok) return going;
    const planned = await terms.planner.plan(step, position);
    if (!planned.ok) return planned;
    position += step.length;
    for (const run of runsOf(planned.value)) {
      const place = { id, firstId: firstId + sums.accepted, stage };
      const before = sums;
      const staged = await store.write((tx) => stageRun(tx, terms, place, run, before), "with the next");
      if (!staged.ok) return staged;
      const { screened } = staged.value;
      for (const rejection of screened.rejections) rejections.push(rejection);
      addRecipients(recipients, screened.drafts, screened.rejections);
      sums = staged.value.sums;
    }
  }
  const going = mayGoOn();
  return going.ok ? accepted({ sums, rejections, recipients }) : going;
}

/** The sums of a run, and of the batch with it. */
type StagedRun = { readonly sums: BatchSums; readonly screened: ScreenedRecipients };

/** Writes a run, unless the account can't pay for it together with what `before` came to. The sums are those up to it. */
function stageRun(
  tx: Tx,
  terms: SubmissionContext,
  { stage, id, firstId }: StagingPlace,
  run: Planned,
  before: BatchSums,
): IntakeOutcome<StagedRun> {
  const { batch } = terms;
  const screened = screenRecipients(tx, terms, run, { stage, recipients: before.accepted });
  const sums = added(before, screened.sums);
  const verdict = checkAllowance(tx, batch.accountId, sums, "so far");
  if (!verdict.ok) return verdict;
  writeRecipients(tx, batch, { id, firstId, stampUs: null }, screened);
  stage.holds(sums.accepted);
  return accepted({ sums, screened });
}

function added(a: BatchSums, b: BatchSums): BatchSums {
  return {
    accepted: a.accepted + b.accepted,
    rejected: a.rejected + b.rejected,
    segments: a.segments + b.segments,
    amount: a.amount + b.amount,
  };
}

/** Pays for a staged batch and opens it, in one transaction. */
export function openStaged<T>(
  { store, clock }: SubmissionDeps,
  terms: SubmissionContext,
  id: number,
  { sums, rejections, recipients }: StagedBatch,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const { batch } = terms;
  return store.write((tx): IntakeOutcome<T> => {
    const verdict = checkAllowance(tx, batch.accountId, sums);
    if (!verdict.ok) return verdict;
    const atMs = clock.nowMs();
    const queuedStampUs = sums.accepted > 0 ? stampClock(tx, atMs).run(batch.accountId, sums.accepted) : null;
    const opening = toOpening(terms, sums, queuedStampUs);
    openBatch(tx, id, opening);
    reserveForBatch(tx, terms, { id, wallet: verdict.value }, sums, atMs);
    countAccepted(tx, batch, recipients);
    const { status, warnings } = opening;
    const { ulid, clientReference } = batch;
    const opened = { id, ulid, clientReference, status, sums, rejections, warnings, filled: null };
    return accepted(conclusion(tx, opened));
  });
}
