/**
 * A message's life, from accepted to its end: states, facts, parts, stamps, the feed, the batch's figures.
 *
 * Begin here: this is the one door. After a batch is accepted, everything that happens to a message is a fact and comes through here.
 * `decide` (pure) says what it does; the row is updated where its status is still the expected one; the money and the counts that the
 * new status demands, and its feed stamp, are written in the same transaction. Nothing else changes a status.
 * This room knows no channel, no PDU and no HTTP.
 */
import { assert } from "../base/assert.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { settle } from "../wallet/settle.ts";
import { addMove, type BatchMoves, noMoves, writeMoves } from "./batch-moves.ts";
import { advanceBatch } from "./batch-status.ts";
import { type BatchRules, decide, type MessageState } from "./decide.ts";
import { tellFact } from "./fact-steps.ts";
import type { Fact, PartTrace } from "./facts.ts";
import { keepNote } from "./notes.ts";
import type { AcceptedPart } from "./parts.ts";
import { type StampClock, stampClock } from "./stamps.ts";
import type { Status } from "./status.ts";

/** Where a message stands after a fact, and whether the fact moved its status. */
export type Applied = {
  readonly messageId: number;
  readonly batchId: number;
  readonly from: Status;
  readonly to: Status;
  readonly isFinal: boolean;
};

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

type MessageRow = Omit<MessageState, "isFinal" | "isSquared"> & {
  readonly batchId: number;
  readonly accountId: number;
  readonly isFinal: number;
  readonly isSquared: number;
};

/** Facts of one transaction: figures, money and stamps are gathered and written once, by `close`. */
export type FactSession = {
  /**
   * Applies one fact. A fact that no longer fits where the message stands changes nothing but its timeline; a
   * fact about a message that does not exist is a bug.
   */
  readonly apply: (fact: Fact) => Applied;
  /**
   * Batches of which a message went back to the queue by a fact whose caller does not look, such as a receipt. The
   * owner of the transaction offers them once it is durable.
   */
  readonly queuedAgain: Set<number>;
  /** Must be called before the transaction ends. */
  readonly close: () => void;
};

/** Opens the door for one transaction. */
export function openFacts(tx: Tx, nowMs: number): FactSession {
  const stamps = stampClock(tx, nowMs);
  const moved = new Map<number, BatchMoves>();
  const batches = new Map<number, BatchRules>();
  const rulesOf = (batchId: number): BatchRules => {
    const known = batches.get(batchId);
    if (known) return known;
    const rules = tx.get<BatchRules>(
      "SELECT charge_on AS chargeOn, cancel_reason AS cancelReason FROM batches WHERE id = ?",
      batchId,
    );
    assert(rules, `batch ${batchId} exists`);
    batches.set(batchId, rules);
    return rules;
  };
  return {
    queuedAgain: new Set(),
    apply: (fact) => {
      const row = tx.get<MessageRow>(READ_MESSAGE, fact.messageId);
      assert(row, `message ${fact.messageId} exists`);
      const before = stateOf(row);
      const rules = rulesOf(row.batchId);
      const { after, reached, part, note } = decide(before, partsFor(tx, fact), fact, rules, nowMs);
      if (part && (fact.kind === "part_accepted" || fact.kind === "receipt"))
        writePart(tx, fact, part, nowMs);
      if (note) keepNote(tx, fact.messageId, note, nowMs);
      if (after !== before) {
        writeMessage(tx, fact, row, after, stamps);
        const moves = moved.get(row.batchId) ?? noMoves(row.accountId);
        moved.set(row.batchId, moves);
        addMove(moves, before, after, reached);
      }
      if (tx.steps) tellFact(tx, tx.steps, fact, before.status, after.status);
      return {
        messageId: fact.messageId,
        batchId: row.batchId,
        from: before.status,
        to: after.status,
        isFinal: after.isFinal,
      };
    },
    close: () => {
      for (const [batchId, moves] of moved) {
        const life = writeMoves(tx, batchId, moves);
        settle(tx, moves.accountId, moves.charged, moves.released, nowMs);
        advanceBatch(tx, batchId, life, moves.reached.SUBMITTED > 0, nowMs);
      }
      moved.clear();
    },
  };
}

/** Applies facts in order, in the caller's transaction. */
export function applyFacts(tx: Tx, facts: readonly Fact[], nowMs: number): Applied[] {
  const session = openFacts(tx, nowMs);
  const applied = facts.map(session.apply);
  session.close();
  return applied;
}

const READ_MESSAGE = `SELECT batch_id AS batchId, account_id AS accountId,
  ${Object.entries(COLUMNS)
    .map(([field, column]) => `${column} AS ${field}`)
    .join(", ")}
  FROM messages WHERE id = ?`;

function stateOf(row: MessageRow): MessageState {
  return { ...row, isFinal: row.isFinal === 1, isSquared: row.isSquared === 1 };
}

/** Facts that end or complete a message depend on its parts; a claim and its undoing don't. */
function partsFor(read: Reader, fact: Fact): AcceptedPart[] {
  if (fact.kind === "claimed" || fact.kind === "not_written" || fact.kind === "postponed") return [];
  return read.all<AcceptedPart>(
    `SELECT part, state, smsc_key AS remoteKey, error_code AS errorCode, operator_code AS operatorCode
     FROM parts WHERE message_id = ?`,
    fact.messageId,
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

function writeMessage(tx: Tx, fact: Fact, row: MessageRow, after: MessageState, stamps: StampClock): void {
  const changed = tx.run(WRITE_MESSAGE, {
    ...after,
    stampUs: stamps.next(row.accountId),
    parkedBefore: fact.kind === "claimed" ? (fact.parkedBefore ?? null) : null,
    id: fact.messageId,
    expected: row.status,
  });
  assert(changed === 1, `message ${fact.messageId} was still ${row.status}`);
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

function writePart(
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
