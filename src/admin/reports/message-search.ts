/**
 * Searches messages by number, part of a number, client reference, batch, status and period, newest first. A search reads a
 * bounded number of rows and says how far back it got.
 */
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { isSandbox, toLane, toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById, listAccountNames, listSandboxes } from "../../domain/accounts/accounts.ts";
import type { KeyMode } from "../../domain/accounts/api-keys.ts";
import { isMessageClass, MESSAGE_CLASSES } from "../../domain/accounts/message-class.ts";
import { batchRecord } from "../../domain/messages/batches.ts";
import { fewByReference } from "../../domain/messages/feed.ts";
import {
  findRowId,
  type IdSpan,
  idsAtAll,
  type MessageToPart,
  messagesWithPart,
  NEWEST,
  type PartPlace,
  placeFrom,
  spansBelow,
} from "../../domain/messages/id-ranges.ts";
import { STATUSES } from "../../domain/messages/message-status.ts";
import { type MessageObject, messageObject } from "../../domain/messages/message-view.ts";
import { formerCodes } from "../../domain/messages/operator-codes.ts";
import { idsToNumber } from "../../domain/messages/search/number-index.ts";
import {
  BLOCK,
  changedBlocks,
  eachBlock,
  findFacets,
  type KnownBlock,
} from "../../domain/messages/search/search-blocks.ts";
import {
  type FacetQuery,
  type FoundMessage,
  findAmong,
  findIdAt,
  findNewest,
  type MessageQuery,
} from "../../domain/messages/search/search-rows.ts";
import { messagesByReplyId } from "../../ingress/smpp/follows.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { createDigitCounter, createMsisdnReader, readMsisdn, SHORTENED } from "../operations/msisdn.ts";
import { operation } from "../operations/operation.ts";
import {
  BATCH,
  FROM,
  limit,
  MESSAGE,
  MODE,
  OF_ACCOUNT,
  optional,
  readInstantRange,
  TO,
  text,
  typedAs,
  word,
} from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { findAccountByMode } from "../operations/sandboxes.ts";
import { looksLikeNumber } from "./row-match.ts";

export type FindView = {
  readonly messages: readonly ({ readonly account_id: string; readonly account: string } & MessageObject)[];
  /** The message to search on from, with `--before`; null when nothing is left. */
  readonly next: string | null;
  /** Back to here the search is complete, counted from the page before. */
  readonly searched_back_to: string;
};

/** The most messages of a page. */
const MAX_MESSAGES = 1000;

/** The most blocks that one search reads in vain: about 100,000 messages. Blocks with hits end with the page. */
const MAX_IN_VAIN = 98;

/** Messages read by id at once. */
const IDS_A_STEP = 200;

/** A search under way. */
type Search = {
  readonly read: Reader;
  readonly pause: () => Promise<void> | undefined;
  readonly query: MessageQuery;
  readonly span: IdSpan;
  readonly limit: number;
  /** Blocks changed so recently that their summary is outdated. */
  readonly changed: ReadonlySet<number>;
  readonly found: FoundMessage[];
};

/** Where a search stopped: below this id nothing was read; null: it is complete. */
type Reached = number | null;

/** Messages over all accounts, newest first, in slices beside other work (docs/administration.md#finding-messages). */
export async function messageFind(
  context: AdminContext,
  filters: FindFilters,
): Promise<AdminOutcome<FindView>> {
  const { read } = context.store;
  const asked = readFilters(context, filters);
  if (!asked.ok) return asked;
  const { query, span, limit } = asked.value;
  const pause = createYielder(context.clock);
  const accounts = [...listAccountNames(read).map(({ id }) => id), ...listSandboxes(read)];
  const changed = await changedBlocks(read, accounts, pause);
  // One row more than shown tells whether there are more.
  const search: Search = { read, pause, query, span, limit: limit + 1, changed, found: [] };
  const reached = await searchAll(search, filters.smppId ?? null);
  const shown = search.found.slice(0, limit);
  const last = shown.at(-1);
  const cutAt = search.found.length > limit && last ? last.id : reached;
  return done({
    messages: shown.map((row) => toMessageView(read, row)),
    next: cutAt === null ? null : (ulidFrom(read, cutAt) ?? null),
    searched_back_to: isoUtc(backTo(read, cutAt, query)),
  });
}

/** Searches by what leads to few messages: an id over SMPP, a number, else blocks. */
function searchAll(search: Search, smppId: string | null): Reached | Promise<Reached> {
  const { read, query } = search;
  if (smppId !== null) return byIds(search, messagesByReplyId(read, smppId.trim().toUpperCase()));
  return query.msisdn === null ? byBlocks(search, query) : byNumber(search, query.msisdn);
}

/** Looks at a few messages that are known. */
function byIds({ read, query, span, limit, found }: Search, ids: readonly number[]): Reached {
  const inSpan = ids.filter((id) => id >= span.fromId && id < span.belowId);
  found.push(...findAmong(read, query, inSpan).slice(0, limit));
  return null;
}

/** Searches the blocks that may hold a match. */
async function byBlocks(search: Search, query: FacetQuery): Promise<Reached> {
  const { read, pause, span, found, limit } = search;
  const wanted = findFacets(read, query);
  let inVain = 0;
  for (const known of eachBlock(read, span)) {
    await pause();
    if (!mayFit(known, wanted, search.changed)) continue;
    if (inVain === MAX_IN_VAIN) return Math.min(span.belowId, (known.block + 1) * BLOCK);
    const fromId = Math.max(span.fromId, known.block * BLOCK);
    const belowId = Math.min(span.belowId, (known.block + 1) * BLOCK);
    const rows = findNewest(read, search.query, { fromId, belowId }, limit - found.length);
    found.push(...rows);
    if (rows.length === 0) inVain += 1;
    if (found.length === limit) return null;
  }
  return null;
}

function mayFit(
  { block, facets }: KnownBlock,
  wanted: ReadonlySet<number> | null,
  changed: ReadonlySet<number>,
): boolean {
  if (facets === null || wanted === null || changed.has(block)) return true;
  return facets.some((facet) => wanted.has(facet));
}

/** Looks up the messages to a number in the index, and scans those not indexed by number yet. */
async function byNumber(search: Search, msisdn: string): Promise<Reached> {
  const { read, pause, query, span, found, limit, changed } = search;
  const inSpan = await idsToNumber(read, msisdn, span, changed, pause);
  for (let at = 0; at < inSpan.length && found.length < limit; at += IDS_A_STEP) {
    const rows = findAmong(read, query, inSpan.slice(at, at + IDS_A_STEP));
    found.push(...rows.slice(0, limit - found.length));
    await pause();
  }
  return null;
}

/** A found message, with its account. */
function toMessageView(read: Reader, row: FoundMessage): FindView["messages"][number] {
  const account = accountById(read, row.account_id);
  return { account_id: account?.ulid ?? "", account: account?.name ?? "", ...messageObject(row) };
}

function ulidFrom(read: Reader, id: number): string | undefined {
  return placeFrom(read, id)?.ulid;
}

/** Since when the search is complete: the start of the period, or the acceptance of the last message read. */
function backTo(read: Reader, cutAt: number | null, { fromMs }: MessageQuery): number {
  if (cutAt === null) return fromMs;
  return Math.max(fromMs, placeFrom(read, cutAt)?.createdAt ?? fromMs);
}

const CLASSES = { classes: MESSAGE_CLASSES.join(", ") };

export const MESSAGE_FIND_OPERATIONS = {
  "message find": operation({
    does: "reads",
    params: {
      number: optional(text("N", 100)),
      account: OF_ACCOUNT,
      batch: optional(BATCH),
      status: optional(text("S", 100)),
      error: optional(text("CODE", 100)),
      operator: optional(text("CODE", 100)),
      sender: optional(text("S", 100)),
      class: optional(typedAs({ helpValues: CLASSES }, text("CLASS", 100))),
      smpp_id: optional(text("ID", 100)),
      from: FROM,
      to: TO,
      before: optional(MESSAGE),
      limit: limit(100, MAX_MESSAGES),
      mode: MODE,
    },
    run: (context, { class: messageClass, smpp_id: smppId, ...filters }) =>
      messageFind(context, { ...filters, messageClass, smppId }),
  }),
};

// Search filters, read and checked.

/** As typed; what is null is not asked for. */
export type FindFilters = {
  readonly number: string | null;
  readonly account: string | null;
  readonly batch: string | null;
  readonly status: string | null;
  readonly error: string | null;
  readonly operator: string | null;
  readonly sender: string | null;
  readonly messageClass: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** The last message of the page before. */
  readonly before: string | null;
  readonly limit: number;
  /** Messages sent with keys of this mode; live by default. */
  readonly mode?: KeyMode;
  /** An id that an SMPP user was answered, of a text or of a part. */
  readonly smppId?: string | null;
};

type ReadFilters = { readonly query: MessageQuery; readonly span: IdSpan; readonly limit: number };

const DAY_MS = 86_400_000;

/** The default period without `--from`, in days. */
const USUAL_DAYS = 31;

/**
 * How far ids may be from the time that they were accepted at: a batch of 100,000 recipients is read for minutes, and a clock may have
 * gone back.
 */
const SLACK_MS = 3_600_000;

function readFilters(context: AdminContext, filters: FindFilters): AdminOutcome<ReadFilters> {
  const { store, clock, config } = context;
  const { read } = store;
  // A batch is searched from its beginning, whenever that was, and an id leads to its messages.
  const isKnown = filters.batch !== null || (filters.smppId ?? null) !== null;
  const usualMs = isKnown ? clock.nowMs() : USUAL_DAYS * DAY_MS;
  const time = readInstantRange(filters, config.defaults.timezone, clock.nowMs(), usualMs);
  if (!time.ok) return time;
  const { mode = "live" } = filters;
  const accountId = readAccount(read, filters.account, mode);
  if (!accountId.ok) return accountId;
  const number = filters.number === null ? done(null) : readMsisdn(config, filters.number);
  if (!number.ok) return number;
  const status = readStatus(filters.status);
  if (!status.ok) return status;
  const messageClass = filters.messageClass?.toUpperCase() ?? null;
  if (messageClass !== null && !isMessageClass(messageClass)) {
    return refuse("INVALID_CLASS.unknown", { text: filters.messageClass ?? "" });
  }
  const query: Omit<MessageQuery, "batchId"> = {
    ...time.value,
    accountId: accountId.value,
    msisdn: number.value,
    status: status.value,
    messageClass,
    sender: filters.sender,
    isSandbox: mode === "test",
    errorCode: filters.error?.trim().toUpperCase() ?? null,
    operators: filters.operator === null ? null : codesOf(read, filters.operator),
  };
  return withSpan(read, query, filters, filters.limit);
}

/** Adds the range of ids: of the batch, or of the period. */
function withSpan(
  read: Reader,
  query: Omit<MessageQuery, "batchId">,
  { batch, before }: FindFilters,
  limit: number,
): AdminOutcome<ReadFilters> {
  const all = idsAtAll(read);
  let fromId = all?.first ?? 0;
  let belowId = all ? all.last + 1 : 0;
  let found: Partial<MessageQuery> = {};
  if (batch !== null) {
    const record = batchRecord(read, batch.toUpperCase());
    if (!record) return refuse("BATCH_NOT_FOUND", { id: batch });
    const { id, accountId, firstMessageId, messages } = record;
    if (isSandbox(accountId) !== query.isSandbox) {
      return refuse(query.isSandbox ? "BATCH_NOT_FOUND.not_test" : "BATCH_NOT_FOUND.test", { id: batch });
    }
    if (query.accountId !== null && query.accountId !== accountId) {
      return refuse("BATCH_NOT_FOUND.of_another", { id: batch });
    }
    found = { accountId };
    fromId = Math.max(fromId, firstMessageId);
    belowId = Math.min(belowId, firstMessageId + messages);
    return withPage(read, { ...query, ...found, batchId: id }, { fromId, belowId }, before, limit);
  }
  fromId = Math.max(fromId, findIdAt(read, query.fromMs - SLACK_MS));
  belowId = Math.min(belowId, findIdAt(read, query.toMs + SLACK_MS));
  return withPage(read, { ...query, batchId: null }, { fromId, belowId }, before, limit);
}

function withPage(
  read: Reader,
  query: MessageQuery,
  { fromId, belowId }: IdSpan,
  before: string | null,
  limit: number,
): AdminOutcome<ReadFilters> {
  if (before === null) return done({ query, span: { fromId, belowId }, limit });
  const id = findRowId(read, before.toUpperCase());
  if (id === null) return refuse("MESSAGE_NOT_FOUND", { id: before });
  return done({ query, span: { fromId, belowId: Math.min(belowId, id) }, limit });
}

/** An operator's code and its former codes, live and sandbox. */
function codesOf(read: Reader, operator: string): string[] {
  const codes = [operator, ...formerCodes(read, operator)];
  return [...codes, ...codes.map((code) => toLane(toSandboxId(1), code))];
}

function readAccount(read: Reader, text: string | null, mode: KeyMode): AdminOutcome<number | null> {
  if (text === null) return done(null);
  const account = findAccountByMode(read, text, mode);
  return account.ok ? done(account.value.id) : account;
}

function readStatus(text: string | null): AdminOutcome<string | null> {
  if (text === null) return done(null);
  const status = STATUSES.find((one) => one === text.trim().toUpperCase());
  return status ? done(status) : refuse("INVALID_STATUS", { text, known: STATUSES.join(", ") });
}

// Search by part of a number ("ends in 9003"), among recent messages only, so that its cost is bounded.

type PartQuery = { readonly account: string | null; readonly limit: number };

/** Some digits of a number, and how many digits a national number has. */
type PartOfNumber = { readonly digits: string; readonly national: number };

/** Messages that one search reads: some tens of milliseconds, in slices. */
const MAX_LOOKED = 20_000;
/** Batches that one search reads, including those without a match. */
const MAX_BATCHES = 20_000;
/** Messages, and batches, that are read in one go. */
const STEP = 500;

/** The digits of a partial number; null for a whole one, and for other text. */
export function parsePartOfNumber(config: AdminContext["config"], typed: string): PartOfNumber | null {
  const text = readNumberPart(typed);
  if (!looksLikeNumber(text) || SHORTENED.test(text) || createMsisdnReader(config)(text) !== null)
    return null;
  const digits = text.replaceAll(/\D/g, "");
  const count = createDigitCounter(config)(text);
  if (count === null || count.code !== null || count.digits >= count.most) return null;
  return { digits, national: count.most };
}

/** Strips what people write before a partial number: "…9003". */
export function readNumberPart(typed: string): string {
  return typed.replace(/^[\s….*]+/, "").trim();
}

/** The newest first. */
export async function findByNumberPart(
  { store: { read }, clock }: Pick<AdminContext, "store" | "clock">,
  { digits, national }: PartOfNumber,
  { account: wanted, limit }: PartQuery,
) {
  const account = findAccountOrNull(read, wanted);
  if (!account.ok) return account;
  const accountId = account.value?.id ?? null;
  const pause = createYielder(clock);
  const found: MessageToPart[] = [];
  let [looked, batches] = [0, 0];
  const viewed = (is_all: boolean) =>
    done({
      messages: found.slice(0, limit).map((row) => toMessageView(read, row)),
      is_more: found.length > limit,
      /** How many recent messages were searched; all of them where `is_all`. */
      looked,
      is_all,
    });
  for (let place: PartPlace = NEWEST; ; ) {
    const spans = spansBelow(read, place, accountId, STEP);
    for (const span of spans) {
      // A search over all accounts leaves sandboxes out.
      if (accountId === null && isSandbox(span.accountId)) continue;
      for (let belowId = span.belowId; belowId > span.fromId; belowId -= STEP) {
        const fromId = Math.max(span.fromId, belowId - STEP, belowId - (MAX_LOOKED - looked));
        found.push(...messagesWithPart(read, { ...span, fromId, belowId }, digits, national));
        looked += belowId - fromId;
        if (found.length > limit || looked >= MAX_LOOKED) return viewed(false);
        await pause();
      }
    }
    const last = spans.at(-1);
    if (!last || spans.length < STEP) return viewed(true);
    batches += spans.length;
    if (batches >= MAX_BATCHES) return viewed(false);
    place = last;
    await pause();
  }
}

// Messages by what their clients called them, of one account or of all.

const MAX_REFERENCED = 500;

/** The newest messages with this client reference, their own or their batch's; reads an index of each account, in slices. */
export async function messagesByReference(
  { store: { read }, clock }: AdminContext,
  reference: string,
  account: string | null,
  limit: number,
) {
  const found = findAccountOrNull(read, account);
  if (!found.ok) return found;
  const ids = found.value ? [found.value.id] : listAccountNames(read).map(({ id }) => id);
  const pause = createYielder(clock);
  const messages: FindView["messages"][number][] = [];
  let isMore = false;
  for (const id of ids) {
    const whose = accountById(read, id);
    for (const query of [{ clientReference: reference }, { batchReference: reference }]) {
      const rows = fewByReference(read, id, query);
      isMore ||= rows === null;
      for (const row of rows ?? []) {
        messages.push({ account_id: whose?.ulid ?? "", account: whose?.name ?? "", ...messageObject(row) });
      }
    }
    await pause();
  }
  const seen = new Map(messages.map((message) => [message.message_id, message]));
  const newest = [...seen.values()].sort((a, b) => (a.created_at > b.created_at ? -1 : 1));
  return done({
    messages: newest.slice(0, limit),
    /** More messages have this reference than are shown. */
    is_more: isMore || newest.length > limit,
  });
}

export const MESSAGE_REFERENCE_OPERATIONS = {
  "message named": operation({
    does: "reads",
    params: {
      reference: word("REFERENCE", text("REFERENCE", 100)),
      account: OF_ACCOUNT,
      limit: limit(100, MAX_REFERENCED),
    },
    run: (context, { reference, account, limit: most }) =>
      messagesByReference(context, reference, account, most),
  }),
};
