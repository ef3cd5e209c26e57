/**
 * The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever an
 * earlier process staged of a batch is taken back, and it begins again (docs/behaviour.md#large-batches). Accounts take
 * turns: one that submits more than can be validated lets its own batches fail after 30 minutes, and nobody else's.
 * Those fail when their time is over, not when their turn comes.
 */
import { isOver as isTimeOver } from "../../core/clock.ts";
import { refuse } from "../../core/failures.ts";
import { errorFields } from "../../core/log.ts";
import { isDiskFailure } from "../../db/sqlite-error.ts";
import { phrase } from "../../i18n/phrase.ts";
import { PAYMENT_REFUSALS } from "../ledger/reserve.ts";
import {
  cancelValidating,
  failBatch,
  isCalledOff,
  nextValidating,
  overdueValidating,
  type ValidatingBatch,
  type WaitingBatch,
} from "../messages/submitted.ts";
import { dropStagedRows, dropSubmittedPieces } from "./staging.ts";
import type { SubmissionDeps } from "./terms.ts";
import {
  MAX_MS,
  TOO_LATE,
  type Validation,
  type ValidationRefusal,
  validateBatch,
} from "./validate-batch.ts";

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

/** One round of work; false when there is none, or when the process is stopping. */
type Round = (isStopping?: () => boolean) => Promise<boolean>;

export type Validator = {
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

/** Ends a batch that is not to be; false when the process stopped before that. */
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
