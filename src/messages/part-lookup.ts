import type { Reader } from "../store/read.ts";

/** An accepted segment under an operator's id. */
export type NamedPart = {
  readonly messageId: number;
  readonly part: number;
  /** The operator's id exactly as received, and the form it is looked up by. */
  readonly smscId: string;
  readonly smscKey: string;
};

/** The segments that an operator accepted under an id of this canonical form. */
export function partsBySmscKey(read: Reader, operator: string, smscKey: string): NamedPart[] {
  return read.all<NamedPart>(
    `SELECT message_id AS messageId, part, smsc_id AS smscId, smsc_key AS smscKey
     FROM parts WHERE operator = ? AND smsc_key = ?`,
    operator,
    smscKey,
  );
}

/** The recipient of a message that exists, E.164 with "+". */
export function recipientOf(read: Reader, messageId: number): string {
  return read.get<{ msisdn: string }>("SELECT msisdn FROM messages WHERE id = ?", messageId)?.msisdn ?? "";
}
