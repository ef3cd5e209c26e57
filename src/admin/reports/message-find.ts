import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { accountById, listAccountNames, listSandboxes } from "../../domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/classes.ts";
import { type IdSpan, placeFrom } from "../../domain/messages/look-up.ts";
import { BLOCK, eachBlock, facetsOf, type KnownBlock } from "../../domain/messages/search/blocks.ts";
import { changedBlocks } from "../../domain/messages/search/follow.ts";
import {
  type FacetQuery,
  type FoundMessage,
  type MessageQuery,
  rowsIn,
  rowsOf,
} from "../../domain/messages/search/rows.ts";
import { idsToNumber } from "../../domain/messages/search/to-number.ts";
import { type MessageObject, messageObject } from "../../domain/messages/view.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import {
  BATCH,
  FROM,
  limit,
  MESSAGE,
  MODE,
  OF_ACCOUNT,
  optional,
  TO,
  text,
  typedAs,
} from "../operations/parameters.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { type FindFilters, readFilters } from "./find-filters.ts";

export type FindView = {
  readonly messages: readonly ({ readonly account_id: string; readonly account: string } & MessageObject)[];
  /** The message to search on from, with `--before`; null when nothing is left. */
  readonly next: string | null;
  /** All that fits and was accepted since then, and before the last page, was found. */
  readonly searched_back_to: string;
};

/** Blocks that one search looks at for nothing: about 100,000 messages. Those that it finds something in end with its page. */
const MAX_IN_VAIN = 98;

/** Messages looked at by id in one go. */
const IDS_A_STEP = 200;

/** A search on its way. */
type Search = {
  readonly read: Reader;
  readonly pause: () => Promise<void> | undefined;
  readonly query: MessageQuery;
  readonly span: IdSpan;
  readonly limit: number;
  /** Blocks that changed so lately that what they have in common is not told yet. */
  readonly changed: ReadonlySet<number>;
  readonly found: FoundMessage[];
};

/** Where a search ended: before this id nothing was looked at; null: to its end. */
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
  // One more than is shown tells whether something is left.
  const search: Search = { read, pause, query, span, limit: limit + 1, changed, found: [] };
  const reached =
    query.msisdn === null ? await byBlocks(search, query) : await byNumber(search, query.msisdn);
  const shown = search.found.slice(0, limit);
  const last = shown.at(-1);
  const cutAt = search.found.length > limit && last ? last.id : reached;
  return done({
    messages: shown.map((row) => toMessageView(read, row)),
    next: cutAt === null ? null : (ulidFrom(read, cutAt) ?? null),
    searched_back_to: isoUtc(backTo(read, cutAt, query)),
  });
}

/** Looks at those blocks of which something may fit. */
async function byBlocks(search: Search, query: FacetQuery): Promise<Reached> {
  const { read, pause, span, found, limit } = search;
  const wanted = facetsOf(read, query);
  let inVain = 0;
  for (const known of eachBlock(read, span)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (!mayFit(known, wanted, search.changed)) continue;
    if (inVain === MAX_IN_VAIN) return Math.min(span.belowId, (known.block + 1) * BLOCK);
    const fromId = Math.max(span.fromId, known.block * BLOCK);
    const belowId = Math.min(span.belowId, (known.block + 1) * BLOCK);
    const rows = rowsIn(read, search.query, { fromId, belowId }, limit - found.length);
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

/** Looks up the messages to a number, and through those whose numbers are not noted yet. */
async function byNumber(search: Search, msisdn: string): Promise<Reached> {
  const { read, pause, query, span, found, limit, changed } = search;
  const inSpan = await idsToNumber(read, msisdn, span, changed, pause);
  for (let at = 0; at < inSpan.length && found.length < limit; at += IDS_A_STEP) {
    const rows = rowsOf(read, query, inSpan.slice(at, at + IDS_A_STEP));
    found.push(...rows.slice(0, limit - found.length));
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return null;
}

/** A message as searches show it, with whose it is. */
export function toMessageView(read: Reader, row: FoundMessage): FindView["messages"][number] {
  const account = accountById(read, row.account_id);
  return { account_id: account?.ulid ?? "", account: account?.name ?? "", ...messageObject(row) };
}

function ulidFrom(read: Reader, id: number): string | undefined {
  return placeFrom(read, id)?.ulid;
}

/** Since when all was looked at: the beginning of the time asked for, or the acceptance of the last message looked at. */
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
      class: optional(typedAs({ told: CLASSES }, text("CLASS", 100))),
      from: FROM,
      to: TO,
      before: optional(MESSAGE),
      limit: limit(100),
      mode: MODE,
    },
    run: (context, { class: messageClass, ...filters }) => messageFind(context, { ...filters, messageClass }),
  }),
};
