/**
 * The validation of batches above 10,000 recipients, one after the other, by a job that survives a restart: whatever
 * an earlier process staged of a batch is taken back, and it begins anew (decisions.md section 4).
 */
import { accountById } from "../accounts/accounts.ts";
import { assert } from "../base/assert.ts";
import { type Outcome, refused } from "../base/failures.ts";
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
import type { RequestRecipient } from "./request.ts";
import { dropStagedRows, dropSubmittedPieces } from "./staging.ts";

/** The most recipients of a batch (public-api.md section 8). */
const MOST_RECIPIENTS = 100_000;
/** A batch that was not validated this long after its 202 has failed (public-api.md section 3.1). */
const LONGEST_MS = 30 * 60_000;

export type ValidateDeps = AcceptanceDeps & {
  /** Told after the commit that a batch's messages wait to be sent. */
  readonly onQueued: (batchId: number) => void;
};

/** Validates the batch that has waited longest; false when none waits. */
export async function validateNext(deps: ValidateDeps): Promise<boolean> {
  const { store, clock } = deps;
  const batch = nextValidating(store.read);
  if (!batch) return false;
  const account = accountById(store.read, batch.accountId);
  assert(account, "a batch belongs to an account");
  await dropStagedRows(store, batch, account.timezone);
  const outcome = await validate(deps, batch);
  if (!outcome.ok) {
    const { code, detail } = outcome.refusal;
    await store.write((tx) => {
      if (isCalledOff(tx, batch.id)) cancelValidating(tx, batch, clock.nowMs());
      else failBatch(tx, batch, { code, detail }, clock.nowMs());
    });
    await dropStagedRows(store, batch, account.timezone);
  }
  await dropSubmittedPieces(store, batch.id);
  if (outcome.ok && outcome.value.status === "QUEUED") deps.onQueued(batch.id);
  return true;
}

async function validate(deps: ValidateDeps, batch: ValidatingBatch): Promise<Outcome<AcceptedBatch>> {
  const { store, clock } = deps;
  const account = accountById(store.read, batch.accountId);
  if (account?.status !== "ACTIVE") return refused("ACCOUNT_SUSPENDED", "the account is suspended");
  const firstId = deps.messageIds.take(MOST_RECIPIENTS);
  await store.write((tx) => placeMessages(tx, batch.id, firstId));
  let piece = 0;
  let isOver = false;
  const outcome = await acceptInSteps(
    deps,
    acceptanceFor(deps, account, batch, (tx, { status }) => {
      recordValidated(tx, batch, status === "REJECTED", clock.nowMs());
    }),
    { id: batch.id, firstId },
    () => {
      isOver = clock.nowMs() - batch.createdAt > LONGEST_MS || isCalledOff(store.read, batch.id);
      if (isOver) return null;
      const recipients = submittedPiece(store.read, batch.id, piece);
      piece += 1;
      return recipients === null ? null : asRecipients(recipients);
    },
    () => !isOver,
  );
  return outcome;
}

/** What `enqueueForValidation` wrote is what was checked before its 202. */
function asRecipients(written: unknown): readonly RequestRecipient[] {
  assert(Array.isArray(written), "a piece is a list of recipients");
  return written;
}
