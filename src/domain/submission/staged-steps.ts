/** How a large batch comes to be: staged run by run, then paid for and opened in one transaction. */
import { accepted, type Outcome } from "../../core/failures.ts";
import type { Tx } from "../../db/write.ts";
import { type BatchSums, openBatch } from "../messages/insert.ts";
import {
  addRecipients,
  countAccepted,
  createRecipientMetrics,
  type RecipientMetrics,
} from "../messages/message-tally.ts";
import type { Stage } from "../messages/stages.ts";
import { stampClock } from "../messages/stamps.ts";
import { type CommitHook, checkAllowance, EMPTY_SUMS, toOpening, reserveForBatch, writeRecipients } from "./open.ts";
import { type Planned, type RecipientRejection, runsOf } from "./plan.ts";
import type { IntakeOutcome, IntakeRefusalCode } from "./refusals.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { type ScreenedRecipients, screenRecipients } from "./screen-step.ts";
import type { SubmissionContext, SubmissionDeps } from "./terms.ts";

/** A batch as it stands with all its rows staged, before it is paid for. */
export type StagedBatch = {
  readonly sums: BatchSums;
  readonly rejections: readonly RecipientRejection[];
  readonly recipients: RecipientMetrics;
};

/** Where a batch is staged whose row `id` is there already. */
export type StagingPlace = { readonly id: number; readonly firstId: number; readonly stage: Stage };

/** Plans and stages the recipients of a batch, step by step; `mayGoOn` is asked before each step and after the last. */
export async function stageInSteps<Code extends string = IntakeRefusalCode>(
  { store }: SubmissionDeps,
  terms: SubmissionContext,
  { id, firstId, stage }: StagingPlace,
  steps: Iterable<readonly RequestRecipient[]>,
  mayGoOn: () => Outcome<null, Code> = () => accepted(null),
): Promise<Outcome<StagedBatch, Code | IntakeRefusalCode>> {
  const rejections: RecipientRejection[] = [];
  const recipients = createRecipientMetrics();
  let sums = EMPTY_SUMS;
  let position = 0;
  for (const step of steps) {
    const going = mayGoOn();
    if (!going.ok) return going;
    const planned = await terms.planner.plan(step, position);
    if (!planned.ok) return planned;
    position += step.length;
    for (const run of runsOf(planned.value)) {
      const place = { id, firstId: firstId + sums.accepted, stage };
      const before = sums;
      const staged = await store.write((tx) => stageRun(tx, terms, place, run, before), "with the next");
      if (!staged.ok) return staged;
      const { screened } = staged.value;
      for (const rejection of screened.rejections) rejections.push(rejection);
      addRecipients(recipients, screened.drafts, screened.rejections);
      sums = staged.value.sums;
    }
  }
  const going = mayGoOn();
  return going.ok ? accepted({ sums, rejections, recipients }) : going;
}

/** What a run came to, and the batch with it. */
type StagedRun = { readonly sums: BatchSums; readonly screened: ScreenedRecipients };

/** Writes a run, unless the account can't pay for it together with what `before` came to. The sums are those up to it. */
function stageRun(
  tx: Tx,
  terms: SubmissionContext,
  { stage, id, firstId }: StagingPlace,
  run: Planned,
  before: BatchSums,
): IntakeOutcome<StagedRun> {
  const { batch } = terms;
  const screened = screenRecipients(tx, terms, run, { stage, recipients: before.accepted });
  const sums = added(before, screened.sums);
  const verdict = checkAllowance(tx, batch.accountId, sums, "so far");
  if (!verdict.ok) return verdict;
  writeRecipients(tx, batch, { id, firstId, stampUs: null }, screened);
  stage.holds(sums.accepted);
  return accepted({ sums, screened });
}

function added(a: BatchSums, b: BatchSums): BatchSums {
  return {
    accepted: a.accepted + b.accepted,
    rejected: a.rejected + b.rejected,
    segments: a.segments + b.segments,
    amount: a.amount + b.amount,
  };
}

/** Pays for a staged batch and opens it, in one transaction. */
export function openStaged<T>(
  { store, clock }: SubmissionDeps,
  terms: SubmissionContext,
  id: number,
  { sums, rejections, recipients }: StagedBatch,
  conclusion: CommitHook<T>,
): Promise<IntakeOutcome<T>> {
  const { batch } = terms;
  return store.write((tx): IntakeOutcome<T> => {
    const verdict = checkAllowance(tx, batch.accountId, sums);
    if (!verdict.ok) return verdict;
    const atMs = clock.nowMs();
    const queuedStampUs = sums.accepted > 0 ? stampClock(tx, atMs).run(batch.accountId, sums.accepted) : null;
    const opening = toOpening(terms, sums, queuedStampUs);
    openBatch(tx, id, opening);
    reserveForBatch(tx, terms, { id, wallet: verdict.value }, sums, atMs);
    countAccepted(tx, batch, recipients);
    const { status, warnings } = opening;
    const { ulid, clientReference } = batch;
    const opened = { id, ulid, clientReference, status, sums, rejections, warnings, filled: null };
    return accepted(conclusion(tx, opened));
  });
}
