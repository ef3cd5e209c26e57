import { assert } from "../../core/assert.ts";
import { isOver as isTimeOver } from "../../core/clock.ts";
import { accepted, type Outcome, type Refusal, refuse } from "../../core/failures.ts";
import type { Reader } from "../../db/read.ts";
import { accountById } from "../accounts/accounts.ts";
import { MAX_RECIPIENTS } from "../messages/insert.ts";
import {
  isCalledOff,
  placeMessages,
  recordValidated,
  submittedPiece,
  type ValidatingBatch,
} from "../messages/submitted.ts";
import { isByAdministrators } from "./idempotency.ts";
import { type AcceptedBatch, SUSPENDED } from "./open.ts";
import type { IntakeRefusalCode } from "./refusals.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { openStaged, stageInSteps } from "./staged-steps.ts";
import { type SubmissionDeps, buildSubmissionContext } from "./terms.ts";

/** A batch that was not validated this long after its 202 has failed (docs/public-api.md section 3.1). */
export const MAX_MS = 30 * 60_000;

/**
 * Why a batch that had its 202 is not to be: the code is that of the error it would have been, or says that its time was
 * over (docs/behaviour.md#large-batches).
 */
export type ValidationRefusal = Refusal<IntakeRefusalCode | "VALIDATION_TIMEOUT" | "INTERNAL_ERROR">;

export type Validation = Outcome<AcceptedBatch, ValidationRefusal["code"]>;

const TIME_IS_OVER = refuse("VALIDATION_TIMEOUT");
export const TOO_LATE = TIME_IS_OVER.refusal;

/**
 * Validates a batch that nothing is staged of. It is broken off as too late when its time is over, when it was called off,
 * and when the process is stopping.
 */
export async function validateBatch(
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
