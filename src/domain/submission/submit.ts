/**
 * The one way in. Whoever brings a submission calls `submitter` once, be it the HTTP API, a file, a console or another
 * protocol, and is answered with values; what they look like to a client is the caller's business. The steps, in order:
 *
 *   1. claim its key            idempotency   the same key at the same time is told to wait
 *   2. look for its answer      idempotency   answered before: the same answer again; with another text: refused
 *      and here one that is new ends while nothing new is taken in
 *   3. check what is asked      check         account, class, channel, sender, schedule; its shape was read before
 *   4. plan each recipient      plan          number, duplicate, operator, text, segments, price
 *   5. screen each recipient    screen-step   opt-outs, hours, caps, repeats, ceilings
 *   6. reserve, queue, conclude accept, open  money, messages, feed and the kept answer are one transaction
 *   7. ring, release, answer
 *
 * Up to 250 recipients, 5 and 6 are one transaction. Up to 10,000 the rows are staged before the last one (staged-steps).
 * Above, recipients are kept as they came (keep), the batch is answered VALIDATING, and 4 to 6 follow later (validate).
 * Where any step refuses, nothing of the batch stays and its key is free again. What it asks of a channel stands in channel.ts.
 */
import { assert } from "../../core/assert.ts";
import { accepted, toRefusal } from "../../core/failures.ts";
import { countLimited } from "../../core/limited.ts";
import type { Tx } from "../../db/write.ts";
import { accountById } from "../accounts/accounts.ts";
import type { BatchStatus } from "../messages/batch-status.ts";
import type { NewBatch } from "../messages/insert.ts";
import { insertSubmitted, openValidating } from "../messages/submitted.ts";
import { acceptBatch } from "./accept.ts";
import { buildBatch } from "./check.ts";
import {
  type EarlierUse,
  earlierUse,
  type IdempotencyKey,
  isOfAdministrators,
  type StoredReply,
  keepReply,
  createKeyClaims,
} from "./idempotency.ts";
import { type AcceptedBatch, type CommitHook, EMPTY_SUMS, statusOf, checkActive } from "./open.ts";
import { RECIPIENTS_A_STEP, type RecipientList } from "./recipient-list.ts";
import type { IntakeOutcome, IntakeRefusal } from "./refusals.ts";
import type { BatchRequest } from "./request.ts";
import { runStaging } from "./staging.ts";
import { type SubmissionDeps, buildSubmissionContext } from "./terms.ts";

/** The largest batch that is validated before it is answered (docs/public-api.md section 2.2). */
const MAX_SYNCHRONOUS_RECIPIENTS = 10_000;

/** What the answer to a submission says of its batch when so many of its recipients are accepted. */
export function deriveAnsweredStatus(batch: NewBatch, recipients: number, acceptedRecipients: number): BatchStatus {
  return recipients > MAX_SYNCHRONOUS_RECIPIENTS ? "VALIDATING" : statusOf(batch, acceptedRecipients);
}

/** A submission as a caller brings it. */
export type SubmissionOrder = {
  readonly accountId: number;
  readonly key: IdempotencyKey;
  /** What was read of it. What is wrong with its shape is told after what is known of its key. */
  readonly request: IntakeOutcome<BatchRequest>;
  /**
   * The answer in the caller's own words, kept for a repetition (idempotency.ts says why). Called inside the accepting
   * transaction, perhaps twice: whatever else it writes is true with the batch or not at all.
   */
  readonly replyTo: (batch: AcceptedBatch, tx: Tx) => StoredReply;
};

/** What came of a submission. All but "accepted" left everything as it was. */
export type SubmissionAnswer =
  | { readonly kind: "accepted"; readonly batch: AcceptedBatch; readonly reply: StoredReply }
  | EarlierUse
  /** The first submission with this key is still being worked on. */
  | { readonly kind: "in progress" }
  | { readonly kind: "refused"; readonly refusal: IntakeRefusal };

/** @throws what the database threw; nothing of the batch counts then, and its key is free again. */
export type Submit = (order: SubmissionOrder) => Promise<SubmissionAnswer>;

export type SubmitDeps = SubmissionDeps & {
  /** Told after the commit that a batch waits to be validated. */
  readonly onValidating: () => void;
};

/** The submission of batches. One for a process: which keys are being worked on is known to it alone. */
export function submitter(deps: SubmitDeps): Submit {
  const claim = createKeyClaims();
  return async (order) => {
    const release = claim(order.key);
    if (release === null) return { kind: "in progress" };
    try {
      return await (earlierUse(deps.store.read, deps.clock, order.key) ?? take(deps, order));
    } finally {
      release();
    }
  };
}

/**
 * Why an account may submit nothing more today: so many of its recipients were rejected already. It is asked before anything of a
 * submission is read, so that it looks at those of earlier ones alone; a list that is taken is kept and told whole.
 */
export function rejectedTooMany(
  { settings, store, clock, rejected: counts }: Pick<SubmissionDeps, "settings" | "store" | "clock" | "rejected">,
  accountId: number,
): IntakeRefusal | null {
  const { rejections_per_day: most } = settings.now().policy;
  if (most === 0) return null;
  const nowMs = clock.nowMs();
  const { rejected, endMs } = counts.today(store.read, accountId, nowMs);
  if (rejected < most) return null;
  const retrySeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1000));
  return { ...toRefusal("RATE_LIMITED.rejected", { rejected }), retrySeconds };
}

type Accepted = Extract<SubmissionAnswer, { kind: "accepted" }>;

/** Takes a submission whose key is new. */
async function take(
  deps: SubmitDeps,
  { accountId, key, request, replyTo }: SubmissionOrder,
): Promise<SubmissionAnswer> {
  const closed = deps.notNow();
  if (closed) return { kind: "refused", refusal: closed };
  const tooMuch = rejectedTooMany(deps, accountId);
  if (tooMuch) {
    countLimited(deps.store.tally, "rejected recipients");
    return { kind: "refused", refusal: tooMuch };
  }
  if (!request.ok) return { kind: "refused", refusal: request.refusal };
  const { recipients } = request.value;
  const account = accountById(deps.store.read, accountId);
  assert(account, "a submission belongs to an account");
  const checked = buildBatch(deps, account, request.value);
  if (!checked.ok) return { kind: "refused", refusal: checked.refusal };

  const conclusion: CommitHook<Accepted> = (tx, batch) => {
    const reply = replyTo(batch, tx);
    keepReply(tx, key, reply, batch.id, deps.clock.nowMs());
    return { kind: "accepted", batch, reply };
  };
  const taken =
    recipients.length > MAX_SYNCHRONOUS_RECIPIENTS
      ? await keepForValidation(deps, checked.value, recipients, conclusion)
      : await acceptBatch(
          deps,
          buildSubmissionContext(deps, account, checked.value, isOfAdministrators(key, accountId)),
          recipients,
          conclusion,
        );
  if (!taken.ok) return { kind: "refused", refusal: taken.refusal };
  ring(deps, taken.value.batch);
  return taken.value;
}

/** Tells whoever works on from here. */
function ring({ onQueued, onValidating }: SubmitDeps, { id, status, filled }: AcceptedBatch): void {
  if (status === "QUEUED" && filled?.length !== 0) onQueued(id, filled);
  if (status === "VALIDATING") onValidating();
}

/**
 * Keeps a batch that is too large to be validated at once: every recipient is durable, in pieces, before the last
 * transaction makes the batch VALIDATING and concludes. A crash before leaves nothing that counts, and so does a refusal,
 * because the account was suspended meanwhile.
 */
function keepForValidation<T>(
  deps: SubmissionDeps,
  batch: NewBatch,
  recipients: RecipientList,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const { store } = deps;
  return runStaging(deps, batch, 0, async (id) => {
    for (let piece = 0, at = 0; at < recipients.length; piece++, at += RECIPIENTS_A_STEP) {
      const step = jsonOf(recipients, at, at + RECIPIENTS_A_STEP);
      await store.write((tx) => insertSubmitted(tx, id, piece, step), "with the next");
    }
    return store.write((tx): IntakeOutcome<T> => {
      const verdict = checkActive(tx, batch.accountId);
      if (!verdict.ok) return verdict;
      openValidating(tx, id);
      const kept = {
        id,
        ulid: batch.ulid,
        clientReference: batch.clientReference,
        status: "VALIDATING",
        sums: EMPTY_SUMS,
        rejections: [],
        warnings: [],
        filled: null,
      } as const;
      return accepted(conclusion(tx, kept));
    });
  });
}

function jsonOf(recipients: RecipientList, start: number, end: number): string {
  return recipients.json?.(start, end) ?? JSON.stringify(recipients.slice(start, end));
}
