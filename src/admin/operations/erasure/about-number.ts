/** All that is kept about one number, table by table: what `data export` shows and `data erase` erases. */

import { parkedPage, type WaitingReceipt } from "../../../channels/sms/about-number.ts";
import { type TestMessageRow, listTestsTo } from "../../../channels/sms/trial-rows.ts";
import { type PreferenceRecord, readPreferences } from "../../../channels/whatsapp/preferences.ts";
import { refused } from "../../../core/failures.ts";
import { collectPages, type Page } from "../../../core/pages.ts";
import { createYielder } from "../../../core/slices.ts";
import { type NumberMatcher, createNumberMatcher } from "../../../core/sought-number.ts";
import type { Reader } from "../../../db/read.ts";
import { listAccounts, listSandboxes } from "../../../domain/accounts/accounts.ts";
import { entriesPage, type WrittenEntry } from "../../../domain/accounts/audit.ts";
import { type Suppression, suppressionsAbout } from "../../../domain/accounts/suppressions.ts";
import { inboundPage, type WaitingSegment, waitingSegments } from "../../../domain/inbound/about-number.ts";
import type { InboundText } from "../../../domain/inbound/inbound-texts.ts";
import {
  type MessageTo,
  messagesTo,
  type RejectedRecipient,
  rejectionsPage,
  type SubmittedPiece,
  submittedPage,
} from "../../../domain/messages/about-number.ts";
import { type KeptRow, keptPage, addEarlierRows } from "../../../domain/messages/import-rows.ts";
import { idsAtAll } from "../../../domain/messages/look-up.ts";
import { changedBlocks } from "../../../domain/messages/search/follow.ts";
import { idsToNumber } from "../../../domain/messages/search/to-number.ts";
import { type RememberedAnswer, repliesPage } from "../../../domain/submission/about-number.ts";
import {
  callbacksAbout,
  type CallbackSubscription,
  readSubscriptions,
  type WaitingCallback,
} from "../../../ingress/compat/follows.ts";
import { readRetriesPage, type PendingEvent } from "../../../webhooks/about-number.ts";
import type { AdminContext } from "../context.ts";
import { createMsisdnReader, describeInvalidNumber } from "../msisdn.ts";
import { type AdminOutcome, done } from "../refusal.ts";

/** Rows as the rooms keep them, each list in the order in which it was written but for messages: the newest first. */
export type AboutNumber = {
  readonly messages: readonly MessageTo[];
  /** What is not validated yet. */
  readonly submitted: readonly SubmittedPiece[];
  readonly rejections: readonly RejectedRecipient[];
  /** Rows of files that were no recipients. */
  readonly unreadable: readonly KeptRow[];
  readonly suppressions: readonly (Suppression & { readonly accountId: number })[];
  /** What the user said of marketing in WhatsApp itself. */
  readonly preferences: readonly PreferenceRecord[];
  readonly inboundTexts: readonly InboundText[];
  readonly segments: readonly WaitingSegment[];
  readonly receipts: readonly WaitingReceipt[];
  /** Texts that an administrator sent to test an operator. */
  readonly tests: readonly TestMessageRow[];
  readonly answers: readonly RememberedAnswer[];
  readonly events: readonly PendingEvent[];
  /** Callbacks of clients of Kannel and Jasmin that wait. */
  readonly callbacks: readonly WaitingCallback[];
  /** What such a client is to be told of messages that are not final. */
  readonly follows: readonly CallbackSubscription[];
  readonly audit: readonly WrittenEntry[];
};

/** Messages that are looked at by id in one go. */
const IDS_A_STEP = 200;

/** The number that a text means, as those of batches are read. */
export function readSoughtNumber(context: AdminContext, text: string): AdminOutcome<NumberMatcher> {
  const msisdn = createMsisdnReader(context.config)(text);
  return msisdn === null
    ? refused("INVALID_MSISDN", describeInvalidNumber(context.config, text))
    : done(createNumberMatcher(msisdn));
}

/** Finds all of it, in slices beside other work. */
export async function gatherNumberData(context: AdminContext, number: NumberMatcher): Promise<AboutNumber> {
  const { read } = context.store;
  const { clock } = context;
  const pause = createYielder(clock);
  const through = <Found, Place>(
    page: (read: Reader, number: NumberMatcher, after: Place | null) => Page<Found, Place>,
  ) => collectPages((after: Place | null) => page(read, number, after), pause);
  const accounts = [...listAccounts(read).map(({ id }) => id), ...listSandboxes(read)];
  const messages = await messagesAbout(read, number, accounts, pause);
  return {
    messages,
    submitted: await through(submittedPage),
    rejections: await through((reader, { msisdn }, after: Parameters<typeof rejectionsPage>[2]) =>
      rejectionsPage(reader, msisdn, after),
    ),
    unreadable: addEarlierRows(read, await through(keptPage)),
    suppressions: suppressionsAbout(read, number.msisdn, accounts),
    preferences: readPreferences(read, number.msisdn),
    inboundTexts: await through(inboundPage),
    segments: waitingSegments(read, number),
    receipts: await through(parkedPage),
    tests: listTestsTo(read, number.msisdn),
    answers: await through(repliesPage),
    events: await gatherEvents(context, number),
    callbacks: callbacksAbout(read, number.msisdn),
    follows: readSubscriptions(
      read,
      messages.map(({ id }) => id),
    ),
    audit: await through(entriesPage),
  };
}

/** Of that, what waits to be told to endpoints. */
export function gatherEvents(
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
    return { found: messagesTo(read, msisdn, JSON.stringify(step)), next };
  }, pause);
}
