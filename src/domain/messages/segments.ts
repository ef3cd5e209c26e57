/**
 * Segments (parts) as the channels ask for them: by the id that an operator's receipt has (docs/behaviour.md#receipts), those of a
 * message that waits for its outcome, and of what batch, class and recipient they are. It reads; parts are written by apply-facts.ts,
 * but for `moveIdentifiedPart`.
 */
import { assert } from "../../core/assert.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Fact, PartTrace } from "./facts.ts";
import type { QueuedBatch } from "./queue.ts";
import { readRouteChanges } from "./rerouting.ts";
import { findRoute } from "./route-changes.ts";
import type { AcceptedPart } from "./transitions.ts";

/** An accepted segment under an operator's id. */
export type IdentifiedPart = {
  readonly messageId: number;
  readonly part: number;
  /** The code it was sent under. */
  readonly operator: string;
  /** The operator's id exactly as received, and the form it is looked up by. */
  readonly remoteId: string;
  readonly remoteKey: string;
  /** The recipient, E.164 with "+". */
  readonly msisdn: string;
  /** No receipt has ended the segment yet, nor anything its message. */
  readonly isOpen: boolean;
  /** Unmatched receipts with a number up to this one came before its submit left; null where that was not noted. */
  readonly unmatchedBefore: number | null;
  /** What its channel noted of how it left (`PartTrace`); null where it noted nothing. */
  readonly pduParametersId: number | null;
};

/**
 * Segments looked at under one id: room for a message of 255 that has one id for all. An operator that uses few ids
 * again and again, or one for everything, must not make each receipt dearer than the one before.
 */
const MAX_UNDER_AN_ID = 512;

const NEWEST_OF_ONE = `SELECT message_id AS messageId, part, operator, smsc_id AS remoteId, smsc_key AS remoteKey,
    (SELECT msisdn FROM messages WHERE id = message_id) AS msisdn,
    state = 'SENT' AND (SELECT is_final FROM messages WHERE id = message_id) = 0 AS isOpen,
    unmatched_before AS unmatchedBefore, pdu_parameters_id AS pduParametersId
  FROM parts WHERE smsc_key = ?1 AND operator = ? ORDER BY message_id DESC, part DESC LIMIT ${MAX_UNDER_AN_ID}`;

/**
 * The segments that a family of operators got accepted under an id of this canonical form, the newest of each where
 * there are many; oldest first. Asked with every receipt: one statement, of which each code costs a look into the index;
 * two subqueries of the same row cost a tenth of a join here.
 */
export function partsByRemoteKey(
  read: Reader,
  operators: readonly string[],
  remoteKey: string,
): IdentifiedPart[] {
  const sql =
    operators.length === 1
      ? NEWEST_OF_ONE
      : operators.map(() => `SELECT * FROM (${NEWEST_OF_ONE})`).join(" UNION ALL ");
  const rows = read.all<Omit<IdentifiedPart, "isOpen"> & { isOpen: number }>(sql, remoteKey, ...operators);
  const parts = rows.reverse().map((row) => ({ ...row, isOpen: row.isOpen === 1 }));
  return operators.length === 1 ? parts : parts.sort((a, b) => a.messageId - b.messageId || a.part - b.part);
}

/** A message that another appliance was given. */
export type PostedMessage = {
  readonly batchId: number;
  readonly operator: string;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly segments: number;
  readonly sender: string;
  /** The routes that are marked for it. */
  readonly routesTried: number;
};

/** A message by its row; null where it is gone. */
export function readPostedMessage(read: Reader, messageId: number): PostedMessage | null {
  return read.get<PostedMessage>(
    `SELECT m.batch_id AS batchId, m.operator, m.msisdn, m.segments, m.routes_tried AS routesTried, b.sender
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id = ?`,
    messageId,
  );
}

/** The recipient of a message that exists, E.164 with "+". */
export function readRecipient(read: Reader, messageId: number): string {
  return read.get<{ msisdn: string }>("SELECT msisdn FROM messages WHERE id = ?", messageId)?.msisdn ?? "";
}

/** The batch of a message that exists. */
export function readBatchId(read: Reader, messageId: number): number {
  const found = read.get<{ batchId: number }>(
    "SELECT batch_id AS batchId FROM messages WHERE id = ?",
    messageId,
  );
  assert(found, "the message is there");
  return found.batchId;
}

/** The messages among some that went out under one of these senders. */
export function messagesFrom(
  read: Reader,
  messageIds: readonly number[],
  senders: readonly string[],
): ReadonlySet<number> {
  const rows = read.all<{ id: number }>(
    `SELECT m.id FROM json_each(?) AS wanted JOIN messages m ON m.id = wanted.value JOIN batches b ON b.id = m.batch_id
     WHERE b.sender IN (SELECT value FROM json_each(?))`,
    JSON.stringify(messageIds),
    JSON.stringify(senders),
  );
  return new Set(rows.map(({ id }) => id));
}

/** A message for which an operator may give an id any moment. */
type AwaitingMessage = {
  readonly messageId: number;
  /** Unmatched receipts with a number up to this one came before it was claimed; null where that was not noted. */
  readonly unmatchedBefore: number | null;
  /** 1: an attempt is under way; 0: the outcome of the last one is unknown. */
  readonly isUnderWay: 0 | 1;
};

/**
 * The messages to exactly this number that a family has been handed and not all of which it has answered for: those that are under way,
 * those of unknown outcome, and those whose second SMS is under way.
 */
export function awaitingAnswer(
  read: Reader,
  operators: readonly string[],
  msisdn: string,
): AwaitingMessage[] {
  return read.all<AwaitingMessage>(
    `SELECT id AS messageId, unmatched_before AS unmatchedBefore, 1 AS isUnderWay FROM messages
     WHERE status = 'SUBMITTED' AND unanswered_until IS NULL AND msisdn = ?1
       AND operator IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT id, unmatched_before, 0 FROM messages
     WHERE unanswered_until IS NOT NULL AND msisdn = ?1 AND operator IN (SELECT value FROM json_each(?2))
     UNION ALL
     SELECT m.id, NULL, 1 FROM second_sms s CROSS JOIN messages m ON m.id = s.message_id
     WHERE s.due_at IS NULL AND m.msisdn = ?1 AND m.operator IN (SELECT value FROM json_each(?2))`,
    msisdn,
    JSON.stringify(operators),
  );
}

/** A message's number, its text, and its segments that have an id. */
export type Whereabouts = {
  readonly msisdn: string;
  readonly segments: number;
  readonly status: string;
  readonly text: string;
  readonly identified: ReadonlySet<number>;
};

export function readWhereabouts(read: Reader, messageId: number): Whereabouts | null {
  const row = read.get<Omit<Whereabouts, "identified">>(
    `SELECT m.msisdn, m.segments, m.status, coalesce(m.text, b.body) AS text
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.id = ?`,
    messageId,
  );
  if (!row) return null;
  const parts = read.all<{ part: number }>("SELECT part FROM parts WHERE message_id = ?", messageId);
  return { ...row, identified: new Set(parts.map(({ part }) => part)) };
}

/** The class of the messages of a batch. */
export function readMessageClass(read: Reader, batchId: number): QueuedBatch["messageClass"] {
  const sql = "SELECT message_class AS messageClass FROM batches WHERE id = ?";
  const found = read.get<Pick<QueuedBatch, "messageClass">>(sql, batchId);
  assert(found, "the batch is there");
  return found.messageClass;
}

// The rows of a message's segments: those that an operator accepted, and what their receipts said.

/** The segments of a message that an operator accepted. */
export function readParts(read: Reader, messageId: number): AcceptedPart[] {
  return read.all<AcceptedPart>(
    `SELECT part, state, smsc_key AS remoteKey, error_code AS errorCode, operator_code AS operatorCode, attempt
     FROM parts WHERE message_id = ?`,
    messageId,
  );
}

/** The segments of a message that were accepted by the route of an attempt: what another route accepted completes nothing. */
export function readPartsWith(read: Reader, messageId: number, attempt: number): Set<number> {
  const parts = readParts(read, messageId);
  const changes = parts.length === 0 ? [] : readRouteChanges(read, messageId);
  const route = findRoute(changes, attempt);
  const joined = parts.filter((part) => findRoute(changes, part.attempt ?? 0) === route);
  return new Set(joined.map(({ part }) => part));
}

/**
 * What a channel noted of how a segment left that has an id of this form; null where there is none, or a receipt alone brought the id.
 */
export function readAnsweredPart(
  read: Reader,
  messageId: number,
  part: number,
  remoteKey: string,
): { readonly pduParametersId: number | null } | null {
  return read.get<{ pduParametersId: number | null }>(
    `SELECT pdu_parameters_id AS pduParametersId FROM parts
     WHERE message_id = $messageId AND part = $part AND smsc_key = $remoteKey AND written_at IS NOT NULL`,
    { messageId, part, remoteKey },
  );
}

// Messages that were sent twice: two attempts got a segment of them accepted.

/** Notes that a segment of a message was accepted by a second attempt. */
export function noteAcceptedTwice(tx: Tx, messageId: number, nowMs: number): void {
  tx.run(
    "INSERT INTO accepted_twice (message_id, accepted_at) VALUES (?, ?) ON CONFLICT (message_id) DO NOTHING",
    messageId,
    nowMs,
  );
}

/** A message that was sent twice, as an administrator sees it. */
export type MessageSentTwice = {
  readonly ulid: string;
  readonly operator: string;
  readonly messageClass: string;
  readonly msisdn: string;
  readonly status: string;
  /** When an operator accepted it for the second time. */
  readonly atMs: number;
};

/** Messages that were sent twice since an instant, the newest first, up to `limit`: all or an operator's. */
export function listSentTwice(
  read: Reader,
  operator: string | null,
  sinceMs: number,
  limit: number,
): MessageSentTwice[] {
  return read.all<MessageSentTwice>(
    `SELECT m.ulid, m.operator, b.message_class AS messageClass, m.msisdn, m.status, t.accepted_at AS atMs
     FROM accepted_twice t CROSS JOIN messages m ON m.id = t.message_id JOIN batches b ON b.id = m.batch_id
     WHERE t.accepted_at >= $sinceMs AND ($operator IS NULL OR m.operator = $operator)
     ORDER BY t.accepted_at DESC, t.message_id DESC LIMIT $limit`,
    { operator, sinceMs, limit },
  );
}

/** Forgets that some messages were sent twice, by their ids as a JSON list. */
export function deleteSentTwice(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM accepted_twice WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** Of a segment that left before its channel noted how. */
const NO_TRACE: Readonly<Record<keyof PartTrace, null>> = {
  attempt: null,
  connection: null,
  sequence: null,
  writtenAtMs: null,
  unmatchedBefore: null,
  pduParametersId: null,
};

/** Writes what a fact made of a segment: a new row for one that was accepted, the state that a receipt gave it. */
export function writePart(
  tx: Tx,
  fact: Extract<Fact, { kind: "part_accepted" | "receipt" }>,
  part: AcceptedPart,
  nowMs: number,
): void {
  const { messageId } = fact;
  if (fact.kind === "part_accepted") {
    const { operator, remoteId, trace } = fact;
    tx.run(
      `INSERT INTO parts (message_id, part, operator, state, smsc_id, smsc_key, sent_at, attempt, connection,
         sequence, written_at, pdu_parameters_id, unmatched_before)
       VALUES ($messageId, $part, $operator, $state, $remoteId, $remoteKey, $nowMs, $attempt, $connection,
         $sequence, $writtenAtMs, $pduParametersId, $unmatchedBefore)`,
      { ...NO_TRACE, ...trace, ...part, messageId, operator, remoteId, nowMs },
    );
    return;
  }
  tx.run(
    `UPDATE parts SET state = $state, error_code = $errorCode, operator_code = $operatorCode, receipt_at = $nowMs,
       receipt_state = $receiptState, receipt_code = $receiptCode, receipt_connection = $receiptConnection,
       receipt_sequence = $receiptSequence
     WHERE message_id = $messageId AND part = $part AND smsc_key = $remoteKey`,
    {
      ...part,
      messageId,
      nowMs,
      receiptState: fact.raw?.state ?? null,
      receiptCode: fact.raw?.code ?? null,
      receiptConnection: fact.raw?.connection ?? null,
      receiptSequence: fact.raw?.sequence ?? null,
    },
  );
}

/** Deletes the segments of a message that goes on by another leg: they do not belong to it. */
export function deleteParts(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM parts WHERE message_id = ?", messageId);
}

/**
 * Gives an id to the segment that a response says it is of, where a receipt that came first was taken for another segment's of
 * the same message; from which it was taken, or null: no other segment has the id, or has it by a response of its own, or the message
 * is not waiting for answers any more. Where the other has one of its own as well, one segment more is accepted than before: the fact of
 * the acceptance that follows counts it.
 */
export function moveIdentifiedPart(
  tx: Tx,
  messageId: number,
  part: number,
  remoteKey: string,
  trace: PartTrace | null,
): { readonly from: number; readonly isFromAccepted: boolean } | null {
  const named = tx.get<{ part: number }>(
    `SELECT p.part FROM parts p JOIN messages m ON m.id = p.message_id
     WHERE p.message_id = ?1 AND p.smsc_key = ?3 AND p.part <> ?2 AND p.written_at IS NULL
       AND m.status IN ('SUBMITTED', 'QUEUED')
       AND NOT EXISTS (SELECT 1 FROM parts WHERE message_id = ?1 AND part = ?2) LIMIT 1`,
    messageId,
    part,
    remoteKey,
  );
  if (!named) return null;
  tx.run(
    `UPDATE parts SET part = $part, attempt = $attempt, connection = $connection, sequence = $sequence,
       written_at = $writtenAtMs, pdu_parameters_id = $pduParametersId, unmatched_before = $unmatchedBefore
     WHERE message_id = $messageId AND part = $from AND smsc_key = $remoteKey`,
    { ...NO_TRACE, ...trace, part, messageId, from: named.part, remoteKey },
  );
  const own = tx.get(
    "SELECT 1 FROM parts WHERE message_id = ? AND part = ? LIMIT ?",
    messageId,
    named.part,
    1,
  );
  return { from: named.part, isFromAccepted: own !== null };
}

/** What the sandbox operator needs of a message. */
export type SandboxMessage = { readonly operator: string; readonly segments: number };

/** A message of a sandbox; null where it is gone, or is none of one. */
export function sandboxMessage(read: Reader, id: number): SandboxMessage | null {
  return read.get<SandboxMessage>(
    "SELECT operator, segments FROM messages WHERE id = ? AND account_id < 0",
    id,
  );
}
