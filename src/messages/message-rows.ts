/** The rows that facts change: the message's own, and those of its segments. */
import { assert } from "../base/assert.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import type { MessageState } from "./decide.ts";
import type { Fact, PartTrace } from "./facts.ts";
import type { AcceptedPart } from "./parts.ts";

/** Where a message's state stands in its row. */
const COLUMNS: Readonly<Record<keyof MessageState, string>> = {
  status: "status",
  isFinal: "is_final",
  isSquared: "is_squared",
  segments: "segments",
  price: "price",
  amount: "amount",
  notBefore: "not_before",
  attempts: "attempts",
  resends: "resends",
  unansweredAt: "unanswered_at",
  unansweredUntil: "unanswered_until",
  errorCode: "error_code",
  operatorCode: "operator_code",
  submittedAt: "submitted_at",
  sentAt: "sent_at",
  deliveredAt: "delivered_at",
  finalizedAt: "finalized_at",
};

/** A message as its row has it. */
export type StoredMessage = {
  readonly batchId: number;
  readonly accountId: number;
  readonly state: MessageState;
};

type Row = Omit<MessageState, "isFinal" | "isSquared"> &
  Omit<StoredMessage, "state"> & { readonly isFinal: number; readonly isSquared: number };

const READ_MESSAGE = `SELECT batch_id AS batchId, account_id AS accountId,
  ${Object.entries(COLUMNS)
    .map(([field, column]) => `${column} AS ${field}`)
    .join(", ")}
  FROM messages WHERE id = ?`;

/** The message with this id, which exists. */
export function readMessage(read: Reader, id: number): StoredMessage {
  const row = read.get<Row>(READ_MESSAGE, id);
  assert(row, `message ${id} exists`);
  const { batchId, accountId } = row;
  return {
    batchId,
    accountId,
    state: { ...row, isFinal: row.isFinal === 1, isSquared: row.isSquared === 1 },
  };
}

/** The segments of a message that an operator accepted. */
export function readParts(read: Reader, messageId: number): AcceptedPart[] {
  return read.all<AcceptedPart>(
    `SELECT part, state, smsc_key AS remoteKey, error_code AS errorCode, operator_code AS operatorCode
     FROM parts WHERE message_id = ?`,
    messageId,
  );
}

/** What a message costs is settled when it is accepted. */
const UNCHANGING: readonly string[] = ["segments", "price"] satisfies readonly (keyof MessageState)[];

const WRITE_MESSAGE = `UPDATE messages SET
  ${Object.entries(COLUMNS)
    .filter(([field]) => !UNCHANGING.includes(field))
    .map(([field, column]) => `${column} = $${field}`)
    .join(", ")},
  stamp_us = $stampUs, parked_before = coalesce($parkedBefore, parked_before)
  WHERE id = $id AND status = $expected`;

/** Writes what a fact made of a message, where its status is still the expected one, at a stamp of the feed. */
export function writeMessage(
  tx: Tx,
  fact: Fact,
  before: MessageState,
  after: MessageState,
  stampUs: number,
): void {
  const changed = tx.run(WRITE_MESSAGE, {
    ...after,
    stampUs,
    parkedBefore: fact.kind === "claimed" ? (fact.parkedBefore ?? null) : null,
    id: fact.messageId,
    expected: before.status,
  });
  assert(changed === 1, `message ${fact.messageId} was still ${before.status}`);
}

/** Of a segment that left before its channel noted how. */
const NO_TRACE: Readonly<Record<keyof PartTrace, null>> = {
  attempt: null,
  connection: null,
  sequence: null,
  writtenAtMs: null,
  parkedBefore: null,
  shapeId: null,
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
         sequence, written_at, shape_id, parked_before)
       VALUES ($messageId, $part, $operator, $state, $remoteId, $remoteKey, $nowMs, $attempt, $connection,
         $sequence, $writtenAtMs, $shapeId, $parkedBefore)`,
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
