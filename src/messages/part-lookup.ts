import type { Reader } from "../store/read.ts";

/** An accepted segment, with the recipient of its message. */
export type PartOfMessage = {
  readonly messageId: number;
  readonly part: number;
  /** The operator's id exactly as received, and the form it is looked up by. */
  readonly smscId: string;
  readonly smscKey: string;
  readonly msisdn: string;
};

/** The segments that an operator accepted under an id of this canonical form. */
export function partsBySmscKey(read: Reader, operator: string, smscKey: string): PartOfMessage[] {
  return read.all<PartOfMessage>(
    `SELECT p.message_id AS messageId, p.part, p.smsc_id AS smscId, p.smsc_key AS smscKey, m.msisdn
     FROM parts p JOIN messages m ON m.id = p.message_id WHERE p.operator = ? AND p.smsc_key = ?`,
    operator,
    smscKey,
  );
}
