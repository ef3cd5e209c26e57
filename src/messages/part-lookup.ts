import type { Reader } from "../store/read.ts";

/** An accepted segment under an operator's id. */
export type NamedPart = {
  readonly messageId: number;
  readonly part: number;
  /** The operator's id exactly as received, and the form it is looked up by. */
  readonly smscId: string;
  readonly smscKey: string;
  /** The recipient, E.164 with "+". */
  readonly msisdn: string;
  /** No receipt has ended the segment yet, nor anything its message. */
  readonly isOpen: boolean;
  /** When its submit left; null where that was not noted. */
  readonly writtenAt: number | null;
};

/**
 * Segments looked at under one id: room for a message of 255 that has one id for all. An operator that uses few ids
 * again and again, or one for everything, must not make each receipt dearer than the one before.
 */
const MOST_UNDER_AN_ID = 512;

/**
 * The segments that an operator accepted under an id of this canonical form, the newest of them where there are many.
 * Asked with every receipt: two subqueries of the same row cost a tenth of a join here.
 */
export function partsBySmscKey(read: Reader, operator: string, smscKey: string): NamedPart[] {
  return read
    .all<Omit<NamedPart, "isOpen"> & { isOpen: number }>(
      `SELECT message_id AS messageId, part, smsc_id AS smscId, smsc_key AS smscKey,
         (SELECT msisdn FROM messages WHERE id = message_id) AS msisdn,
         state = 'SENT' AND (SELECT is_final FROM messages WHERE id = message_id) = 0 AS isOpen,
         written_at AS writtenAt
       FROM parts WHERE operator = ? AND smsc_key = ? ORDER BY message_id DESC, part DESC LIMIT ?`,
      operator,
      smscKey,
      MOST_UNDER_AN_ID,
    )
    .reverse()
    .map((row) => ({ ...row, isOpen: row.isOpen === 1 }));
}

/** The recipient of a message that exists, E.164 with "+". */
export function recipientOf(read: Reader, messageId: number): string {
  return read.get<{ msisdn: string }>("SELECT msisdn FROM messages WHERE id = ?", messageId)?.msisdn ?? "";
}
