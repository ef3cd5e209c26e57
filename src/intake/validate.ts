/**
 * The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever
 * an earlier process staged of a batch is taken back, and it begins anew (decisions.md section 4). Accounts take turns:
 * one that submits more than can be validated lets its own batches fail after 30 minutes, and nobody else's.
 */
import { accountById } from "../accounts/accounts.ts";
import { assert } from "../base/assert.ts";
import { type Outcome, refused } from "../base/failures.ts";
import { errorText } from "../base/log.ts";
import { MOST_RECIPIENTS } from "../messages/insert.ts";
import {
  cancelValidating,
  failBatch,
  isCalledOff,
  nextValidating,
  placeMessages,
  recordValidated,
  submittedPiece,
  type ValidatingBatch,
} from "../messages/submitted.ts";
import { type AcceptedBatch, acceptInSteps } from "./accept.ts";
import { type AcceptanceDeps, acceptanceFor } from "./acceptance.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { dropStagedRows, dropSubmittedPieces } from "./staging.ts";

/** A batch that was not validated this long after its 202 has failed (public-api.md section 3.1). */
const LONGEST_MS = 30 * 60_000;

export type ValidateDeps = AcceptanceDeps & {
  /** Told after the commit that a batch's messages wait to be sent. */
  readonly onQueued: (batchId: number) => void;
};

/**
 * Validates the batch whose turn it is; false when none waits, or when the process is stopping: then what was staged
 * is left as a crash leaves it, and the next process begins anew.
 */
export type ValidateNext = (isStopping?: () => boolean) => Promise<boolean>;

/** The validation of large batches; it remembers which account had its turn last. */
export function validator(deps: ValidateDeps): ValidateNext {
  let lastAccountId = 0;
  return async (isStopping = () => false) => {
    const batch = nextValidating(deps.store.read, lastAccountId);
    if (!batch) return false;
    lastAccountId = batch.accountId;
    return validateBatch(deps, batch, isStopping);
  };
}

async function validateBatch(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<boolean> {
  const { store, clock } = deps;
  const account = accountById(store.read, batch.accountId);
  assert(account, "a batch belongs to an account");
  const isClean = () => dropStagedRows(store, batch, account.timezone, isStopping);
  if (!(await isClean())) return false;
  const outcome = await tryToValidate(deps, batch, isStopping);
  if (!outcome.ok) {
    // Taken back before the batch ends, so that a crash in between can't leave any of it behind.
    if (isStopping() || !(await isClean())) return false;
    const { code, detail } = outcome.refusal;
    await store.write((tx) => {
      if (isCalledOff(tx, batch.id)) cancelValidating(tx, batch, clock.nowMs());
      else failBatch(tx, batch, { code, detail }, clock.nowMs());
    });
  }
  await dropSubmittedPieces(store, batch.id);
  if (outcome.ok && outcome.value.status === "QUEUED") deps.onQueued(batch.id);
  return true;
}

/** A batch that trips over a bug fails alone: those behind it must not wait for it until its 30 minutes are over. */
async function tryToValidate(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Outcome<AcceptedBatch>> {
  try {
    return await validate(deps, batch, isStopping);
  } catch (error) {
    deps.log.error("a batch could not be validated", { batch_id: batch.ulid, error: errorText(error) });
    return refused("INTERNAL_ERROR", "the batch could not be validated");
  }
}

async function validate(
  deps: ValidateDeps,
  batch: ValidatingBatch,
  isStopping: () => boolean,
): Promise<Outcome<AcceptedBatch>> {
  const { store, clock } = deps;
  const account = accountById(store.read, batch.accountId);
  if (account?.status !== "ACTIVE") return refused("ACCOUNT_SUSPENDED", "the account is suspended");
  const firstId = deps.messageIds.take(MOST_RECIPIENTS);
  await store.write((tx) => placeMessages(tx, batch.id, firstId));
  let piece = 0;
  let isOver = false;
  return acceptInSteps(
    deps,
    acceptanceFor(deps, account, batch, (tx, { status }) => {
      recordValidated(tx, batch, status === "REJECTED", clock.nowMs());
    }),
    { id: batch.id, firstId },
    () => {
      const isLate = clock.nowMs() - batch.createdAt > LONGEST_MS;
      isOver = isLate || isCalledOff(store.read, batch.id) || isStopping();
      if (isOver) return null;
      const recipients = submittedPiece(store.read, batch.id, piece);
      piece += 1;
      return recipients === null ? null : asRecipients(recipients);
    },
    () => !isOver,
  );
}

/** What `enqueueForValidation` wrote is what was checked before its 202. */
function asRecipients(written: unknown): readonly RequestRecipient[] {
  assert(Array.isArray(written), "a piece is a list of recipients");
  return written;
}
