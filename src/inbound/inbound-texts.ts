/** The table of what subscribers sent in. */

import { keyOf } from "../base/key-of.ts";
import { familyCode } from "../messages/operator-family.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

export type NewInboundText = {
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
  readonly optOut: { readonly word: string; readonly of: readonly string[] } | null;
};

/** The same text from the same sender within this is taken for one that was sent again for want of our answer. */
const AGAIN_MS = 3_600_000;

/**
 * Keeps an inbound text; false when it is one that came before and is only counted again. Nobody can tell a person who
 * repeats a text within the hour from an operator that sends it again.
 */
export function keepText(tx: Tx, text: NewInboundText, nowMs: number): boolean {
  const { optOut, ...kept } = text;
  const { operator, source, destination } = kept;
  const content = Buffer.from(text.octets).toString("base64");
  const heardBy = familyCode(tx, operator);
  const contentKey = keyOf([heardBy, source, destination, text.dataCoding, text.missing, content].join(" "));
  const again = tx.run(
    `UPDATE inbound_texts SET times = times + 1, last_at = ?
     WHERE content_key = ? AND source = ? AND destination = ? AND last_at > ?`,
    nowMs,
    contentKey,
    source,
    destination,
    nowMs - AGAIN_MS,
  );
  if (again > 0) return false;
  tx.run(
    `INSERT INTO inbound_texts (operator, source, destination, msisdn, data_coding, text, octets, parts, missing,
       received_at, last_at, content_key, keyword, opted_out_of)
     VALUES ($operator, $source, $destination, $msisdn, $dataCoding, $text, $octets, $parts, $missing,
       $nowMs, $nowMs, $contentKey, $keyword, $optedOutOf)`,
    {
      ...kept,
      octets: text.text === null ? text.octets : null,
      nowMs,
      contentKey,
      keyword: optOut?.word ?? null,
      optedOutOf: optOut?.of.join(",") ?? null,
    },
  );
  return true;
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

export type TextsQuery = {
  /** Null: of all operators. */
  readonly operator: string | null;
  readonly fromMs: number;
  /** The text to list on from, by its row id; null: the newest. */
  readonly beforeId: number | null;
};

export const LIST = `SELECT id, operator, source, destination, msisdn, data_coding AS dataCoding, text, octets, parts, missing,
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
