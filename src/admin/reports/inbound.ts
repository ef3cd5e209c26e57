/**
 * Queries of the texts that subscribers sent in, newest first; an administrator's reading is written to the audit log first.
 */
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { countIncompleteTexts } from "../../domain/inbound/inbound.ts";
import { type InboundText, listTexts } from "../../domain/inbound/inbound-texts.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { checkOperatorCode } from "../operations/operators.ts";
import { FROM, limit, optional, REASON, readTime, text, typedAs } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { recordTextAccess } from "../operations/revealed-texts.ts";

const MAX_TEXTS = 1000;

type InboundQuery = {
  /** Null: all of them. */
  readonly operator: string | null;
  /** ISO 8601; null: as far back as texts are kept. */
  readonly from: string | null;
  /** The text to list on from: `next_before` of the page before. */
  readonly before: string | null;
  readonly limit: number;
};

export type InboundPage = {
  readonly texts: readonly InboundView[];
  /** Long texts whose parts have not all come; they are listed once they have, or after a day. */
  readonly waiting_for_parts: number;
  /** The text to list on from; null when this is the last page. */
  readonly next_before: number | null;
};

/** What subscribers sent in, newest first. */
export async function inboundList(
  { store, config, clock }: AdminContext,
  { operator, from, before, limit }: InboundQuery,
): Promise<AdminOutcome<InboundPage>> {
  const known = operator === null ? done(null) : checkOperatorCode(config, operator);
  if (!known.ok) return known;
  const begin = from === null ? done(null) : readTime(from);
  if (!begin.ok) return begin;
  if (before !== null && !/^\d{1,15}$/.test(before)) {
    return refuse("INVALID_NUMBER.text_id", { id: before });
  }
  const beforeId = before === null ? null : Number(before);
  const query = { operator, fromMs: begin.value?.beginMs ?? 0, beforeId };
  const texts = listTexts(store.read, query, limit + 1);
  const page = texts.slice(0, limit);
  return done({
    texts: page.map(view),
    waiting_for_parts: await countIncompleteTexts(store.read, clock, operator),
    next_before: texts.length > limit ? (page.at(-1)?.id ?? null) : null,
  });
}

/** The same for who typed it: that texts are shown is recorded first, with the reason if one was given. An empty page shows none. */
async function inboundListFor(
  context: AdminContext,
  query: InboundQuery,
  reason: string | null,
): Promise<AdminOutcome<InboundPage>> {
  const page = await inboundList(context, query);
  if (!page.ok || page.value.texts.length === 0) return page;
  const { texts } = page.value;
  const [newest, oldest] = [texts[0], texts.at(-1)];
  const subject = `${oldest?.inbound_id}-${newest?.inbound_id}`;
  const detail = { operator: query.operator ?? undefined, texts: texts.length };
  const noted = await recordTextAccess(context, { action: "inbound list", subject, detail }, reason);
  return noted.ok ? page : noted;
}

/** Texts looked at for one page of an account's, and at once. */
const MAX_LOOKED = 20_000;
const STEP = 500;

/**
 * Texts that opted their senders out of one account, newest first, in slices: whose the others are nobody can tell, because a number
 * of the operator is not an account's alone. Other accounts that the same text left are not named.
 */
export async function listAccountInbound(
  { store, clock }: AdminContext,
  account: string,
  { before, limit }: Pick<InboundQuery, "before" | "limit">,
): Promise<AdminOutcome<Omit<InboundPage, "waiting_for_parts">>> {
  const pause = createYielder(clock);
  const texts: InboundView[] = [];
  let beforeId = before === null ? null : Number(before);
  for (let looked = 0; looked < MAX_LOOKED; looked += STEP) {
    const rows = listTexts(store.read, { operator: null, fromMs: 0, beforeId }, STEP);
    for (const row of rows) {
      if (hasLeft(row, account)) {
        if (texts.length === limit) return done({ texts, next_before: beforeId });
        texts.push({ ...view(row), opted_out_of: [account] });
      }
      beforeId = row.id;
    }
    if (rows.length < STEP) return done({ texts, next_before: null });
    await pause();
  }
  return done({ texts, next_before: beforeId });
}

/** Whether the sender of a text opted out of an account with it. */
export function hasLeft({ optedOutOf }: Pick<InboundText, "optedOutOf">, account: string): boolean {
  return optedOutOf?.split(",").includes(account) === true;
}

function view(text: InboundText) {
  return {
    inbound_id: text.id,
    received_at: isoUtc(text.receivedAt),
    operator: text.operator,
    from: text.msisdn ?? text.source,
    to: text.destination,
    /** Null where it is no text; `hex` holds it then. */
    text: text.text,
    hex: text.octets === null ? null : Buffer.from(text.octets).toString("hex"),
    data_coding: text.dataCoding,
    parts: text.parts,
    /** Parts that never came. */
    missing_parts: text.missing,
    /** How often the operator sent it. */
    times: text.times,
    /** The word that opted the sender out, and from whom: account ids, or "everywhere"; nobody, while the sender's number is not known. */
    opt_out: text.keyword,
    opted_out_of: text.optedOutOf ? text.optedOutOf.split(",") : [],
  };
}

export type InboundView = Readonly<ReturnType<typeof view>>;

export const INBOUND_OPERATIONS = {
  // Without a permission: the console shows no text without asking for a reason.
  "inbound list": operation({
    does: "notes",
    params: {
      operator: optional(text("CODE", 100)),
      from: typedAs({ value: "ISO" }, FROM),
      before: optional(text("ID", 15)),
      limit: limit(100, MAX_TEXTS),
      reason: optional(REASON),
    },
    run: (context, { reason, ...query }) => inboundListFor(context, query, reason),
  }),
};
