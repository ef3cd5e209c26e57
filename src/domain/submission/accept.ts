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
import { insertBatch } from "../messages/insert.ts";
import { addClaims, addRecipients, countAccepted, noRecipients } from "../messages/message-tally.ts";
import { stampClock } from "../messages/stamps.ts";
import { type Conclusion, mayHave, openingOf, payFor, writeRecipients } from "./open.ts";
import { placesOf, withClaims } from "./passages.ts";
import { RECIPIENTS_A_STEP, type RecipientList, stepsOf } from "./recipient-list.ts";
import type { IntakeOutcome } from "./refusals.ts";
import { screenStep } from "./screen-step.ts";
import { openStaged, stageInSteps } from "./staged-steps.ts";
import { withStagedBatch } from "./staging.ts";
import type { BatchTerms, IntakeDeps } from "./terms.ts";

/**
 * Accepts a batch before it is answered, or says why the account can't have it now: then nothing of it stays. The value is
 * that of `conclusion`.
 */
export function acceptBatch<T>(
  deps: IntakeDeps,
  terms: BatchTerms,
  recipients: RecipientList,
  conclusion: Conclusion<T>,
): Promise<IntakeOutcome<T>> {
  return recipients.length <= RECIPIENTS_A_STEP
    ? acceptAtOnce(deps, terms, recipients, conclusion)
    : acceptInSteps(deps, terms, recipients, conclusion);
}

async function acceptAtOnce<T>(
  { store, clock, messageIds, passage }: IntakeDeps,
  terms: BatchTerms,
  recipients: RecipientList,
  conclusion: Conclusion<T>,
): Promise<IntakeOutcome<T>> {
  const { batch } = terms;
  const planned = await terms.planner.plan(recipients.slice(0, RECIPIENTS_A_STEP), 0);
  if (!planned.ok) return planned;
  const firstId = messageIds.take(planned.value.drafts.length);
  const places = placesOf(passage);
  const work = (tx: Tx): IntakeOutcome<T> => {
    const screened = screenStep(tx, terms, planned.value);
    const { sums, rejections, drafts } = screened;
    const verdict = mayHave(tx, batch.accountId, sums);
    if (!verdict.ok) return verdict;
    places.take(tx, batch, firstId, drafts);
    const atMs = clock.nowMs();
    const claims = places.claims(batch, atMs);
    const opening = openingOf(terms, sums, null);
    const id = insertBatch(tx, batch, firstId, withClaims(opening, claims));
    const stamps = stampClock(tx, atMs);
    writeRecipients(
      tx,
      batch,
      { id, firstId, claims, stampUs: () => stamps.next(batch.accountId) },
      screened,
    );
    payFor(tx, terms, { id, wallet: verdict.value }, sums, atMs);
    const isClaimed = (_: unknown, place: number) => claims?.parkedBefore.has(firstId + place) === true;
    const recipients = noRecipients();
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
  deps: IntakeDeps,
  terms: BatchTerms,
  recipients: RecipientList,
  conclusion: Conclusion<T>,
): Promise<IntakeOutcome<T>> {
  const firstId = deps.messageIds.take(recipients.length);
  return withStagedBatch(deps, terms.batch, firstId, async (id, stage) => {
    const mayGoOn = (): IntakeOutcome<null> =>
      deps.isStopping() ? refuse("SERVICE_UNAVAILABLE.stopping") : accepted(null);
    const staged = await stageInSteps(deps, terms, { id, firstId, stage }, stepsOf(recipients), mayGoOn);
    return staged.ok ? openStaged(deps, terms, id, staged.value, conclusion) : staged;
  });
}
