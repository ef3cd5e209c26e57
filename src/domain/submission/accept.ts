/**
 * From recipients to a paid batch. A small batch is screened, written and paid in one transaction. The rows of a larger
 * one are staged in steps before, so that nobody waits for it; one last transaction pays and opens it, and nobody sees any
 * of it earlier. What was staged before a refusal, a failure or a crash counts for nothing from that moment on
 * (domain/messages/stages.ts), and its rows are dropped as soon as they can be.
 *
 * Nothing is written that the account could not pay with what was before it. So money bounds what a batch writes, as
 * it bounds what the batch sends: of texts of 255 parts for 100,000 recipients, four gigabytes, an empty wallet writes
 * nothing. There is no limit on the text of a batch beside it: docs/public-api.md section 8 has none, and what is absurd to
 * one operator is the `max_segments` of another.
 */
import { accepted, refuse } from "../../core/failures.ts";
import type { Tx } from "../../db/write.ts";
import { isUrgent } from "../accounts/classes.ts";
import { deriveClaimedProgress } from "../messages/batch-status.ts";
import type { FirstClaims } from "../messages/first-claim.ts";
import { insertBatch, type NewBatch, type Opening, type OpeningClaims } from "../messages/insert.ts";
import { addClaims, addRecipients, countAccepted, createRecipientMetrics } from "../messages/message-tally.ts";
import type { FilledQueue, FastPathSlot, QueuedMessage, TakeFastPathSlot, PendingBatch } from "../messages/queue.ts";
import { stampClock } from "../messages/stamps.ts";
import { type CommitHook, checkAllowance, toOpening, reserveForBatch, writeRecipients } from "./open.ts";
import { RECIPIENTS_A_STEP, type RecipientList, stepsOf } from "./recipient-list.ts";
import type { IntakeOutcome } from "./refusals.ts";
import { type ScreenedRecipients, screenRecipients } from "./screen-step.ts";
import { openStaged, stageInSteps } from "./staged-steps.ts";
import { runStaging } from "./staging.ts";
import type { SubmissionContext, SubmissionDeps } from "./terms.ts";

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
  { store, clock, messageIds, passage }: SubmissionDeps,
  terms: SubmissionContext,
  recipients: RecipientList,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const { batch } = terms;
  const planned = await terms.planner.plan(recipients.slice(0, RECIPIENTS_A_STEP), 0);
  if (!planned.ok) return planned;
  const firstId = messageIds.take(planned.value.drafts.length);
  const places = placesOf(passage);
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
    const isClaimed = (_: unknown, place: number) => claims?.parkedBefore.has(firstId + place) === true;
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
    const staged = await stageInSteps(deps, terms, { id, firstId, stage }, stepsOf(recipients), mayGoOn);
    return staged.ok ? openStaged(deps, terms, id, staged.value, conclusion) : staged;
  });
}

// What of a batch that is being accepted leaves at once, and what of it waits in the queue.

/** The messages of a batch for one operator, in order, and the room that there is for the first of them. */
type Place = {
  readonly batch: PendingBatch;
  readonly messages: readonly QueuedMessage[];
  readonly passage: FastPathSlot | null;
};

/**
 * The messages of one batch by operator. Room on the lines is taken inside the accepting transaction, which may be run again: what
 * an earlier run took is given back then.
 */
type Places = {
  /** To be called before anything of the batch is written. `firstId`: the row id of the first message. */
  readonly take: (tx: Tx, batch: NewBatch, firstId: number, drafts: ScreenedRecipients["drafts"]) => void;
  /** What the transaction claims; null for nothing. */
  readonly claims: (batch: NewBatch, nowMs: number) => FirstClaims | null;
  /** To be called once the transaction is durable: what it claimed leaves. */
  readonly leave: (batchId: number) => void;
  /** What waits, as the queue would be read. */
  readonly waiting: (batchId: number) => readonly FilledQueue[];
  /** Gives back the room that nothing left by. To be called at the end, whatever came of it. */
  readonly end: () => void;
};

function placesOf(passage: TakeFastPathSlot): Places {
  let places: readonly Place[] = [];
  const end = (): void => {
    for (const place of places) place.passage?.end();
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
        const taken = scheduledAt === null ? passage(tx, place.batch, messages) : null;
        places = [...places, { ...place, passage: taken }];
      }
    },
    claims: ({ chargeOn }, nowMs) => {
      const parkedBefore = new Map<number, number>();
      for (const { passage, messages } of places)
        for (const { id } of messages.slice(0, passage?.count ?? 0))
          parkedBefore.set(id, passage?.parkedBefore ?? 0);
      return parkedBefore.size === 0 ? null : { chargeOn, nowMs, parkedBefore };
    },
    leave: (batchId) => {
      for (const { passage } of places) passage?.leave(batchId);
    },
    waiting: (batchId) =>
      places
        .map(({ batch, messages, passage }) => ({
          batch: { ...batch, batchId },
          messages: messages.slice(passage?.count ?? 0),
        }))
        .filter(({ messages }) => messages.length > 0),
  };
}

/** A batch that is opened with these claims. */
function withClaims(opening: Opening, claims: FirstClaims | null): Opening & Partial<OpeningClaims> {
  if (claims === null) return opening;
  const submitted = claims.parkedBefore.size;
  return { ...opening, ...deriveClaimedProgress(opening.sums.accepted, claims.nowMs), submitted };
}

const NEVER_TRIED = { attempts: 0, resends: 0, operatorCode: null } as const;

function byOperator(firstId: number, drafts: ScreenedRecipients["drafts"]): ReadonlyMap<string, QueuedMessage[]> {
  const found = new Map<string, QueuedMessage[]>();
  for (const [index, { operator, msisdn, segments, text }] of drafts.entries()) {
    const messages = found.get(operator) ?? [];
    messages.push({ id: firstId + index, msisdn, segments, text, ...NEVER_TRIED });
    found.set(operator, messages);
  }
  return found;
}
