/** All that is kept of one message, for its timeline. */

import type { Channel } from "../../core/channels.ts";
import type { Reader } from "../../db/read.ts";
import { EXCESS_RESERVATION } from "./money-position.ts";
import type { Status } from "./status.ts";

export type TracedMessage = {
  readonly id: number;
  readonly ulid: string;
  readonly accountId: number;
  readonly batchId: number;
  readonly batchUlid: string;
  readonly channel: Channel;
  readonly messageClass: string;
  readonly sender: string;
  readonly msisdn: string;
  readonly operator: string;
  readonly status: Status;
  readonly isFinal: number;
  readonly isSquared: number;
  readonly encoding: "GSM7" | "UCS2";
  readonly segments: number;
  readonly price: number;
  readonly beyond: number;
  readonly amount: number;
  readonly chargeOn: "accepted" | "delivered";
  readonly text: string;
  readonly notBefore: number;
  readonly attempts: number;
  readonly resends: number;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly createdAt: number;
  readonly submittedAt: number | null;
  readonly sentAt: number | null;
  readonly deliveredAt: number | null;
  readonly finalizedAt: number | null;
};

/** The id of a message as people see it, by its row; null when there is none. */
export function messageIdOf(read: Reader, row: number): string | null {
  return read.get<{ ulid: string }>("SELECT ulid FROM messages WHERE id = ?", row)?.ulid ?? null;
}

/** The message that a ULID names, whichever account's it is; null when there is none. */
export function tracedMessage(read: Reader, ulid: string): TracedMessage | null {
  return read.get<TracedMessage>(
    `SELECT m.id, m.ulid, m.account_id AS accountId, m.batch_id AS batchId, b.ulid AS batchUlid, b.channel, b.message_class AS messageClass, b.sender,
       m.msisdn, m.operator, m.status, m.is_final AS isFinal, m.is_squared AS isSquared, m.encoding, m.segments,
       m.price, ${EXCESS_RESERVATION} AS beyond, m.amount, b.charge_on AS chargeOn, coalesce(m.text, b.body) AS text, m.not_before AS notBefore,
       m.attempts, m.resends, m.error_code AS errorCode, m.operator_code AS operatorCode, m.created_at AS createdAt,
       m.submitted_at AS submittedAt, m.sent_at AS sentAt, m.delivered_at AS deliveredAt,
       m.finalized_at AS finalizedAt
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.ulid = ? AND b.status <> 'STAGING'`,
    ulid,
  );
}

/** A segment that an operator accepted, with what its channel noted of how it left and of its receipt. */
export type TracedPart = {
  readonly part: number;
  /** The code that it was sent under. */
  readonly operator: string;
  readonly state: string;
  readonly remoteId: string;
  readonly sentAt: number;
  readonly attempt: number | null;
  readonly connection: number | null;
  readonly sequence: number | null;
  readonly writtenAt: number | null;
  readonly shapeId: number | null;
  readonly receiptAt: number | null;
  readonly receiptState: string | null;
  readonly receiptCode: string | null;
  readonly receiptConnection: number | null;
  readonly receiptSequence: number | null;
};

/** The segments an operator accepted, in the order it did. */
export function tracedParts(read: Reader, messageId: number): TracedPart[] {
  return read.all<TracedPart>(
    `SELECT part, operator, state, smsc_id AS remoteId, sent_at AS sentAt, attempt, connection, sequence, written_at AS writtenAt,
       shape_id AS shapeId, receipt_at AS receiptAt, receipt_state AS receiptState, receipt_code AS receiptCode,
       receipt_connection AS receiptConnection, receipt_sequence AS receiptSequence
     FROM parts WHERE message_id = ? ORDER BY sent_at, part`,
    messageId,
  );
}
