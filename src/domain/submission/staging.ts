/**
 * Large batches: their rows are written in steps before the batch is open, then it is paid for and opened in one
 * transaction, or what was written is taken back. Above 10,000 recipients all of that follows after the answer.
 */
import { assert } from "../../core/assert.ts";
import { isOver as isTimeOver } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { accepted, type Outcome, type Refusal, refuse } from "../../core/refusals.ts";
import { isDiskFailure } from "../../db/errors.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { phrase } from "../../i18n/phrase.ts";
import { accountById } from "../accounts/accounts.ts";
import { PAYMENT_REFUSALS } from "../ledger/reservations.ts";
import { stampClock } from "../messages/feed-stamps.ts";
import {
  type BatchSums,
  dropStaged,
  insertBatch,
  MAX_RECIPIENTS,
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
import {
  batchesWithStalePieces,
  cancelValidating,
  dropSubmitted,
  failBatch,
  isCalledOff,
  nextValidating,
  overdueValidating,
  placeMessages,
  recordValidated,
  submittedPiece,
  type ValidatingBatch,
  type WaitingBatch,
} from "../messages/pending-validation.ts";
import type { Stage, Stages } from "../messages/staged-recipients.ts";
import {
  type AcceptedBatch,
  type CommitHook,
  checkAllowance,
  EMPTY_SUMS,
  reserveForBatch,
  SUSPENDED,
  toOpening,
  writeRecipients,
} from "./commit-batch.ts";
import { cutIntoRuns, MESSAGES_A_RUN, type Planned, type RecipientRejection } from "./expand-recipients.ts";
import { isByAdministrators } from "./idempotency.ts";
import type { RequestRecipient } from "./recipients.ts";
import type { IntakeOutcome, IntakeRefusalCode } from "./request.ts";
import { type ScreenedRecipients, screenRecipients } from "./screen-recipients.ts";
import { buildSubmissionContext, type SubmissionContext, type SubmissionDeps } from "./submission-context.ts";

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
function dropStagedRows(store: Store, batchId: number, isStopping = never): Promise<boolean> {
  return untilEmpty(
    () => store.write((tx) => dropStaged(tx, batchId, MESSAGES_A_RUN), "with the next"),
    isStopping,
  );
}

/** Pieces dropped in one transaction; each holds the recipients of a step. */
const PIECES_A_STEP = 20;

/** Forgets the recipients of a batch as they were submitted; false when it was stopped before its end. */
function dropSubmittedPieces(store: Store, batchId: number, isStopping = never): Promise<boolean> {
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
    for (const run of cutIntoRuns(planned.value)) {
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

// The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever an
// earlier process staged of a batch is taken back, and it begins again (docs/behaviour.md#large-batches). Accounts take
// turns: one that submits more than can be validated lets its own batches fail after 30 minutes, and nobody else's.
// Those fail when their time is over, not when their turn comes.

/**
 * What its account is told. The 202 stays remembered under its key (docs/behaviour.md#idempotency): the same
 * request with the same key would only be answered with it again.
 */
function failureOf({ code, detail }: ValidationRefusal) {
  const isUnpaid = PAYMENT_REFUSALS.some((one) => one === code);
  return {
    code,
    detail: phrase(isUnpaid ? "message.batch.unpaid" : "message.batch.failed", { why: detail }),
  };
}

/** One round of work; false when there was none, or when the process is stopping. */
type Round = (isStopping?: () => boolean) => Promise<boolean>;

type Validator = {
  /**
   * Validates the batch whose turn it is. When the process is stopping, what was staged is left as a crash leaves it,
   * and the next process begins again.
   */
  readonly next: Round;
  /** Fails one batch whose 30 minutes are over. The one in work is left alone: it looks at the time itself. */
  readonly failOverdue: Round;
};

/** The validation of large batches; it remembers which account had its turn last. */
export function validator(deps: SubmissionDeps): Validator {
  const { store, clock } = deps;
  let lastAccountId = 0;
  let inWork: number | null = null;
  let failing: Promise<unknown> = Promise.resolve();
  return {
    next: async (isStopping = () => false) => {
      await failing;
      const batch = nextValidating(store.read, lastAccountId);
      if (!batch) return false;
      lastAccountId = batch.accountId;
      inWork = batch.id;
      try {
        return await takeTurn(deps, batch, isStopping);
      } finally {
        inWork = null;
      }
    },
    failOverdue: async (isStopping = () => false) => {
      const batch = overdueValidating(store.read, clock.nowMs() - MAX_MS, inWork);
      if (!batch || !isTimeOver(clock, batch.createdAt, batch.createdAt + MAX_MS)) return false;
      const ended = end(deps, batch, TOO_LATE, isStopping);
      // A batch in work is never this one, and none becomes it before this one has ended.
      failing = ended.catch(() => {});
      return ended;
    },
  };
}

/** Validates a batch, or ends it; false when the process stopped before that. */
async function takeTurn(
  deps: SubmissionDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<boolean> {
  const { store, onQueued } = deps;
  if (!(await dropStagedRows(store, batch.id, isStopping))) return false;
  const validation = await tryToValidate(deps, batch, isStopping);
  if (!validation.ok) return !isStopping() && end(deps, batch, validation.refusal, isStopping);
  if (validation.value.status === "QUEUED") onQueued(batch.id, null);
  await dropSubmittedPieces(store, batch.id);
  return true;
}

/** Ends a batch that failed or was called off; false when the process stopped before that. */
async function end(
  deps: SubmissionDeps,
  batch: WaitingBatch,
  refusal: ValidationRefusal,
  isStopping: () => boolean,
): Promise<boolean> {
  const { store, clock } = deps;
  // Taken back before the batch ends, so that a crash in between can't leave any of it behind.
  if (!(await dropStagedRows(store, batch.id, isStopping))) return false;
  await store.write((tx) => {
    if (isCalledOff(tx, batch.id)) cancelValidating(tx, batch, clock.nowMs());
    else failBatch(tx, batch, failureOf(refusal), clock.nowMs());
  });
  await dropSubmittedPieces(store, batch.id);
  return true;
}

/** A batch that trips over a bug fails alone: those behind it must not wait for it until its 30 minutes are over. */
async function tryToValidate(
  deps: SubmissionDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Validation> {
  try {
    return await validateBatch(deps, batch, isStopping);
  } catch (error) {
    // It is not the batch's fault, and goes on as soon as the disk does, within its 30 minutes.
    if (isDiskFailure(error)) throw error;
    deps.log.error("a batch could not be validated", { batch_id: batch.ulid, ...errorFields(error) });
    return refuse("INTERNAL_ERROR.validation");
  }
}

/** A batch that was not validated this long after its 202 has failed (docs/public-api.md section 3.1). */
const MAX_MS = 30 * 60_000;

/**
 * Why a batch that had its 202 is ended: the code is that of the error it would have been, or says that its time was over
 * (docs/behaviour.md#large-batches).
 */
export type ValidationRefusal = Refusal<IntakeRefusalCode | "VALIDATION_TIMEOUT" | "INTERNAL_ERROR">;

type Validation = Outcome<AcceptedBatch, ValidationRefusal["code"]>;

const TIME_IS_OVER = refuse("VALIDATION_TIMEOUT");
const TOO_LATE = TIME_IS_OVER.refusal;

/**
 * Validates a batch that nothing is staged of. It is broken off as too late when its time is over, when it was called off,
 * and when the process is stopping.
 */
async function validateBatch(
  deps: SubmissionDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Validation> {
  const { store, clock, messageIds, stages } = deps;
  const account = accountById(store.read, batch.accountId);
  if (account?.status !== "ACTIVE") return SUSPENDED;
  const firstId = messageIds.take(MAX_RECIPIENTS);
  await store.write((tx) => placeMessages(tx, batch.id, firstId));
  const mayGoOn = () => {
    const isLate = isTimeOver(clock, batch.createdAt, batch.createdAt + MAX_MS + 1);
    return isLate || isCalledOff(store.read, batch.id) || isStopping() ? TIME_IS_OVER : accepted(null);
  };
  const terms = buildSubmissionContext(deps, account, batch, isByAdministrators(store.read, batch));
  const stage = stages.begin(batch);
  stage.isOf(batch.id);
  try {
    const place = { id: batch.id, firstId, stage };
    const staged = await stageInSteps(deps, terms, place, submittedSteps(store.read, batch.id), mayGoOn);
    if (!staged.ok) return staged;
    return await openStaged(deps, terms, batch.id, staged.value, (tx, opened) => {
      recordValidated(tx, batch, opened.status === "REJECTED", clock.nowMs());
      return opened;
    });
  } finally {
    stage.end();
  }
}

/** The recipients of a batch as `storeForValidation` (submit.ts) wrote them; they were checked before its 202. */
function* submittedSteps(read: Reader, batchId: number): Generator<readonly RequestRecipient[]> {
  for (let piece = 0; ; piece++) {
    const recipients = submittedPiece(read, batchId, piece);
    if (recipients === null) return;
    assert(Array.isArray(recipients), "a piece is a list of recipients");
    yield recipients;
  }
}
