/** The search box: what somebody typed, and the one page it most likely means. */
import { type Static, Type as t } from "typebox";
import { msisdnReader } from "../../../admin/operations/msisdn.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { findWebhook } from "../../../admin/operations/webhooks.ts";
import { accountFind } from "../../../admin/reports/account-find.ts";
import { type BatchWithout, leftOutFind } from "../../../admin/reports/left-out.ts";
import { messagesByReference } from "../../../admin/reports/message-reference.ts";
import { partTyped } from "../../../admin/reports/messages-with-part.ts";
import { isLikeANumber } from "../../../admin/reports/row-match.ts";
import { isUlid } from "../../../core/ids.ts";
import type { Reader } from "../../../db/read.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { batchRecord } from "../../../domain/messages/batches.ts";
import { familyOf } from "../../../domain/messages/corrections.ts";
import { tracedMessage } from "../../../domain/messages/trace.ts";
import { type Asked, ownBatch, ownMessage, ownWebhook } from "./asked.ts";
import { type MessageHit, messagesToNumber, partHits } from "./message-hits.ts";
import { route } from "./route.ts";
import { batchesWithRows, noNumberHit, type RowHit, rowHits } from "./row-hits.ts";

export const SEARCH = t.Object({ q: t.String({ minLength: 1, maxLength: 200 }) });

/** One place that what was typed may mean. */
export type Hit =
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

export type SearchView = { readonly hits: readonly Hit[] };

const MOST_ACCOUNTS = 8;
/** Messages of a name that are looked at for the batch that has it. */
const MOST_NAMED = 20;
/** The page of the number shows them all. */
const MOST_LEFT_OUT = 3;

/** The places that fit, the likeliest first; things of other accounts are not there for a confined user. */
export async function search(asked: Asked, { q }: Static<typeof SEARCH>): Promise<AdminOutcome<SearchView>> {
  const part = partTyped(q);
  const typed = isLikeANumber(part) ? part : q.trim();
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
      limit: MOST_ACCOUNTS,
    });
    if (!found.ok) return found;
    hits.push(
      ...found.value.accounts.map(
        ({ account_id, name }): Hit => ({ kind: "account", id: account_id, title: name }),
      ),
    );
  }
  const named = asked.may("messages.read")
    ? await messagesByReference(context, typed, account, MOST_NAMED)
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

  function byId(who: Asked, ulid: string): Hit[] {
    const found: Hit[] = [];
    // Nothing is found by its id that its own page would not show.
    const mayRead = who.may("messages.read") && ownMessage(who, ulid).ok;
    const message = mayRead ? tracedMessage(read, ulid) : null;
    if (message) found.push({ kind: "message", id: ulid, title: message.msisdn });
    if (who.may("batches.read") && ownBatch(who, ulid).ok && batchRecord(read, ulid))
      found.push({ kind: "batch", id: ulid, title: ulid });
    const webhook = who.may("webhooks.read") && ownWebhook(who, ulid).ok ? findWebhook(read, ulid) : null;
    if (webhook?.ok) found.push({ kind: "webhook", id: ulid, title: webhook.value.url });
    const isTheirs = who.account === null || who.account === ulid;
    const named = who.may("accounts.read") && isTheirs ? accountByUlid(read, ulid) : null;
    if (named) found.push({ kind: "account", id: ulid, title: named.name });
    return found;
  }
}

/** Of a number: its page, its messages and the batches that it was left out of; of what is none, what may be meant. */
async function numberHits(asked: Asked, typed: string): Promise<readonly Hit[]> {
  const digits = typed.replace(/[\s().-]/g, "");
  const mayBeWhole = /^\+?\d{6,15}$/.test(digits);
  const msisdn = mayBeWhole ? msisdnReader(asked.context.config)(typed) : null;
  const leftOut = async (): Promise<readonly Hit[]> =>
    mayBeWhole && asked.may("batches.read") ? batchesWithout(asked, typed) : [];
  if (msisdn !== null) {
    const told = asked.may("messages.read") ? await messagesToNumber(asked, msisdn) : [];
    return [{ kind: "number", id: msisdn, title: msisdn }, ...told, ...(await leftOut())];
  }
  if (!isLikeANumber(typed)) return leftOut();
  const { messages, looked, is_all } = await partHits(asked, typed);
  return [...messages, { ...noNumberHit(asked, typed), looked, is_all }, ...(await leftOut())];
}

/** A word is looked for in rows from so many letters on. */
const SHORTEST_WORD = 3;

/** Rows that were not sent and hold it; where nothing fits at all, the batches of the day that have such rows. */
async function withRows(asked: Asked, typed: string, hits: readonly Hit[]): Promise<readonly Hit[]> {
  if (!asked.may("batches.read") || typed.length < SHORTEST_WORD) return hits;
  // A whole number that is known needs no row that nearly has it.
  const isKnown = hits.length > 1 && hits[0]?.kind === "number";
  const rows = isKnown ? [] : await rowHits(asked, typed);
  const place = hits.findIndex(({ kind }) => kind === "no number");
  // Of what is no number the rows say most; of a number its batches are told already.
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
 * The newest batches that a number was left out of, each once: "why did she not get it?" Of a batch and those that correct it the first
 * says why: the others had the same row again.
 */
async function batchesWithout({ context, account }: Asked, number: string): Promise<readonly Hit[]> {
  const limit = 10 * MOST_LEFT_OUT;
  const found = await leftOutFind(context, { number, account, from: null, to: null, limit });
  if (!found.ok) return [];
  const { msisdn, left_out } = found.value;
  const byFamily = new Map<string, BatchWithout>();
  for (const row of left_out) {
    const first = firstOfFamily(context.store.read, row.batch_id);
    if (byFamily.get(first)?.batch_id !== row.batch_id) byFamily.set(first, row);
  }
  return [...byFamily.values()].slice(0, MOST_LEFT_OUT).map(
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
  return (record && familyOf(read, record.id).batches[0]?.ulid) ?? batch;
}

export const SEARCH_ROUTES = {
  "GET /search": route({ operation: "search", query: SEARCH }, (asked, { query }) => search(asked, query)),
};
