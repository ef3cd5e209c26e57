/** The table of texts that subscribers sent in: noted, listed, and erased with their number. */
import { hashKey } from "../../core/ids.ts";
import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { familyCode, operatorFamily } from "../messages/operator-codes.ts";

type NewInboundText = {
  readonly operator: string;
  /** The two addresses as the operator writes them. */
  readonly source: string;
  readonly destination: string;
  /** The first as E.164 with "+"; null where it is no number. */
  readonly msisdn: string | null;
  readonly dataCoding: number;
  /** Null where it is no text; then the octets are kept. */
  readonly text: string | null;
  readonly octets: Uint8Array;
  readonly parts: number;
  readonly missing: number;
  /** Of nobody: the number of its sender is not known. */
  readonly optOut: { readonly word: string; readonly of: readonly string[] } | null;
};

/** The same text from the same sender within this is taken for one that was sent again for want of our answer. */
const AGAIN_MS = 3_600_000;

/**
 * Keeps an inbound text; its row id, null when it is one that came before and is only counted again. Nobody can tell a person who
 * repeats a text within the hour from an operator that sends it again.
 */
export function insertInboundText(tx: Tx, text: NewInboundText, nowMs: number): number | null {
  const { operator, source, destination } = text;
  const content = Buffer.from(text.octets).toString("base64");
  const heardBy = familyCode(tx, operator);
  const contentKey = hashKey(
    [heardBy, source, destination, text.dataCoding, text.missing, content].join(" "),
  );
  if (countedAgain(tx, { source, destination, contentKey }, nowMs - AGAIN_MS, nowMs)) return null;
  return insertText(tx, text, contentKey, nowMs);
}

/** A text that its channel gave an id. */
type IdentifiedText = Pick<NewInboundText, "operator" | "source" | "destination"> & {
  readonly id: string;
};

/** Whether a text with this id is kept already: then it is counted again, however late it comes. */
export function isStored(
  tx: Tx,
  { operator, source, destination, id }: IdentifiedText,
  nowMs: number,
): boolean {
  return operatorFamily(tx, operator).some((code) =>
    countedAgain(tx, { source, destination, contentKey: idKey(code, id) }, 0, nowMs),
  );
}

/** Keeps a text with an id. One that `isStored` is not kept again. */
export function insertIdentifiedText(tx: Tx, text: IdentifiedText & NewInboundText, nowMs: number): void {
  const { id, ...kept } = text;
  insertText(tx, kept, idKey(text.operator, id), nowMs);
}

type ContentKey = ReturnType<typeof hashKey>;

const idKey = (operator: string, id: string): ContentKey => hashKey(`id ${operator} ${id}`);

type SameText = Pick<NewInboundText, "source" | "destination"> & { readonly contentKey: ContentKey };

function countedAgain(tx: Tx, same: SameText, sinceMs: number, nowMs: number): boolean {
  const again = tx.run(
    `UPDATE inbound_texts SET times = times + 1, last_at = ?
     WHERE content_key = ? AND source = ? AND destination = ? AND last_at > ?`,
    nowMs,
    same.contentKey,
    same.source,
    same.destination,
    sinceMs,
  );
  return again > 0;
}

function insertText(
  tx: Tx,
  { optOut, ...kept }: NewInboundText,
  contentKey: ContentKey,
  nowMs: number,
): number {
  return tx.insert(
    `INSERT INTO inbound_texts (operator, source, destination, msisdn, data_coding, text, octets, parts, missing,
       received_at, last_at, content_key, keyword, opted_out_of)
     VALUES ($operator, $source, $destination, $msisdn, $dataCoding, $text, $octets, $parts, $missing,
       $nowMs, $nowMs, $contentKey, $keyword, $optedOutOf)`,
    {
      ...kept,
      octets: kept.text === null ? kept.octets : null,
      nowMs,
      contentKey,
      keyword: optOut?.word ?? null,
      optedOutOf: optOut?.of.join(",") ?? null,
    },
  );
}

/** Opt-outs from a source that were taken for a number's, E.164 with "+", or for nobody's that is known: null. */
export function listOptOutsFrom(
  read: Reader,
  source: string,
  msisdn: string | null,
): { readonly id: number; readonly operator: string; readonly word: string }[] {
  return read.all(
    `SELECT id, operator, keyword AS word FROM inbound_texts
     WHERE source = ? AND msisdn IS ? AND keyword IS NOT NULL ORDER BY id`,
    source,
    msisdn,
  );
}

/** Notes whose such a text was, and what it opted out of. */
export function recordHonouredOptOut(
  tx: Tx,
  id: number,
  { msisdn, of }: { readonly msisdn: string; readonly of: readonly string[] },
): void {
  tx.run("UPDATE inbound_texts SET msisdn = ?, opted_out_of = ? WHERE id = ?", msisdn, of.join(","), id);
}

export type InboundText = {
  readonly id: number;
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly msisdn: string | null;
  readonly dataCoding: number;
  readonly text: string | null;
  readonly octets: Uint8Array | null;
  readonly parts: number;
  readonly missing: number;
  readonly receivedAt: number;
  readonly times: number;
  readonly keyword: string | null;
  readonly optedOutOf: string | null;
};

type TextsQuery = {
  /** Null: of all operators. */
  readonly operator: string | null;
  readonly fromMs: number;
  /** The text to list on from, by its row id; null: the newest. */
  readonly beforeId: number | null;
};

const LIST = `SELECT id, operator, source, destination, msisdn, data_coding AS dataCoding, text, octets, parts, missing,
  received_at AS receivedAt, times, keyword, opted_out_of AS optedOutOf FROM inbound_texts`;

/** Inbound texts that came since a time, newest first; none after a text that is not there. */
export function listTexts(read: Reader, query: TextsQuery, limit: number): InboundText[] {
  const { operator, fromMs, beforeId } = query;
  const end = placeOf(read, beforeId);
  if (end === null) return [];
  return operator === null
    ? read.all<InboundText>(
        `${LIST} WHERE received_at >= ? AND (received_at, id) < (?, ?) ORDER BY received_at DESC, id DESC LIMIT ?`,
        fromMs,
        end.receivedAt,
        end.id,
        limit,
      )
    : read.all<InboundText>(
        `${LIST} WHERE operator = ? AND received_at >= ? AND (received_at, id) < (?, ?)
         ORDER BY received_at DESC, id DESC LIMIT ?`,
        operator,
        fromMs,
        end.receivedAt,
        end.id,
        limit,
      );
}

/** One inbound text by its row id; null: there is none. */
export function inboundText(read: Reader, id: number): InboundText | null {
  return read.get<InboundText>(`${LIST} WHERE id = ?`, id);
}

/** Who wrote to an operator's code since a time, and when, oldest first: at most `limit` after a row. */
export function writersSince(
  read: Reader,
  operator: string,
  fromMs: number,
  afterId: number,
  limit: number,
): {
  readonly id: number;
  readonly source: string;
  readonly msisdn: string | null;
  readonly receivedAt: number;
}[] {
  return read.all(
    `SELECT id, source, msisdn, received_at AS receivedAt FROM inbound_texts
     WHERE operator = ? AND received_at >= ? AND id > +? ORDER BY id LIMIT ?`,
    operator,
    fromMs,
    afterId,
    limit,
  );
}

function placeOf(read: Reader, id: number | null): Pick<InboundText, "receivedAt" | "id"> | null {
  if (id === null) return { receivedAt: Number.MAX_SAFE_INTEGER, id: 0 };
  return read.get("SELECT received_at AS receivedAt, id FROM inbound_texts WHERE id = ?", id);
}

/** Drops up to `limit` texts that came before `beforeMs`; how many. */
export function forgetOldTexts(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM inbound_texts WHERE id IN
       (SELECT id FROM inbound_texts WHERE received_at < ? ORDER BY received_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}

// Erases a number and its texts from what subscribers sent in.

/** Erases texts; how many. When they came, from which operator and whether a word in them opted out, stays. */
export function eraseInbound(tx: Tx, { name }: ErasedNumber, ids: readonly number[]): number {
  return tx.run(
    `UPDATE inbound_texts SET source = ?1, msisdn = iif(msisdn IS NULL, NULL, ?1), text = '', octets = NULL, content_key = 0
     WHERE id IN (SELECT value FROM json_each(?2))`,
    name,
    JSON.stringify(ids),
  );
}

/** Drops segments of texts that are not whole; how many. */
export function dropSegments(tx: Tx, segments: readonly WaitingSegment[]): number {
  let dropped = 0;
  for (const segment of segments)
    dropped += tx.run(
      `DELETE FROM inbound_parts WHERE operator = $operator AND source = $source AND destination = $destination
         AND reference = $reference AND total = $total AND part = $part`,
      segment,
    );
  return dropped;
}

// What one number sent in.

const PAGE = 500;

/** Texts that a number sent in, among the next rows. */
export function inboundPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<InboundText, number> {
  const rows = read.all<InboundText>(`${LIST} WHERE id > ? ORDER BY id LIMIT ?`, after ?? -1, PAGE);
  const isFrom = ({ msisdn, source }: InboundText) => msisdn === number.msisdn || number.occursIn(source);
  return toPage(rows, PAGE, ({ id }) => id, isFrom);
}

/** A segment of a long text whose other segments have not come. */
type WaitingSegment = {
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly reference: number;
  readonly total: number;
  readonly part: number;
  readonly octets: Uint8Array;
  readonly receivedAt: number;
};

/** Segments that a number sent in and whose text is not whole yet. There are never many. */
export function waitingSegments(read: Reader, number: NumberMatcher): WaitingSegment[] {
  return read
    .all<WaitingSegment>(
      `SELECT operator, source, destination, reference, total, part, octets, received_at AS receivedAt
       FROM inbound_parts ORDER BY received_at`,
    )
    .filter(({ source }) => number.occursIn(source));
}
