/** Wires up quoting and accepting batches, for API clients and for administrators. */

import type { Submissions } from "../admin/operations/submissions.ts";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { toRefusal } from "../core/refusals.ts";
import type { StartThread } from "../core/thread.ts";
import type { Store } from "../db/store.ts";
import { messageIds } from "../domain/messages/insert.ts";
import { isRestoring } from "../domain/messages/restore-holds.ts";
import { stages } from "../domain/messages/staged-recipients.ts";
import { type QuoteBatch, quoter } from "../domain/submission/quote.ts";
import { rejectionCounts } from "../domain/submission/rejections.ts";
import type { IntakeRefusal } from "../domain/submission/request.ts";
import { rejectedTooMany, type Submit, type SubmitDeps, submitter } from "../domain/submission/submit.ts";
import { quoteObject, toSubmissionReply } from "../ingress/api/submission.ts";
import { readSubmission, submissionReader } from "../ingress/api/submission-reader.ts";
import { intakeChannels } from "./channels.ts";

/** One per process: it alone knows the work under way. */
export type BatchServices = {
  readonly submitBatch: Submit;
  readonly quoteBatch: QuoteBatch;
  /** Why an account may submit nothing more today; called before the body is read. */
  readonly rejectedTooMany: (accountId: number) => IntakeRefusal | null;
  /** For administrators. */
  readonly submissions: Submissions;
  /** Ends the thread that reads administrators' submissions. */
  readonly stop: () => void;
};

export function batchServices(intake: SubmitDeps, startThread: StartThread): BatchServices {
  const submitBatch = submitter(intake);
  const quoteBatch = quoter(intake);
  const reader = submissionReader(() => startThread("ingress/api/submission-thread.ts"), intake.clock);
  const submissions = { ...inOurWords(submitBatch, quoteBatch), read: reader.read };
  return {
    submitBatch,
    quoteBatch,
    rejectedTooMany: (accountId) => rejectedTooMany(intake, accountId),
    submissions,
    stop: reader.stop,
  };
}

type OfflineDeps = {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly spaceOf: (directory: string) => { readonly freeBytes: number };
};

/** No log: a command reports its own result. */
const SILENT: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => SILENT,
};

const MEGABYTE = 1024 * 1024;

/** Without a server: accepted batches wait in the queue for the next start, large ones to be validated. */
export function createOfflineSubmissions({ store, config, clock, newId, spaceOf }: OfflineDeps): Submissions {
  const settings = { now: () => config, pem: () => null, onChange: () => () => {} };
  const intake: SubmitDeps = {
    store,
    clock,
    newId,
    settings,
    log: SILENT,
    messageIds: messageIds(store.read),
    stages: stages(),
    rejected: rejectionCounts(),
    channels: intakeChannels({ settings, store, log: SILENT }),
    onQueued: () => {},
    onValidating: () => {},
    notNow: () => {
      if (isRestoring(store.read)) return toRefusal("RESTORING");
      const isFull = spaceOf(store.directory).freeBytes < config.storage.reserve_megabytes * MEGABYTE;
      return isFull ? toRefusal("STORAGE_FULL") : null;
    },
    takeFastPathSlot: () => null,
    isStopping: () => false,
  };
  return { ...inOurWords(submitter(intake), quoter(intake)), read: readSubmission };
}

function inOurWords(submitBatch: Submit, quoteBatch: QuoteBatch): Omit<Submissions, "read"> {
  return {
    submit: ({ alsoStore, ...order }) =>
      submitBatch({
        ...order,
        replyTo: (batch, tx) => {
          alsoStore?.(tx, batch.id);
          return toSubmissionReply(batch);
        },
      }),
    quote: (order) => quoteBatch({ ...order, isByHand: true }),
    quoteData: (quote) => quoteObject(quote, ALL_SEEN),
  };
}

/** Administrators may read balances. */
const ALL_SEEN = new Set(["ACCOUNT_READ"] as const);
