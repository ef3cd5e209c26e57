/**
 * The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever
 * an earlier process staged of a batch is taken back, and it begins anew (docs/behaviour.md#large-batches). Accounts
 * take turns: one that submits more than can be validated lets its own batches fail after 30 minutes, and nobody
 * else's. Those fail when their time is over, not when their turn comes.
 */
import { accountById } from "../accounts/accounts.ts";
import { assert } from "../base/assert.ts";
import { isOver as isTimeOver } from "../base/clock.ts";
import { FAILURES, type FailureCode } from "../base/failures.ts";
import { errorFields } from "../base/log.ts";
import { MOST_RECIPIENTS } from "../messages/insert.ts";
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
} from "../messages/submitted.ts";
import { isDiskFailure } from "../store/disk-failure.ts";
import { type AcceptedBatch, openStaged, stageInSteps } from "./accept.ts";
import { type AcceptanceDeps, acceptanceFor } from "./acceptance.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { dropStagedRows, dropSubmittedPieces } from "./staging.ts";

/** A batch that was not validated this long after its 202 has failed (docs/public-api.md section 3.1). */
const LONGEST_MS = 30 * 60_000;

/**
 * Why a batch that had its 202 is not to be: the code is that of the error it would have been, or says that its time was
 * over (docs/behaviour.md#large-batches).
 */
export type BatchFailure = {
  readonly code: FailureCode | "VALIDATION_TIMEOUT";
  readonly detail: string;
};

const TOO_LATE: BatchFailure = {
  code: "VALIDATION_TIMEOUT",
  detail: "the batch could not be validated within 30 minutes",
};

/**
 * What its account is told. The 202 stays remembered under its key (docs/behaviour.md#idempotency): the same
 * request with the same key would only be answered with it again.
 */
function failureOf({ code, detail }: BatchFailure): BatchFailure {
  const isUnpaid = code !== "VALIDATION_TIMEOUT" && FAILURES[code].status === 402;
  const when = isUnpaid ? "after a top-up" : "to have it sent";
  return { code, detail: `${detail}; ${when}, submit it again with a new Idempotency-Key` };
}

export type ValidateDeps = AcceptanceDeps & {
  /** Told after the commit that a batch's messages wait to be sent. */
  readonly onQueued: (batchId: number) => void;
};

/** One round of work; false when there is none, or when the process is stopping. */
type Round = (isStopping?: () => boolean) => Promise<boolean>;

export type Validator = {
  /**
   * Validates the batch whose turn it is. When the process is stopping, what was staged is left as a crash leaves it,
   * and the next process begins anew.
   */
  readonly next: Round;
  /** Fails one batch whose 30 minutes are over. The one in work is left alone: it looks at the time itself. */
  readonly failOverdue: Round;
};

/** The validation of large batches; it remembers which account had its turn last. */
export function validator(deps: ValidateDeps): Validator {
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
        return await validateBatch(deps, batch, isStopping);
      } finally {
        inWork = null;
      }
    },
    failOverdue: async (isStopping = () => false) => {
      const batch = overdueValidating(store.read, clock.nowMs() - LONGEST_MS, inWork);
      if (!batch || !isTimeOver(clock, batch.createdAt, batch.createdAt + LONGEST_MS)) return false;
      const ended = end(deps, batch, TOO_LATE, isStopping);
      // A batch in work is never this one, and none becomes it before this one has ended.
      failing = ended.catch(() => {});
      return ended;
    },
  };
}

async function validateBatch(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<boolean> {
  if (!(await isClean(deps, batch, isStopping))) return false;
  const outcome = await tryToValidate(deps, batch, isStopping);
  if ("failure" in outcome) return !isStopping() && end(deps, batch, outcome.failure, isStopping);
  if (outcome.status === "QUEUED") deps.onQueued(batch.id);
  await dropSubmittedPieces(deps.store, batch.id);
  return true;
}

/** Ends a batch that is not to be; false when the process stopped before that. */
async function end(
  deps: ValidateDeps,
  batch: WaitingBatch,
  failure: BatchFailure,
  isStopping: () => boolean,
): Promise<boolean> {
  const { store, clock } = deps;
  // Taken back before the batch ends, so that a crash in between can't leave any of it behind.
  if (!(await isClean(deps, batch, isStopping))) return false;
  await store.write((tx) => {
    if (isCalledOff(tx, batch.id)) cancelValidating(tx, batch, clock.nowMs());
    else failBatch(tx, batch, failureOf(failure), clock.nowMs());
  });
  await dropSubmittedPieces(store, batch.id);
  return true;
}

/** Takes back whatever was staged of a batch; false when the process stopped before the end. */
function isClean({ store }: ValidateDeps, batch: WaitingBatch, isStopping: () => boolean): Promise<boolean> {
  return dropStagedRows(store, batch.id, isStopping);
}

type Validated = AcceptedBatch | { readonly failure: BatchFailure };

/** A batch that trips over a bug fails alone: those behind it must not wait for it until its 30 minutes are over. */
async function tryToValidate(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Validated> {
  try {
    return await validate(deps, batch, isStopping);
  } catch (error) {
    // It is not the batch's fault, and goes on as soon as the disk does, within its 30 minutes.
    if (isDiskFailure(error)) throw error;
    deps.log.error("a batch could not be validated", { batch_id: batch.ulid, ...errorFields(error) });
    return { failure: { code: "INTERNAL_ERROR", detail: "the batch could not be validated" } };
  }
}

async function validate(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Validated> {
  const { store, clock } = deps;
  const account = accountById(store.read, batch.accountId);
  if (account?.status !== "ACTIVE") {
    return { failure: { code: "ACCOUNT_SUSPENDED", detail: "the account is suspended" } };
  }
  const firstId = deps.messageIds.take(MOST_RECIPIENTS);
  await store.write((tx) => placeMessages(tx, batch.id, firstId));
  let piece = 0;
  let isOver = false;
  const nextPiece = () => {
    const isLate = isTimeOver(clock, batch.createdAt, batch.createdAt + LONGEST_MS + 1);
    isOver = isLate || isCalledOff(store.read, batch.id) || isStopping();
    if (isOver) return null;
    const recipients = submittedPiece(store.read, batch.id, piece);
    piece += 1;
    return recipients === null ? null : asRecipients(recipients);
  };
  const acceptance = acceptanceFor(deps, account, batch, (tx, { status }) => {
    recordValidated(tx, batch, status === "REJECTED", clock.nowMs());
  });
  const stage = deps.stages.begin(batch);
  stage.isOf(batch.id);
  try {
    const staged = await stageInSteps(deps, acceptance, { id: batch.id, firstId, stage }, nextPiece);
    if (!staged.ok) return { failure: staged.refusal };
    if (isOver) return { failure: TOO_LATE };
    const opened = await openStaged(deps, acceptance, batch.id, staged.value);
    return opened.ok ? opened.value : { failure: opened.refusal };
  } finally {
    stage.end();
  }
}

/** What `enqueueForValidation` wrote is what was checked before its 202. */
function asRecipients(written: unknown): readonly RequestRecipient[] {
  assert(Array.isArray(written), "a piece is a list of recipients");
  return written;
}
