/**
 * The index of message searches: messages in blocks of their ids, and for each block what its messages have in common. A block of which no
 * message fits what is asked for is not looked at. Sending a message writes nothing here: what happened is learned afterwards from the
 * feed's own index and from the off-feed changes (feed-stamps.ts), and until then a block that changed is marked as stale.
 */
import type { Reader } from "../../../db/reader.ts";
import type { Tx } from "../../../db/writer.ts";
import { findOffFeedChanges, lastStampUs, MESSAGES_A_BLOCK } from "../feed-stamps.ts";
import { type IdSpan, idBelow, movedBetween, runsSince } from "../id-ranges.ts";
import {
  type DaysOf,
  deriveFigures,
  letGo,
  recordFigures,
  toFacet,
  toFacetName,
} from "./delivery-figures.ts";
import { type Facet, type FacetQuery, type MessageFate, readFates } from "./search-rows.ts";

export const BLOCK = MESSAGES_A_BLOCK;

/** Numbers of the facets that fit what is asked for; null where everything does. */
export function findFacets(read: Reader, query: FacetQuery): ReadonlySet<number> | null {
  const { operators, ...rest } = query;
  if (operators === null && Object.values(rest).every((value) => value === null)) return null;
  const found = read.all<{ id: number }>(
    `SELECT id FROM search_facets
     WHERE ($accountId IS NULL OR account_id = $accountId) AND ($sender IS NULL OR sender = $sender COLLATE NOCASE)
       AND ($messageClass IS NULL OR message_class = $messageClass) AND ($status IS NULL OR status = $status)
       AND ($errorCode IS NULL OR error_code = $errorCode)
       AND ($operators IS NULL OR operator IN (SELECT value FROM json_each($operators)))`,
    { ...rest, operators: operators === null ? null : JSON.stringify(operators) },
  );
  return new Set(found.map(({ id }) => id));
}

/** A block as it is known: `facets` are null where something of it changed since. */
export type KnownBlock = { readonly block: number; readonly facets: Uint32Array | null };

/** The next known blocks from one on downwards. */
function blocksDown(read: Reader, from: number, to: number, limit: number): KnownBlock[] {
  return read
    .all<{ block: number; isStale: number; facets: Uint8Array }>(
      `SELECT block, is_stale AS isStale, facets FROM search_blocks WHERE block <= ? AND block >= ?
       ORDER BY block DESC LIMIT ?`,
      from,
      to,
      limit,
    )
    .map(({ block, isStale, facets }) => ({
      block,
      facets: isStale === 1 ? null : new Uint32Array(facets.slice().buffer),
    }));
}

/** Known blocks read in one go. */
const PAGE = 250;

/** Every block of the span that has messages, from the newest down, also those of which nothing is known. */
export function* eachBlock(read: Reader, span: IdSpan): Generator<KnownBlock> {
  const last = toBlock(span.fromId);
  let above = toBlock(span.belowId - 1) + 1;
  for (let isWhole = false; !isWhole; ) {
    const page = blocksDown(read, above - 1, last, PAGE);
    for (const known of page) {
      yield* unknownBetween(read, known.block, above);
      yield known;
      above = known.block;
    }
    isWhole = page.length < PAGE;
  }
  yield* unknownBetween(read, last - 1, above);
}

/** Blocks that have messages below one and above another; ids that were given to nobody leave wide holes. */
function* unknownBetween(read: Reader, below: number, above: number): Generator<KnownBlock> {
  if (above <= below + 1) return;
  for (let block = blockBelow(read, above); block !== null && block > below; block = blockBelow(read, block))
    yield { block, facets: null };
}

/** Marks blocks as stale: something of them changed. */
export function markStale(tx: Tx, blocks: Iterable<number>): void {
  for (const block of blocks) {
    tx.run(
      `INSERT INTO search_blocks (block, messages, is_stale, facets) VALUES (?, 0, 1, x'')
       ON CONFLICT (block) DO UPDATE SET is_stale = 1 WHERE is_stale = 0`,
      block,
    );
  }
}

/** Up to `limit` stale blocks, the newest first. */
export function staleBlocks(read: Reader, limit: number): number[] {
  return read
    .all<{ block: number }>(
      "SELECT block FROM search_blocks WHERE is_stale = 1 ORDER BY block DESC LIMIT ?",
      limit,
    )
    .map(({ block }) => block);
}

/** Whether messages of one of some accounts are in a block, as far as is known: what changed may be anybody's. */
export function mayHoldMessages(
  { facets }: Pick<KnownBlock, "facets">,
  facetsOfThose: ReadonlySet<number> | null,
): boolean {
  return facets === null || facetsOfThose === null || facets.some((facet) => facetsOfThose.has(facet));
}

/** Numbers of the facets that messages of some accounts have. */
export function facetsOfAccounts(read: Reader, accountIds: readonly number[]): ReadonlySet<number> {
  const found = read.all<{ id: number }>(
    "SELECT id FROM search_facets WHERE account_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(accountIds),
  );
  return new Set(found.map(({ id }) => id));
}

/** A block as it is known; null where it was never indexed. */
export function knownBlock(read: Reader, block: number): KnownBlock | null {
  const found = blocksDown(read, block, block, 1)[0];
  return found ?? null;
}

/** The highest block below another that has messages, null where there is none. */
export function blockBelow(read: Reader, block: number): number | null {
  const id = idBelow(read, block * BLOCK);
  return id === null ? null : toBlock(id);
}

export function toBlock(messageId: number): number {
  return Math.floor(messageId / BLOCK);
}

export function isKnown(read: Reader, block: number): boolean {
  return read.get("SELECT 1 FROM search_blocks WHERE block = ?", block) !== null;
}

/** Numbers of facets that are committed. */
export type FacetNumbers = Map<string, number>;

/** Writes down what the messages of a block have in common and what became of them, as it stands in this transaction. */
export function indexBlock(tx: Tx, block: number, known: FacetNumbers, daysOf: DaysOf): void {
  const fates = fatesOfBlock(tx, block);
  const numberOf = (facet: Facet): number => facetNumber(tx, facet, known);
  const common = new Map(fates.map((fate) => [toFacetName(fate), fate]));
  const facets = [...common.values()].map((fate) => numberOf(toFacet(fate)));
  tx.run(
    `INSERT INTO search_blocks (block, messages, is_stale, facets) VALUES (?1, ?2, 0, ?3)
     ON CONFLICT (block) DO UPDATE SET messages = ?2, is_stale = 0, facets = ?3`,
    block,
    fates.length,
    new Uint8Array(Uint32Array.from(facets).buffer),
  );
  recordFigures(tx, block, deriveFigures(fates, daysOf), numberOf);
}

/**
 * To be called by whoever deletes messages, in the same transaction and before: their outcomes are recorded for the days, whose figures
 * outlive them.
 */
export function recordBeforeDelete(
  tx: Tx,
  messageIds: readonly number[],
  known: FacetNumbers,
  daysOf: DaysOf,
): void {
  const going = new Set(messageIds);
  const numberOf = (facet: Facet): number => facetNumber(tx, facet, known);
  for (const block of new Set(messageIds.map(toBlock))) {
    const fates = fatesOfBlock(tx, block);
    recordFigures(tx, block, deriveFigures(fates, daysOf), numberOf);
    const [gone, stay] = [true, false].map((isGoing) => fates.filter(({ id }) => going.has(id) === isGoing));
    letGo(tx, block, deriveFigures(gone ?? [], daysOf), deriveFigures(stay ?? [], daysOf), numberOf);
  }
}

export function fatesOfBlock(read: Reader, block: number): MessageFate[] {
  return readFates(read, { fromId: block * BLOCK, belowId: (block + 1) * BLOCK });
}

function facetNumber(tx: Tx, facet: Facet, known: FacetNumbers): number {
  const name = toFacetName(facet);
  const number = known.get(name);
  if (number !== undefined) return number;
  const stored = storedFacet(tx, facet);
  tx.afterCommit(() => known.set(name, stored));
  return stored;
}

function storedFacet(tx: Tx, facet: Facet): number {
  const stored = tx.get<{ id: number }>(
    `SELECT id FROM search_facets WHERE account_id = $accountId AND sender = $sender AND message_class = $messageClass
       AND operator = $operator AND status = $status AND error_code = $errorCode`,
    facet,
  );
  return (
    stored?.id ??
    tx.insert(
      `INSERT INTO search_facets (account_id, sender, message_class, operator, status, error_code)
       VALUES ($accountId, $sender, $messageClass, $operator, $status, $errorCode)`,
      facet,
    )
  );
}

// Which messages something happened to since they were indexed last: what clients see of it is read from the feed's own indexes, the rest
// is noted apart.

/** An account whose messages moved: the blocks of those, and how far the feed was read. */
export type Followed = {
  readonly accountId: number;
  readonly blocks: ReadonlySet<number>;
  readonly stampUs: number;
};

/** Entries of the feed's index that are read in one go. */
const MOVES_A_PAGE = 2000;

/**
 * Follows the feed of an account from its cursor on; null where nothing happened. Stamps only rise, and a commit never carries an
 * earlier one, so that what is read up to the last stamp there is stays read. `pause` is asked between pages.
 */
export async function follow(
  read: Reader,
  accountId: number,
  pause: () => Promise<void> | undefined,
): Promise<Followed | null> {
  const cursorUs = cursorOf(read, accountId);
  const stampUs = lastStampUs(read, accountId);
  if (stampUs <= cursorUs) return null;
  const blocks = new Set<number>();
  for (const { firstId, count } of runsSince(read, accountId, cursorUs)) {
    for (let block = toBlock(firstId); block <= toBlock(firstId + count - 1); block++) blocks.add(block);
  }
  for (let afterUs = cursorUs; afterUs < stampUs; ) {
    const page = movedBetween(read, accountId, { afterUs, toUs: stampUs }, MOVES_A_PAGE);
    for (const { id } of page) blocks.add(toBlock(id));
    afterUs = page.length < MOVES_A_PAGE ? stampUs : (page.at(-1)?.stampUs ?? stampUs);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { accountId, blocks, stampUs };
}

/** The blocks of some accounts that changed since they were indexed last. */
export async function changedBlocks(
  read: Reader,
  accountIds: readonly number[],
  pause: () => Promise<void> | undefined,
): Promise<ReadonlySet<number>> {
  const changed = new Set(findOffFeedChanges(read));
  for (const id of accountIds) {
    for (const block of (await follow(read, id, pause))?.blocks ?? []) changed.add(block);
  }
  return changed;
}

/** Notes how far the feed of an account was read. */
export function moveCursor(tx: Tx, { accountId, stampUs }: Followed): void {
  tx.run(
    `INSERT INTO search_cursors (account_id, stamp_us) VALUES (?1, ?2)
     ON CONFLICT (account_id) DO UPDATE SET stamp_us = ?2`,
    accountId,
    stampUs,
  );
}

function cursorOf(read: Reader, accountId: number): number {
  return (
    read.get<{ stampUs: number }>(
      "SELECT stamp_us AS stampUs FROM search_cursors WHERE account_id = ?",
      accountId,
    )?.stampUs ?? 0
  );
}
