import { type Account, accountById } from "../accounts/accounts.ts";
import { senderByName } from "../accounts/senders.ts";
import { assert } from "../base/assert.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import { CURRENCY } from "../base/money.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import type { BatchSums, NewBatch } from "../messages/insert.ts";
import type { Tx } from "../store/write.ts";
import { acceptBatch } from "./accept.ts";
import { type AcceptanceDeps, acceptanceFor } from "./acceptance.ts";
import { enqueueForValidation } from "./enqueue.ts";
import { expiryOf } from "./expiry.ts";
import type { Rejection } from "./plan.ts";
import type { Submission } from "./request.ts";
import { readSchedule } from "./schedule-time.ts";

/** The largest batch that is validated before its 202 (docs/public-api.md section 2.2). */
export const MOST_SYNCHRONOUS_RECIPIENTS = 10_000;

export type SubmitDeps = AcceptanceDeps & {
  /** Told after the commit that a batch's messages wait to be sent. */
  readonly onQueued: (batchId: number) => void;
  /** Told after the commit that a batch waits to be validated. */
  readonly onValidating: () => void;
};

/**
 * Takes a submission: answers with the JSON text of the 202's body, or with why there is none. `onAccepted` runs
 * inside the accepting transaction with that text, so that whoever remembers the answer does so with the batch or
 * not at all.
 */
export type SubmitBatch = (
  accountId: number,
  request: Submission,
  onAccepted: (tx: Tx, reply: string) => void,
) => Promise<Outcome<string>>;

/** The submission of batches, ready to be called. */
export function submitter(deps: SubmitDeps): SubmitBatch {
  return async (accountId, request, onAccepted) => {
    const account = accountById(deps.store.read, accountId);
    assert(account, "a submission belongs to an account");
    const checked = readBatch(deps, account, request);
    if (!checked.ok) return checked;
    const batch = checked.value;

    let reply = "";
    const answer = (tx: Tx, text: string) => {
      reply = text;
      onAccepted(tx, text);
    };
    if (request.recipients.length > MOST_SYNCHRONOUS_RECIPIENTS) {
      const kept = await enqueueForValidation(deps, batch, request.recipients, (tx) =>
        answer(tx, submissionText(batch.ulid, "VALIDATING", NOTHING_YET, [])),
      );
      if (!kept.ok) return kept;
      deps.onValidating();
      return accepted(reply);
    }
    const acceptance = acceptanceFor(deps, account, batch, (tx, result) =>
      answer(tx, submissionText(batch.ulid, result.status, result.sums, result.rejections)),
    );
    const outcome = await acceptBatch(deps, acceptance, request.recipients);
    if (!outcome.ok) return outcome;
    if (outcome.value.status === "QUEUED") deps.onQueued(outcome.value.id);
    return accepted(reply);
  };
}

/** Checks what a request means, its recipients apart, and makes the batch of it. */
function readBatch(deps: SubmitDeps, account: Account, request: Submission): Outcome<NewBatch> {
  const { config, store, clock } = deps;
  const nowMs = clock.nowMs();
  if (!account.classes.includes(request.messageClass)) {
    return refused("VALIDATION_FAILED", "the account may not send this message_class", [
      { path: "/message_class", message: `the account may send ${account.classes.join(", ")}` },
    ]);
  }
  if (request.channel !== "SMS") {
    deps.log.error("a batch was refused: no provider is configured", { channel: request.channel });
    return refused(
      "CONFIGURATION_ERROR",
      "the service is not configured for this channel: sending the request again will not help",
    );
  }
  if (senderByName(store.read, account.id, request.sender)?.status !== "APPROVED") {
    return refused(
      "SENDER_NOT_APPROVED",
      `the sender ${JSON.stringify(request.sender)} is not approved for the account`,
    );
  }
  const schedule = readSchedule(request.scheduledAt, request.timezone, account.timezone, nowMs);
  if (!schedule.ok) return schedule;
  return accepted({
    ulid: deps.newId(),
    accountId: account.id,
    sender: request.sender,
    channel: request.channel,
    messageClass: request.messageClass,
    body: request.body,
    isTest: request.isTest,
    timezone: schedule.value.timezone,
    createdAt: nowMs,
    scheduledAt: schedule.value.atMs,
    expiresAt: expiryOf(config, account, request.messageClass, schedule.value.atMs ?? nowMs),
    chargeOn: account.chargeOn ?? config.billing.charge_on,
  });
}

const NOTHING_YET: BatchSums = { accepted: 0, rejected: 0, segments: 0, amount: 0 };

/** The submission form of a batch (docs/public-api.md section 2.2) as the text of the answer. */
function submissionText(
  ulid: string,
  status: BatchStatus,
  sums: BatchSums,
  rejections: readonly Rejection[],
): string {
  return JSON.stringify({
    data: {
      batch_id: ulid,
      status,
      accepted: sums.accepted,
      rejected: sums.rejected,
      rejections: rejections.map(({ position, msisdn, reason }) => ({
        index: position,
        msisdn,
        reason_code: reason,
      })),
      reserved_amount: sums.amount,
      currency: CURRENCY,
      total_segments: sums.segments,
    },
  });
}
