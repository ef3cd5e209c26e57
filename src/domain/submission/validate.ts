/**
 * The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever an
 * earlier process staged of a batch is taken back, and it begins again (docs/behaviour.md#large-batches). Accounts take
 * turns: one that submits more than can be validated lets its own batches fail after 30 minutes, and nobody else's.
 * Those fail when their time is over, not when their turn comes.
 */

import { assert } from "../../core/assert.ts";
import { isOver as isTimeOver } from "../../core/clock.ts";
import { errorFields } from "../../core/log.ts";
import { accepted, type Outcome, type Refusal, refuse } from "../../core/refusals.ts";
import { isDiskFailure } from "../../db/errors.ts";
import type { Reader } from "../../db/reader.ts";
import { phrase } from "../../i18n/phrase.ts";
import { accountById } from "../accounts/accounts.ts";
import { PAYMENT_REFUSALS } from "../ledger/reservations.ts";
import { MAX_RECIPIENTS } from "../messages/insert.ts";
import {
  cancelValidating,
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
import { type AcceptedBatch, SUSPENDED } from "./commit-batch.ts";
import { isByAdministrators } from "./idempotency.ts";
import type { RequestRecipient } from "./recipients.ts";
import type { IntakeRefusalCode } from "./refusals.ts";
import { dropStagedRows, dropSubmittedPieces, openStaged, stageInSteps } from "./staging.ts";
import { buildSubmissionContext, type SubmissionDeps } from "./submission-context.ts";

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

/** The recipients of a batch as `keepForValidation` wrote them; they were checked before its 202. */
function* submittedSteps(read: Reader, batchId: number): Generator<readonly RequestRecipient[]> {
  for (let piece = 0; ; piece++) {
    const recipients = submittedPiece(read, batchId, piece);
    if (recipients === null) return;
    assert(Array.isArray(recipients), "a piece is a list of recipients");
    yield recipients;
  }
}
