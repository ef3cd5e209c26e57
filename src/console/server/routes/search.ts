/** The search box: finds the one page that what was typed most likely means. */
import { type Static, Type as t } from "typebox";
import { createMsisdnReader, describeInvalidNumber } from "../../../admin/operations/msisdn.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { findWebhook } from "../../../admin/operations/webhooks.ts";
import { accountFind } from "../../../admin/reports/account-find.ts";
import { batchFind } from "../../../admin/reports/batch-find.ts";
import {
  type FindView,
  findByNumberPart,
  messageFind,
  messagesByReference,
  parsePartOfNumber,
  readNumberPart,
} from "../../../admin/reports/message-search.ts";
import { findRejectedRecipient, type RejectingBatch } from "../../../admin/reports/rejected-recipients.ts";
import { looksLikeNumber } from "../../../admin/reports/row-match.ts";
import { type CorrectedRow, findUnsentRows } from "../../../admin/reports/unsent-rows.ts";
import { isUlid } from "../../../core/ids.ts";
import type { Reader } from "../../../db/reader.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { batchRecord } from "../../../domain/messages/batches.ts";
import { readBatchFamily } from "../../../domain/messages/corrections.ts";
import { errorPhrase } from "../../../domain/messages/message-status.ts";
import { tracedMessage } from "../../../domain/messages/trace.ts";
import {
  canReadTexts,
  type PageContext,
  requireOwnBatch,
  requireOwnMessage,
  requireOwnWebhook,
} from "./request-context.ts";
import { route } from "./route.ts";

const SEARCH = t.Object({ q: t.String({ minLength: 1, maxLength: 200 }) });

/** One place that what was typed may mean. */
type Hit =
  | {
      readonly kind: "number" | "message" | "batch" | "account" | "webhook" | "reference";
      /** What its page is asked with: an id, a number, a name that a client gave. */
      readonly id: string;
      readonly title: string;
    }
  /** The batch that a number was left out of. */
  | {
      readonly kind: "left out";
      readonly id: string;
      readonly title: string;
      readonly reason: string;
      readonly at: string;
    }
  | MessageHit
  | RowHit;

const MAX_ACCOUNTS = 8;
/** Messages of a name that are searched for its batch. */
const MAX_NAMED = 20;
/** The page of the number shows them all. */
const MAX_LEFT_OUT = 3;

/** Matching places, the likeliest first; a confined user finds only those of their account. */
async function search(asked: PageContext, { q }: Static<typeof SEARCH>) {
  const part = readNumberPart(q);
  const typed = looksLikeNumber(part) ? part : q.trim();
  const { context, account } = asked;
  const { read } = context.store;
  const id = typed.toUpperCase();
  if (isUlid(id)) return done({ hits: byId(asked, id) });
  const hits: Hit[] = [...(await numberHits(asked, typed))];
  if (account === null) {
    const found = await accountFind(context, {
      search: typed,
      status: null,
      after: null,
      limit: MAX_ACCOUNTS,
    });
    if (!found.ok) return found;
    hits.push(
      ...found.value.accounts.map(
        ({ account_id, name }): Hit => ({ kind: "account", id: account_id, title: name }),
      ),
    );
  }
  const named = asked.may("messages.read")
    ? await messagesByReference(context, typed, account, MAX_NAMED)
    : done({ messages: [], is_more: false });
  if (!named.ok) return named;
  const batches = asked.may("batches.read")
    ? named.value.messages.filter((one) => one.batch_client_reference === typed)
    : [];
  for (const batch of new Set(batches.map(({ batch_id }) => batch_id)))
    hits.push({ kind: "batch", id: batch, title: typed });
  if (named.value.messages.length > 0 || named.value.is_more)
    hits.push({ kind: "reference", id: typed, title: typed });
  return done({ hits: await withRows(asked, typed, hits) });

  function byId(who: PageContext, ulid: string): Hit[] {
    const found: Hit[] = [];
    // An id finds only what its own page would show.
    const mayRead = who.may("messages.read") && requireOwnMessage(who, ulid).ok;
    const message = mayRead ? tracedMessage(read, ulid) : null;
    if (message) found.push({ kind: "message", id: ulid, title: message.msisdn });
    if (who.may("batches.read") && requireOwnBatch(who, ulid).ok && batchRecord(read, ulid))
      found.push({ kind: "batch", id: ulid, title: ulid });
    const webhook =
      who.may("webhooks.read") && requireOwnWebhook(who, ulid).ok ? findWebhook(read, ulid) : null;
    if (webhook?.ok) found.push({ kind: "webhook", id: ulid, title: webhook.value.url });
    const isTheirs = who.account === null || who.account === ulid;
    const named = who.may("accounts.read") && isTheirs ? accountByUlid(read, ulid) : null;
    if (named) found.push({ kind: "account", id: ulid, title: named.name });
    return found;
  }
}

/** Of a number: its page, its messages and the batches that left it out; otherwise what may be meant. */
async function numberHits(asked: PageContext, typed: string): Promise<readonly Hit[]> {
  const digits = typed.replace(/[\s().-]/g, "");
  const mayBeWhole = /^\+?\d{6,15}$/.test(digits);
  const msisdn = mayBeWhole ? createMsisdnReader(asked.context.config)(typed) : null;
  const leftOut = async (): Promise<readonly Hit[]> =>
    mayBeWhole && asked.may("batches.read") ? batchesWithout(asked, typed) : [];
  if (msisdn !== null) {
    const told = asked.may("messages.read") ? await messagesToNumber(asked, msisdn) : [];
    return [{ kind: "number", id: msisdn, title: msisdn }, ...told, ...(await leftOut())];
  }
  if (!looksLikeNumber(typed)) return leftOut();
  const { messages, looked, is_all } = await partHits(asked, typed);
  return [...messages, { ...noNumberHit(asked, typed), looked, is_all }, ...(await leftOut())];
}

/** Shortest word that is searched for in rows. */
const MIN_WORD = 3;

/** Adds unsent rows that contain it; where nothing matches at all, the batches of the day that have such rows. */
async function withRows(asked: PageContext, typed: string, hits: readonly Hit[]): Promise<readonly Hit[]> {
  if (!asked.may("batches.read") || typed.length < MIN_WORD) return hits;
  // A whole known number needs no similar rows.
  const isKnown = hits.length > 1 && hits[0]?.kind === "number";
  const rows = isKnown ? [] : await rowHits(asked, typed);
  const place = hits.findIndex(({ kind }) => kind === "no number");
  // For what is no number rows come first; for a number its batches are listed already.
  if (place >= 0) {
    const [before, hint, others] = [
      hits.slice(0, place),
      hits.slice(place, place + 1),
      hits.slice(place + 1),
    ];
    const isNothing = rows.length + hits.length === 1;
    return isNothing
      ? [...hint, ...(await batchesWithRows(asked, typed))]
      : [...before, ...rows, ...hint, ...others];
  }
  if (rows.length + hits.length === 0) return batchesWithRows(asked, typed);
  const told = new Set(hits.map(({ id }) => id));
  return [...hits, ...rows.filter(({ id }) => !told.has(id))];
}

/**
 * The newest batches that a number was left out of, each once: "why did she not get it?" Of a family the first batch
 * says why: the others had the same row again.
 */
async function batchesWithout({ context, account }: PageContext, number: string): Promise<readonly Hit[]> {
  const limit = 10 * MAX_LEFT_OUT;
  const found = await findRejectedRecipient(context, { number, account, from: null, to: null, limit });
  if (!found.ok) return [];
  const { msisdn, left_out } = found.value;
  const byFamily = new Map<string, RejectingBatch>();
  for (const row of left_out) {
    const first = firstOfFamily(context.store.read, row.batch_id);
    if (byFamily.get(first)?.batch_id !== row.batch_id) byFamily.set(first, row);
  }
  return [...byFamily.values()].slice(0, MAX_LEFT_OUT).map(
    (row): Hit => ({
      kind: "left out",
      id: row.batch_id,
      title: msisdn,
      reason: row.reason_code,
      at: row.created_at,
    }),
  );
}

/** The public id of the batch that those of a family correct in the end. */
function firstOfFamily(read: Reader, batch: string): string {
  const record = batchRecord(read, batch);
  return (record && readBatchFamily(read, record.id).batches[0]?.ulid) ?? batch;
}

export const SEARCH_ROUTES = {
  "GET /search": route("search", search, { query: SEARCH }),
};

// Messages to a number, whole or partial: what became of each, and when.

/** A message, and what became of it. */
type MessageHit = {
  readonly kind: "sent";
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** When it reached that state. */
  readonly at: string;
  /** Why it failed, in the reader's words. */
  readonly why: string | null;
};

/** The page of the number shows them all. */
const MOST = 3;
const MAX_OF_PART = 8;

/** The newest messages to a whole number. */
async function messagesToNumber(asked: PageContext, number: string): Promise<readonly MessageHit[]> {
  const { context, account } = asked;
  const found = await messageFind(context, {
    number,
    account,
    batch: null,
    status: null,
    error: null,
    operator: null,
    sender: null,
    messageClass: null,
    from: null,
    to: null,
    before: null,
    limit: MOST,
  });
  return found.ok ? found.value.messages.map((message) => hitOf(asked, message)) : [];
}

type PartHits = {
  readonly messages: readonly MessageHit[];
  readonly looked: number | null;
  readonly is_all: boolean;
};

/** The newest messages to numbers that contain a part; `looked` is null where it is no such part, or may not be seen. */
async function partHits(asked: PageContext, typed: string): Promise<PartHits> {
  const { context, account } = asked;
  const part = asked.may("messages.read") ? parsePartOfNumber(context.config, typed) : null;
  const found = part && (await findByNumberPart(context, part, { account, limit: MAX_OF_PART }));
  if (!found?.ok) return { messages: [], looked: null, is_all: false };
  const { messages, looked, is_all } = found.value;
  return { messages: messages.map((message) => hitOf(asked, message)), looked, is_all };
}

function hitOf({ translate }: PageContext, message: FindView["messages"][number]): MessageHit {
  const { message_id: id, msisdn: title, status, error, created_at, sent_at, finalized_at } = message;
  const why = error && status === "FAILED" ? translate(errorPhrase(error.code)) : null;
  return { kind: "sent", id, title, status, at: finalized_at ?? sent_at ?? created_at, why };
}

// Results for what is no number, and for unsent rows, which have no message.

type NoNumberHit = {
  readonly kind: "no number";
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** How many of the last messages were searched for it; null: none. */
  readonly looked: number | null;
  /** Whether these are all. */
  readonly is_all: boolean;
};

/** One place that is a row of a file, or no number at all. */
type RowHit =
  /** Too few digits or too many. */
  | NoNumberHit
  /** An unsent row that contains it; `id`: its batch. */
  | {
      readonly kind: "row";
      readonly id: string;
      readonly typed: string;
      readonly title: string;
      readonly line: number;
      readonly at: string;
      readonly is_nearly: boolean;
      /** What was sent for it since. */
      readonly corrected: CorrectedRow | null;
    }
  /** A batch of the day with unsent rows, which can be searched there. */
  | {
      readonly kind: "rows";
      readonly id: string;
      readonly typed: string;
      readonly title: string;
      readonly at: string;
      readonly rows: number;
    };

const MAX_ROWS = 3;
const MAX_BATCHES = 3;
/** Batches of the day that are checked for unsent rows. */
const MAX_LOOKED = 50;

/** Why it is no number, in the reader's words. */
function noNumberHit(
  { context, translate }: PageContext,
  typed: string,
): Omit<NoNumberHit, "looked" | "is_all"> {
  return {
    kind: "no number",
    id: typed,
    title: typed,
    detail: translate(describeInvalidNumber(context.config, typed)),
  };
}

/** Rows of the last days that contain what was typed, one of a batch. */
async function rowHits(asked: PageContext, typed: string): Promise<readonly RowHit[]> {
  const { context, account } = asked;
  const limit = 10 * MAX_ROWS;
  const found = await findUnsentRows(context, { typed, account, readsValues: canReadTexts(asked), limit });
  if (!found.ok) return [];
  const byBatch = new Map(found.value.rows.toReversed().map((row) => [row.batch_id, row]));
  return [...byBatch.values()]
    .toReversed()
    .slice(0, MAX_ROWS)
    .map(
      ({ batch_id: id, written, values, line, created_at: at, match, corrected }): RowHit => ({
        kind: "row",
        typed,
        id,
        title: [written, ...values].filter((text) => text !== "").join(" · "),
        line,
        at,
        is_nearly: match === "nearly",
        corrected: asked.may("messages.read") ? corrected : null,
      }),
    );
}

/** Batches of the last day with unsent rows, the newest first. */
async function batchesWithRows({ context, account }: PageContext, typed: string): Promise<readonly RowHit[]> {
  const wanted = { account, status: null, reference: null, from: "1d", to: null, before: null };
  const found = await batchFind(context, { ...wanted, limit: MAX_LOOKED });
  if (!found.ok) return [];
  return found.value.batches
    .filter(({ rejected, unreadable }) => rejected + unreadable > 0)
    .slice(0, MAX_BATCHES)
    .map(
      ({ batch_id: id, client_reference, sender, created_at: at, rejected, unreadable }): RowHit => ({
        kind: "rows",
        typed,
        id,
        title: client_reference ?? sender,
        at,
        rows: rejected + unreadable,
      }),
    );
}
