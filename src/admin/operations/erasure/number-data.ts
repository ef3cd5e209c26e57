/**
 * Erases a number and its texts from everything that is kept, in steps beside the sending (docs/administration.md#one-persons-data).
 * After an interruption, what was erased stays erased, and running it again completes it: what is left is found by the number.
 */
import {
  eraseReceipts,
  eraseTestMessages,
  eraseUnknownOutcomes,
  unmatchedPage,
} from "../../../channels/sms/erase-number.ts";
import { listTestsTo } from "../../../channels/sms/test-messages.ts";
import { erasePosts } from "../../../channels/whatsapp/posts.ts";
import { erasePreferences, readPreferences } from "../../../channels/whatsapp/users.ts";
import { wait } from "../../../core/clock.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { createNumberMatcher, type ErasedNumber, type NumberMatcher } from "../../../core/number-matcher.ts";
import { collectPages, type Page } from "../../../core/paging.ts";
import { askThread } from "../../../core/thread.ts";
import type { Reader } from "../../../db/reader.ts";
import type { Tx } from "../../../db/writer.ts";
import { listAccounts, listSandboxes } from "../../../domain/accounts/accounts.ts";
import { type AuditDetail, entriesPage, recordAudit } from "../../../domain/accounts/audit.ts";
import {
  EVERYWHERE,
  eraseEntries,
  eraseSuppressions,
  isErasureKeyMissing,
  suppressionsAbout,
} from "../../../domain/accounts/suppressions.ts";
import {
  dropSegments,
  eraseInbound,
  inboundPage,
  waitingSegments,
} from "../../../domain/inbound/inbound-texts.ts";
import { batchById } from "../../../domain/messages/batches.ts";
import { cancelQueuedMessage } from "../../../domain/messages/cancellation.ts";
import { idsAtAll } from "../../../domain/messages/id-ranges.ts";
import {
  addEarlierRows,
  eraseRows,
  findRowsOfNumber,
  writeOutImports,
} from "../../../domain/messages/import-rows.ts";
import {
  eraseMessages,
  eraseRejections,
  type MessageTo,
  readMessagesTo,
  rejectionsPage,
  submittedPage,
} from "../../../domain/messages/number-records.ts";
import { eraseMessagesTo } from "../../../domain/messages/recent-messages.ts";
import { deleteNumberFromIndex, idsToNumber } from "../../../domain/messages/search/number-index.ts";
import { changedBlocks } from "../../../domain/messages/search/search-blocks.ts";
import { eraseReplies, repliesPage } from "../../../domain/submission/idempotency.ts";
import { erasePorted, portedAbout } from "../../../domain/submission/ported-numbers.ts";
import {
  callbacksAbout,
  eraseCallbacks,
  eraseSubscriptions,
  expandSubscriptions,
  readSubscriptions,
} from "../../../ingress/compat/callback-subscriptions.ts";
import { eraseFollows, followsOfMessages, receiptsAbout } from "../../../ingress/smpp/follows.ts";
import { eraseParts, partsPage } from "../../../ingress/smpp/parts.ts";
import { eraseRetries, type PendingEvent, readRetriesPage } from "../../../webhooks/attempts.ts";
import { touchEndpoints } from "../../../webhooks/endpoints.ts";
import type { AdminContext } from "../context.ts";
import { readMsisdn } from "../msisdn.ts";
import { type AdminOutcome, done, refuse } from "../refusal.ts";
import type { SearchWork } from "./search-thread.ts";

/** Something beside the database that still holds the number. */
export type RetainedCopy = {
  readonly file: string;
  readonly made_at: string;
  /** When it is removed automatically; null: only by hand. */
  readonly until: string | null;
};

/** `listRetainedCopies`: called at the end. */
type EraseRequest = {
  readonly msisdn: string;
  readonly isCancelling: boolean;
  /** The key of earlier erasures is lost: makes another; suppressions under the old one stop counting. */
  readonly isWithNewKey: boolean;
  readonly listRetainedCopies: () => readonly RetainedCopy[];
};

export async function dataErase(
  context: AdminContext,
  { msisdn, isCancelling, isWithNewKey, listRetainedCopies }: EraseRequest,
) {
  const { store, chance } = context;
  const sought = readSoughtNumber(context, msisdn);
  if (!sought.ok) return sought;
  const number = sought.value;
  if (!isWithNewKey && isErasureKeyMissing(store.read, store.names.of("") !== null)) {
    return refuse("ERASURE_KEY_MISSING");
  }
  const name = store.names.give(number.msisdn, chance);
  await writeOutImports(store);
  await expandSubscriptions(store, context.clock);
  const erased: ErasedNumber = { msisdn: number.msisdn, name };
  let about = await gatherNumberData(context, number);
  let cancelled = 0;
  if (isCancelling) {
    cancelled = await cancelWhatWaits(context, erased, about.messages);
    if (cancelled > 0) about = await gatherNumberData(context, number);
  }
  const open = refuseIfOpen(store.read, about, cancelled);
  if (!open.ok) return open;
  const found = countOf(about);
  // Recorded before the first step, so that an interrupted erasure shows who began it.
  if (found > 0) await noted(context, name, { found });
  const counts = await eraseAll(context, number, erased, about);
  const left = countOf(await gatherNumberData(context, number));
  if (found > 0) await noted(context, name, counts);
  const inFile = await leftInFile(context, number);
  return done({
    /** What replaces the number from now on. */
    number: name,

    /** Messages that waited and were cancelled. */
    cancelled,
    erased: counts,

    /** What arrived during the erasure, and is not erased. */
    left,

    /** How often the number still occurs in free space of the database file; null where that could not be searched. */
    left_in_file: inFile,
    held_by: listRetainedCopies(),
  });
}

/** Rows of one step, which takes some milliseconds at most. */
const ROWS_A_STEP = 25;
const REST_MS = 20;

async function eraseAll(
  context: AdminContext,
  number: NumberMatcher,
  erased: ErasedNumber,
  about: AboutNumber,
) {
  const { store, clock, breakOff } = context;
  const runInBatches = async <Row>(
    rows: readonly Row[],
    work: (tx: Tx, step: readonly Row[]) => number,
  ): Promise<number> => {
    let count = 0;
    for (let at = 0; at < rows.length; at += ROWS_A_STEP) {
      breakOff?.throwIfAborted();
      const step = rows.slice(at, at + ROWS_A_STEP);
      count += await store.write((tx) => work(tx, step), "with the next");
      await wait(clock, REST_MS);
    }
    return count;
  };
  const accounts = listAccounts(store.read).map(({ id }) => id);
  const sides = [...accounts, ...listSandboxes(store.read)];
  // Before the messages: an opt-out must not be lost first.
  const suppressions = await runInBatches([EVERYWHERE, ...sides], (tx, step) =>
    eraseSuppressions(tx, erased, step),
  );
  const preferences = await runInBatches([about.preferences.length], (tx) => erasePreferences(tx, erased));
  await runInBatches(sides, (tx, step) => eraseMessagesTo(tx, step, erased.msisdn));
  return {
    suppressions,

    /** Marketing preferences that the user set in WhatsApp itself, for each of our numbers. */
    preferences,
    messages: await runInBatches(about.messages, (tx, step) => {
      const ids = step.map(({ id }) => id);
      eraseUnknownOutcomes(tx, JSON.stringify(ids));
      erasePosts(tx, JSON.stringify(ids));
      deleteNumberFromIndex(tx, erased.msisdn, ids);
      eraseSubscriptions(tx, ids);
      eraseFollows(tx, erased.name, ids);
      // Events being delivered still name the number, and must not be kept for a retry.
      touchEndpoints(tx, [...new Set(step.map(({ account_id }) => account_id))]);
      return eraseMessages(tx, erased, JSON.stringify(ids));
    }),

    /** Rejected recipients, and unreadable rows of files. */
    rejections:
      (await runInBatches(about.rejections, (tx, step) => eraseRejections(tx, erased, step))) +
      (await runInBatches(about.unreadable, (tx, step) => eraseRows(tx, erased, step))),
    /** A later import brings a number again. */
    ported: await runInBatches(about.ported, (tx) => erasePorted(tx, erased.msisdn)),
    inbound_texts:
      (await runInBatches(about.inboundTexts, (tx, step) =>
        eraseInbound(
          tx,
          erased,
          step.map(({ id }) => id),
        ),
      )) + (await runInBatches(about.segments, dropSegments)),
    receipts: await runInBatches(about.receipts, (tx, step) => eraseReceipts(tx, number, erased, step)),
    operator_tests: await runInBatches(about.tests, (tx, step) => eraseTestMessages(tx, erased, step)),
    remembered_answers: await runInBatches(about.answers, (tx, step) => eraseReplies(tx, erased, step)),
    // Searched again: until its message was erased, a failed attempt may have left one.
    waiting_events: await runInBatches(await gatherEvents(context, number), (tx, step) =>
      eraseRetries(tx, erased, step),
    ),
    // Likewise, a callback subscription may have left one until then.
    waiting_callbacks: await runInBatches(callbacksAbout(store.read, number.msisdn), eraseCallbacks),
    /** Of long texts over SMPP whose time is over. */
    smpp_parts: await runInBatches(about.smppParts, eraseParts),
    audit_entries: await runInBatches(about.audit, (tx, step) => eraseEntries(tx, number, erased, step)),
  };
}

/** What of all that is found is still there. */
function countOf(about: AboutNumber): number {
  return Object.values(about).reduce((sum, rows) => sum + rows.length, 0);
}

/** Notes who did what. */
function noted({ store, clock, actor }: AdminContext, name: string, detail: AuditDetail): Promise<void> {
  return store.write((tx) =>
    recordAudit(tx, { atMs: clock.nowMs(), actor, action: "data erase", subject: name, detail }),
  );
}

/** Cancels queued messages to a number, one by one; returns how many. Others in the same batch go on. */
async function cancelWhatWaits(
  { store, clock, actor, server }: AdminContext,
  { name }: ErasedNumber,
  messages: readonly MessageTo[],
): Promise<number> {
  let cancelled = 0;
  for (const { id, ulid, account_id: accountId, batch_id: batchId } of messages.filter(
    ({ status }) => status === "QUEUED",
  )) {
    cancelled += await store.write((tx) => {
      if (!cancelQueuedMessage(tx, id, "data erase", clock.nowMs())) return 0;
      const detail = { cancelled: ulid };
      recordAudit(tx, { atMs: clock.nowMs(), actor, action: "data erase", subject: name, detail });
      tx.afterCommit(() => server?.changed({ kind: "batch", accountId, batchId }));
      return 1;
    }, "with the next");
  }
  return cancelled;
}

/** The most items named one by one. */
const MAX_NAMED = 20;

/** Whether a message may still change: it is not final, or its batch was not answered yet. */
function isOpen({ is_final, batch_status }: MessageTo): boolean {
  return is_final === 0 || batch_status === "STAGING" || batch_status === "VALIDATING";
}

/** Refuses, with the list, while any message of the number is open. */
function refuseIfOpen(read: Reader, about: AboutNumber, cancelled: number): AdminOutcome<null> {
  const messages = about.messages.filter(isOpen).map(({ ulid, status }) => `${ulid} ${status}`);
  const batches = [...new Set(about.submitted.map(({ batchId }) => batchId))].flatMap((id) => {
    const batch = batchById(read, id);
    return batch?.status === "VALIDATING" ? [`${batch.ulid} VALIDATING`] : [];
  });
  const parts = about.smppParts
    .filter(({ state }) => state === null)
    .map(({ replyId }) => `${replyId} ENROUTE`);
  const receipts = about.smppReceipts.map(({ replyId, state }) => `${replyId} ${state ?? "ENROUTE"}`);
  const open = [...messages, ...batches, ...parts, ...receipts];
  if (open.length === 0) return done(null);
  const named = open.slice(0, MAX_NAMED).join(", ");
  const more = open.length - MAX_NAMED;
  if (cancelled > 0) {
    return more > 0
      ? refuse("NOT_FINAL.cancelled_many", { cancelled, open: named, more })
      : refuse("NOT_FINAL.cancelled", { cancelled, open: named });
  }
  return more > 0 ? refuse("NOT_FINAL.many", { open: named, more }) : refuse("NOT_FINAL", { open: named });
}

/** How often emptying the write-ahead log is tried: a reader may hold it for a moment. */
const TRIES = 20;
const BETWEEN_MS = 100;

/**
 * Counts how often the octets of a number still occur in the database file, in free space of split pages: empties the log and searches
 * the file, in a thread. Null where that cannot be searched.
 */
async function leftInFile(
  { store, clock, machine, breakOff }: AdminContext,
  { msisdn }: NumberMatcher,
): Promise<number | null> {
  for (let tries = 0; tries < TRIES && store.logBytes() > 0; tries++) {
    store.truncateWal();
    await store.write(() => {});
    if (store.logBytes() > 0) await wait(clock, BETWEEN_MS);
  }
  const file = store.file();
  if (file === null || store.logBytes() > 0) return null;
  const work: SearchWork = { file, text: msisdn.slice(1) };
  return (await askThread(
    machine.startThread,
    "admin/operations/erasure/search-thread.ts",
    work,
    breakOff,
  )) as number;
}

// All that is kept about one number, table by table: what `data export` shows and `data erase` erases.

/** Rows as the rooms keep them, each list in the order in which it was written but for messages: the newest first. */
export type AboutNumber = Readonly<Awaited<ReturnType<typeof gatherNumberData>>>;

/** Messages that are looked at by id in one go. */
const IDS_A_STEP = 200;

/** The number that a text means, as those of batches are read. */
export function readSoughtNumber(context: AdminContext, text: string): AdminOutcome<NumberMatcher> {
  const msisdn = readMsisdn(context.config, text);
  return msisdn.ok ? done(createNumberMatcher(msisdn.value)) : msisdn;
}

/** Finds all of it, in slices beside other work. */
export async function gatherNumberData(context: AdminContext, number: NumberMatcher) {
  const { read } = context.store;
  const { clock } = context;
  const pause = createYielder(clock);
  const through = <Found, Place>(
    page: (read: Reader, number: NumberMatcher, after: Place | null) => Page<Found, Place>,
  ) => collectPages((after: Place | null) => page(read, number, after), pause);
  const accounts = [...listAccounts(read).map(({ id }) => id), ...listSandboxes(read)];
  const messages = await messagesAbout(read, number, accounts, pause);
  const smppFollows = followsOfMessages(
    read,
    messages.map(({ id }) => id),
  );
  const smppParts = await through(partsPage);
  const inboundTexts = await through(inboundPage);
  return {
    messages,
    /** What is not validated yet. */
    submitted: await through(submittedPage),
    rejections: await through((reader, { msisdn }, after: Parameters<typeof rejectionsPage>[2]) =>
      rejectionsPage(reader, msisdn, after),
    ),
    /** Unreadable rows of files. */
    unreadable: addEarlierRows(read, await through(findRowsOfNumber)),
    suppressions: suppressionsAbout(read, number.msisdn, accounts),
    /** Marketing preferences that the user set in WhatsApp itself. */
    preferences: readPreferences(read, number.msisdn),
    /** Rows of ported numbers that are about it alone. */
    ported: portedAbout(read, number.msisdn),
    inboundTexts,
    segments: waitingSegments(read, number),
    receipts: await through(unmatchedPage),
    /** Test messages to the number. */
    tests: listTestsTo(read, number.msisdn),
    answers: await through(repliesPage),
    events: await gatherEvents(context, number),
    /** Callbacks of clients of Kannel and Jasmin that wait. */
    callbacks: callbacksAbout(read, number.msisdn),
    /** Callback subscriptions of such clients for messages that are not final. */
    follows: readSubscriptions(
      read,
      messages.map(({ id }) => id),
    ),
    /** What SMPP users were answered of its messages, parts of texts to it, and what waits for users: receipts about either, its texts. */
    smppFollows,
    smppParts,
    smppReceipts: receiptsAbout(read, smppFollows, smppParts, inboundTexts),
    audit: await through(entriesPage),
  };
}

/** The part that waits for delivery to endpoints. */
function gatherEvents(
  { store: { read }, clock }: AdminContext,
  number: NumberMatcher,
): Promise<PendingEvent[]> {
  return collectPages((after: number | null) => readRetriesPage(read, number, after), createYielder(clock));
}

async function messagesAbout(
  read: Reader,
  { msisdn }: NumberMatcher,
  accounts: readonly number[],
  pause: () => Promise<void> | undefined,
): Promise<MessageTo[]> {
  const all = idsAtAll(read);
  if (!all) return [];
  const changed = await changedBlocks(read, accounts, pause);
  const span = { fromId: all.first, belowId: all.last + 1 };
  const ids = await idsToNumber(read, msisdn, span, changed, pause);
  return collectPages((after: number | null) => {
    const from = after ?? 0;
    const step = ids.slice(from, from + IDS_A_STEP);
    const next = from + IDS_A_STEP < ids.length ? from + IDS_A_STEP : null;
    return { found: readMessagesTo(read, msisdn, JSON.stringify(step)), next };
  }, pause);
}
