/** All that is kept of one message, for its timeline. */
import type { Reader } from "../store/read.ts";
import type { Status } from "./status.ts";

export type TracedMessage = {
  readonly id: number;
  readonly ulid: string;
  readonly accountUlid: string;
  readonly batchUlid: string;
  readonly messageClass: string;
  readonly sender: string;
  readonly msisdn: string;
  readonly operator: string;
  readonly status: Status;
  readonly isFinal: number;
  readonly isSquared: number;
  readonly encoding: string;
  readonly segments: number;
  readonly price: number;
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

/** The message that a ULID names, whichever account's it is; null when there is none. */
export function tracedMessage(read: Reader, ulid: string): TracedMessage | null {
  return read.get<TracedMessage>(
    `SELECT m.id, m.ulid, a.ulid AS accountUlid, b.ulid AS batchUlid, b.message_class AS messageClass, b.sender,
       m.msisdn, m.operator, m.status, m.is_final AS isFinal, m.is_squared AS isSquared, m.encoding, m.segments,
       m.price, m.amount, b.charge_on AS chargeOn, coalesce(m.text, b.body) AS text, m.not_before AS notBefore,
       m.attempts, m.resends, m.error_code AS errorCode, m.operator_code AS operatorCode, m.created_at AS createdAt,
       m.submitted_at AS submittedAt, m.sent_at AS sentAt, m.delivered_at AS deliveredAt,
       m.finalized_at AS finalizedAt
     FROM messages m JOIN batches b ON b.id = m.batch_id JOIN accounts a ON a.id = m.account_id
     WHERE m.ulid = ? AND b.status <> 'STAGING'`,
    ulid,
  );
}

/** How a segment left; null of what was not noted. `shape` is the PDU's fields as JSON. */
export type TracedDeparture = {
  readonly attempt: number | null;
  readonly connection: number | null;
  readonly sequence: number | null;
  readonly writtenAt: number | null;
  readonly shape: string | null;
};

export type TracedPart = TracedDeparture & {
  readonly part: number;
  readonly state: string;
  readonly smscId: string;
  readonly sentAt: number;
  readonly receiptAt: number | null;
  readonly receiptState: string | null;
  readonly receiptCode: string | null;
  readonly receiptConnection: number | null;
  readonly receiptSequence: number | null;
};

/** The segments an operator accepted, in the order it did. */
export function tracedParts(read: Reader, messageId: number): TracedPart[] {
  return read.all<TracedPart>(
    `SELECT p.part, p.state, p.smsc_id AS smscId, p.sent_at AS sentAt, p.attempt, p.connection, p.sequence,
       p.written_at AS writtenAt, s.fields AS shape, p.receipt_at AS receiptAt, p.receipt_state AS receiptState,
       p.receipt_code AS receiptCode, p.receipt_connection AS receiptConnection,
       p.receipt_sequence AS receiptSequence
     FROM parts p LEFT JOIN submit_shapes s ON s.id = p.shape_id WHERE p.message_id = ? ORDER BY p.sent_at, p.part`,
    messageId,
  );
}

export type TracedUnaccepted = TracedDeparture & {
  readonly firstPart: number;
  readonly lastPart: number;
  readonly outcome: "REFUSED" | "PUT_OFF" | "UNANSWERED";
  readonly commandStatus: number | null;
  readonly times: number;
  readonly endedAt: number;
  /** 1: nothing has told yet whether the operator has it. */
  readonly isInDoubt: number;
};

/** The submits that were not accepted there and then, in order. */
export function tracedUnaccepted(read: Reader, messageId: number): TracedUnaccepted[] {
  return read.all<TracedUnaccepted>(
    `SELECT u.first_part AS firstPart, u.last_part AS lastPart, u.outcome, u.command_status AS commandStatus, u.times,
       u.attempt, u.connection, u.sequence, u.written_at AS writtenAt, u.ended_at AS endedAt, s.fields AS shape,
       u.doubt_key IS NOT NULL AS isInDoubt
     FROM unaccepted_submits u LEFT JOIN submit_shapes s ON s.id = u.shape_id WHERE u.message_id = ? ORDER BY u.id`,
    messageId,
  );
}

/** A message that an operator may or may not have. */
export type UnansweredMessage = {
  readonly rowId: number;
  readonly ulid: string;
  readonly operator: string;
  readonly messageClass: string;
  readonly msisdn: string;
  readonly status: "QUEUED" | "SUBMITTED";
  readonly resends: number;
  /** When its first answer was overdue. */
  readonly since: number;
  readonly until: number | null;
  readonly sentAgainAt: number | null;
  readonly expiresAt: number;
};

/** Where a page of `unansweredMessages` ends. */
export type UnansweredPlace = { readonly endedAt: number; readonly rowId: number };

/**
 * A page of up to `limit` submits in doubt after a place, the longest in doubt first, with the messages that are still
 * undecided, each once: at the first of its submits. `last` is null when there are no more.
 */
export function unansweredMessages(
  read: Reader,
  operator: string | null,
  after: UnansweredPlace,
  limit: number,
): { readonly messages: UnansweredMessage[]; readonly last: UnansweredPlace | null } {
  const rows = read.all<{ rowId: number; endedAt: number; messageId: number; isFirst: number }>(
    `SELECT id AS rowId, ended_at AS endedAt, message_id AS messageId,
       NOT EXISTS (SELECT 1 FROM unaccepted_submits earlier
         WHERE earlier.message_id = u.message_id AND earlier.id < u.id AND earlier.doubt_key IS NOT NULL) AS isFirst
     FROM unaccepted_submits u WHERE doubt_key IS NOT NULL AND (ended_at, id) > (?, ?)
     ORDER BY ended_at, id LIMIT ?`,
    after.endedAt,
    after.rowId,
    limit,
  );
  const messages = rows.flatMap(({ rowId, endedAt, messageId, isFirst }) =>
    isFirst === 0
      ? []
      : read.all<UnansweredMessage>(
          `SELECT ?1 AS rowId, m.ulid, m.operator, b.message_class AS messageClass, m.msisdn, m.status, m.resends,
             ?2 AS since, m.unanswered_until AS until, m.submitted_at AS sentAgainAt, b.expires_at AS expiresAt
           FROM messages m JOIN batches b ON b.id = m.batch_id
           WHERE m.id = ?3 AND m.status IN ('QUEUED', 'SUBMITTED') AND (?4 IS NULL OR m.operator = ?4)`,
          rowId,
          endedAt,
          messageId,
          operator,
        ),
  );
  const last = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { messages, last };
}
