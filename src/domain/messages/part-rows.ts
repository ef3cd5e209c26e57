/** The rows of a message's segments: those that an operator accepted, and what their receipts said. */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { Fact, PartTrace } from "./facts.ts";
import type { AcceptedPart } from "./parts.ts";

/** The segments of a message that an operator accepted. */
export function readParts(read: Reader, messageId: number): AcceptedPart[] {
  return read.all<AcceptedPart>(
    `SELECT part, state, smsc_key AS remoteKey, error_code AS errorCode, operator_code AS operatorCode
     FROM parts WHERE message_id = ?`,
    messageId,
  );
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

/** Forgets the segments of a message that goes on by another way: they are none of that. */
export function deleteParts(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM parts WHERE message_id = ?", messageId);
}

/**
 * Gives an id to the segment that a response says it is of, where a receipt that came first was taken for another segment's of
 * the same message; from which it was taken, or null: no other segment has the id, or has it by a response of its own, or the message
 * is not waiting for answers any more. How many segments are accepted stays the same.
 */
export function moveNamedPart(
  tx: Tx,
  messageId: number,
  part: number,
  remoteKey: string,
  trace: PartTrace | null,
): number | null {
  const named = tx.get<{ part: number }>(
    `SELECT p.part FROM parts p JOIN messages m ON m.id = p.message_id
     WHERE p.message_id = ?1 AND p.smsc_key = ?3 AND p.part <> ?2 AND p.attempt IS NULL
       AND m.status IN ('SUBMITTED', 'QUEUED')
       AND NOT EXISTS (SELECT 1 FROM parts WHERE message_id = ?1 AND part = ?2) LIMIT 1`,
    messageId,
    part,
    remoteKey,
  );
  if (!named) return null;
  tx.run(
    `UPDATE parts SET part = $part, attempt = $attempt, connection = $connection, sequence = $sequence,
       written_at = $writtenAtMs, shape_id = $shapeId, parked_before = $parkedBefore
     WHERE message_id = $messageId AND part = $from AND smsc_key = $remoteKey`,
    { ...NO_TRACE, ...trace, part, messageId, from: named.part, remoteKey },
  );
  return named.part;
}
