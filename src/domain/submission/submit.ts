/**
 * The one way in. Every caller (HTTP API, file, console, another protocol) calls `submitter` once and is answered with values;
 * wording them for a client is the caller's business. The steps, in order:
 *
 *   1. claim its key            idempotency        the same key at the same time is told to wait
 *   2. look for its answer      idempotency        answered before: the same answer again; with another text: refused
 *      and here one that is new ends while nothing new is taken in
 *   3. check what is asked      submission-context account, class, channel, sender, schedule; its shape was read before
 *   4. plan each recipient      expand-recipients  number, duplicate, operator, text, segments, price
 *   5. screen each recipient    screen-recipients  opt-outs, hours, caps, repeats, ceilings
 *   6. reserve, queue, conclude `acceptBatch`      money, messages, feed and the kept answer are one transaction
 *   7. notify, release the key, answer
 * Up to 250 recipients, 5 and 6 are one transaction. Up to 10,000 the rows are staged before the last one (staging.ts).
 * Above, recipients are kept as they came (`storeForValidation`), the batch is answered VALIDATING, and there 4 to 6 follow later.
 * Where a step refuses, nothing of the batch stays and its key is free again. See intake-channel.ts for channels.
 */
import { assert } from "../../core/assert.ts";
import { countLimited } from "../../core/metrics-registry.ts";
import { accepted, refuse, toRefusal } from "../../core/refusals.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../accounts/accounts.ts";
import { isUrgent } from "../accounts/message-class.ts";
import { type BatchStatus, deriveClaimedProgress } from "../messages/batch-status.ts";
import { stampClock } from "../messages/feed-stamps.ts";
import {
  type FirstClaims,
  insertBatch,
  type NewBatch,
  type Opening,
  type OpeningClaims,
} from "../messages/insert.ts";
import {
  addClaims,
  addRecipients,
  countAccepted,
  createRecipientMetrics,
} from "../messages/message-metrics.ts";
import { insertSubmitted, openValidating } from "../messages/pending-validation.ts";
import type {
  FastPathSlot,
  FilledQueue,
  PendingBatch,
  QueuedMessage,
  TakeFastPathSlot,
} from "../messages/queue.ts";
import {
  type AcceptedBatch,
  type CommitHook,
  checkActive,
  checkAllowance,
  deriveOpeningStatus,
  EMPTY_SUMS,
  reserveForBatch,
  toOpening,
  writeRecipients,
} from "./commit-batch.ts";
import {
  createKeyClaims,
  type EarlierUse,
  earlierUse,
  type IdempotencyKey,
  isOfAdministrators,
  type StoredReply,
  storeReply,
} from "./idempotency.ts";
import { iterateSteps, RECIPIENTS_A_STEP, type RecipientList } from "./recipients.ts";
import type { BatchRequest, IntakeOutcome, IntakeRefusal } from "./request.ts";
import { type ScreenedRecipients, screenRecipients } from "./screen-recipients.ts";
import { openStaged, runStaging, stageInSteps } from "./staging.ts";
import {
  buildBatch,
  buildSubmissionContext,
  type SubmissionContext,
  type SubmissionDeps,
} from "./submission-context.ts";

/** The largest batch that is validated before it is answered (docs/public-api.md section 2.2). */
const MAX_SYNCHRONOUS_RECIPIENTS = 10_000;

/** What the answer to a submission says of its batch when so many of its recipients are accepted. */
export function deriveAnsweredStatus(
  batch: NewBatch,
  recipients: number,
  acceptedRecipients: number,
): BatchStatus {
  return recipients > MAX_SYNCHRONOUS_RECIPIENTS
    ? "VALIDATING"
    : deriveOpeningStatus(batch, acceptedRecipients);
}

/** A submission as a caller brings it. */
export type SubmissionOrder = {
  readonly accountId: number;
  readonly key: IdempotencyKey;
  /** What was read of it. Faults in its shape are reported after what is known of its key. */
  readonly request: IntakeOutcome<BatchRequest>;
  /**
   * Words the answer for the caller; it is kept for a repetition (idempotency.ts says why). Called inside the accepting transaction,
   * perhaps twice: whatever else it writes is true with the batch or not at all.
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
  /** Called after the commit when a batch waits to be validated. */
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
 * Why an account may submit nothing more today: too many of its recipients were rejected already. Asked before a submission is read, so it
 * counts earlier ones alone; a list that is accepted is kept and reported whole.
 */
export function rejectedTooMany(
  {
    settings,
    store,
    clock,
    rejected: counts,
  }: Pick<SubmissionDeps, "settings" | "store" | "clock" | "rejected">,
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
    storeReply(tx, key, reply, batch.id, deps.clock.nowMs());
    return { kind: "accepted", batch, reply };
  };
  const taken =
    recipients.length > MAX_SYNCHRONOUS_RECIPIENTS
      ? await storeForValidation(deps, checked.value, recipients, conclusion)
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

/** Notifies whoever works on from here. */
function ring({ onQueued, onValidating }: SubmitDeps, { id, status, filled }: AcceptedBatch): void {
  if (status === "QUEUED" && filled?.length !== 0) onQueued(id, filled);
  if (status === "VALIDATING") onValidating();
}

/**
 * Keeps a batch that is too large to be validated at once: every recipient is durable, in pieces, before the last
 * transaction makes the batch VALIDATING and concludes. A crash before leaves nothing that counts, and so does a refusal,
 * because the account was suspended meanwhile.
 */
function storeForValidation<T>(
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

// From recipients to a paid batch. A small batch is screened, written and paid in one transaction. The rows of a larger
// one are staged in steps before, so that nobody waits for it; one last transaction pays and opens it, and nobody sees any
// of it earlier. What was staged before a refusal, a failure or a crash counts for nothing from that moment on
// (domain/messages/staged-recipients.ts), and its rows are dropped as soon as they can be.
//
// Nothing is written that the account could not pay with what was before it. So money bounds what a batch writes, as
// it bounds what the batch sends: of texts of 255 parts for 100,000 recipients, four gigabytes, an empty wallet writes
// nothing. There is no limit on the text of a batch beside it: docs/public-api.md section 8 has none, and what is absurd to
// one operator is the `max_segments` of another.

/**
 * Accepts a batch before it is answered, or says why the account can't have it now: then nothing of it stays. The value is
 * that of `conclusion`.
 */
export function acceptBatch<T>(
  deps: SubmissionDeps,
  terms: SubmissionContext,
  recipients: RecipientList,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  return recipients.length <= RECIPIENTS_A_STEP
    ? acceptAtOnce(deps, terms, recipients, conclusion)
    : acceptInSteps(deps, terms, recipients, conclusion);
}

async function acceptAtOnce<T>(
  { store, clock, messageIds, takeFastPathSlot }: SubmissionDeps,
  terms: SubmissionContext,
  recipients: RecipientList,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const { batch } = terms;
  const planned = await terms.planner.plan(recipients.slice(0, RECIPIENTS_A_STEP), 0);
  if (!planned.ok) return planned;
  const firstId = messageIds.take(planned.value.drafts.length);
  const places = createPlaces(takeFastPathSlot);
  const work = (tx: Tx): IntakeOutcome<T> => {
    const screened = screenRecipients(tx, terms, planned.value);
    const { sums, rejections, drafts } = screened;
    const verdict = checkAllowance(tx, batch.accountId, sums);
    if (!verdict.ok) return verdict;
    places.take(tx, batch, firstId, drafts);
    const atMs = clock.nowMs();
    const claims = places.claims(batch, atMs);
    const opening = toOpening(terms, sums, null);
    const id = insertBatch(tx, batch, firstId, withClaims(opening, claims));
    const stamps = stampClock(tx, atMs);
    writeRecipients(
      tx,
      batch,
      { id, firstId, claims, stampUs: () => stamps.next(batch.accountId) },
      screened,
    );
    reserveForBatch(tx, terms, { id, wallet: verdict.value }, sums, atMs);
    const isClaimed = (_: unknown, place: number) => claims?.unmatchedBefore.has(firstId + place) === true;
    const recipients = createRecipientMetrics();
    addRecipients(recipients, drafts, rejections);
    addClaims(recipients, drafts.filter(isClaimed));
    countAccepted(tx, batch, recipients);
    tx.afterCommit(() => places.leave(id));
    // It is answered as QUEUED, whatever of it leaves at once.
    const { status, warnings } = opening;
    const filled = places.waiting(id);
    const { ulid, clientReference } = batch;
    const opened = { id, ulid, clientReference, status, sums, rejections, warnings, filled };
    return accepted(conclusion(tx, opened));
  };
  try {
    return await store.write(work, "at once", isUrgent(batch.messageClass) ? "ahead" : "in turn");
  } finally {
    places.end();
  }
}

function acceptInSteps<T>(
  deps: SubmissionDeps,
  terms: SubmissionContext,
  recipients: RecipientList,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const firstId = deps.messageIds.take(recipients.length);
  return runStaging(deps, terms.batch, firstId, async (id, stage) => {
    const mayGoOn = (): IntakeOutcome<null> =>
      deps.isStopping() ? refuse("SERVICE_UNAVAILABLE.stopping") : accepted(null);
    const staged = await stageInSteps(deps, terms, { id, firstId, stage }, iterateSteps(recipients), mayGoOn);
    return staged.ok ? openStaged(deps, terms, id, staged.value, conclusion) : staged;
  });
}

// What of a batch leaves at once as it is accepted, and what of it waits in the queue.

/** The messages of a batch for one operator, in order, and the fast-path slots for the first of them. */
type Place = {
  readonly batch: PendingBatch;
  readonly messages: readonly QueuedMessage[];
  readonly slot: FastPathSlot | null;
};

/**
 * The messages of one batch by operator. Slots on the workers are taken inside the accepting transaction, which may be run again: what an
 * earlier run took is given back then.
 */
type Places = {
  /** To be called before anything of the batch is written. `firstId`: the row id of the first message. */
  readonly take: (tx: Tx, batch: NewBatch, firstId: number, drafts: ScreenedRecipients["drafts"]) => void;
  /** What the transaction claims; null for nothing. */
  readonly claims: (batch: NewBatch, nowMs: number) => FirstClaims | null;
  /** To be called once the transaction is durable: what it claimed leaves. */
  readonly leave: (batchId: number) => void;
  /** What waits, as it would be read from the queue. */
  readonly waiting: (batchId: number) => readonly FilledQueue[];
  /** Gives unused slots back. To be called at the end, whatever came of it. */
  readonly end: () => void;
};

function createPlaces(takeFastPathSlot: TakeFastPathSlot): Places {
  let places: readonly Place[] = [];
  const end = (): void => {
    for (const place of places) place.slot?.end();
    places = [];
  };
  return {
    end,
    take: (tx, batch, firstId, drafts) => {
      end();
      const { accountId, messageClass, sender, body, createdAt, scheduledAt, fallback } = batch;
      const expiresAt = fallback?.firstExpiresAt ?? batch.expiresAt;
      const head = { accountId, messageClass, sender, body, createdAt, expiresAt };
      for (const [operator, messages] of byOperator(firstId, drafts)) {
        const place = { batch: { ...head, operator }, messages };
        const taken = scheduledAt === null ? takeFastPathSlot(tx, place.batch, messages) : null;
        places = [...places, { ...place, slot: taken }];
      }
    },
    claims: ({ chargeOn }, nowMs) => {
      const unmatchedBefore = new Map<number, number>();
      for (const { slot, messages } of places)
        for (const { id } of messages.slice(0, slot?.count ?? 0))
          unmatchedBefore.set(id, slot?.unmatchedBefore ?? 0);
      return unmatchedBefore.size === 0 ? null : { chargeOn, nowMs, unmatchedBefore };
    },
    leave: (batchId) => {
      for (const { slot } of places) slot?.leave(batchId);
    },
    waiting: (batchId) =>
      places
        .map(({ batch, messages, slot }) => ({
          batch: { ...batch, batchId },
          messages: messages.slice(slot?.count ?? 0),
        }))
        .filter(({ messages }) => messages.length > 0),
  };
}

/** A batch that is opened with these claims. */
function withClaims(opening: Opening, claims: FirstClaims | null): Opening & Partial<OpeningClaims> {
  if (claims === null) return opening;
  const submitted = claims.unmatchedBefore.size;
  return { ...opening, ...deriveClaimedProgress(opening.sums.accepted, claims.nowMs), submitted };
}

const NEVER_TRIED = { attempts: 0, resends: 0, operatorCode: null } as const;

function byOperator(
  firstId: number,
  drafts: ScreenedRecipients["drafts"],
): ReadonlyMap<string, QueuedMessage[]> {
  const found = new Map<string, QueuedMessage[]>();
  for (const [index, { operator, msisdn, segments, text }] of drafts.entries()) {
    const messages = found.get(operator) ?? [];
    messages.push({ id: firstId + index, msisdn, segments, text, ...NEVER_TRIED });
    found.set(operator, messages);
  }
  return found;
}
