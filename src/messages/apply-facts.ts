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
import { batchTotals } from "./batch-totals.ts";
import { type BatchRules, decide, type MessageState } from "./decide.ts";
import type { Fact } from "./facts.ts";
import { keepNote } from "./notes.ts";
import type { Part } from "./parts.ts";
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

type MessageRow = {
  batchId: number;
  accountId: number;
  status: Status;
  isFinal: number;
  isSquared: number;
  segments: number;
  price: number;
  amount: number;
  notBefore: number;
  attempts: number;
  resends: number;
  unansweredAt: number | null;
  unansweredUntil: number | null;
  errorCode: string | null;
  operatorCode: string | null;
  submittedAt: number | null;
  sentAt: number | null;
  deliveredAt: number | null;
  finalizedAt: number | null;
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
  const totals = batchTotals();
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
      const row = readMessage(tx, fact.messageId);
      assert(row, `message ${fact.messageId} exists`);
      const before = stateOf(row);
      const rules = rulesOf(row.batchId);
      const { after, reached, part, note } = decide(before, partsFor(tx, fact), fact, rules, nowMs);
      if (part && (fact.kind === "part_accepted" || fact.kind === "receipt"))
        writePart(tx, fact, part, nowMs);
      if (note) keepNote(tx, fact.messageId, note, nowMs);
      if (after !== before) {
        writeMessage(tx, fact, row, after, stamps);
        totals.add(row, before, after, reached);
      }
      return {
        messageId: fact.messageId,
        batchId: row.batchId,
        from: before.status,
        to: after.status,
        isFinal: after.isFinal,
      };
    },
    close: () => {
      totals.save(tx, nowMs);
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

function readMessage(read: Reader, id: number): MessageRow | null {
  return read.get<MessageRow>(
    `SELECT batch_id AS batchId, account_id AS accountId, status, is_final AS isFinal, is_squared AS isSquared,
       segments, price, amount, not_before AS notBefore, attempts, resends, unanswered_at AS unansweredAt,
       unanswered_until AS unansweredUntil, error_code AS errorCode, operator_code AS operatorCode,
       submitted_at AS submittedAt, sent_at AS sentAt, delivered_at AS deliveredAt, finalized_at AS finalizedAt
     FROM messages WHERE id = ?`,
    id,
  );
}

function stateOf(row: MessageRow): MessageState {
  return { ...row, isFinal: row.isFinal === 1, isSquared: row.isSquared === 1 };
}

/** Facts that end or complete a message depend on its parts; a claim and its undoing don't. */
function partsFor(read: Reader, fact: Fact): Part[] {
  if (fact.kind === "claimed" || fact.kind === "not_written" || fact.kind === "postponed") return [];
  return read.all<Part>(
    `SELECT part, state, smsc_key AS smscKey, error_code AS errorCode, operator_code AS operatorCode
     FROM parts WHERE message_id = ?`,
    fact.messageId,
  );
}

function writeMessage(tx: Tx, fact: Fact, row: MessageRow, after: MessageState, stamps: StampClock): void {
  const { messageId: id } = fact;
  const changed = tx.run(
    `UPDATE messages SET status = ?, is_final = ?, is_squared = ?, amount = ?, not_before = ?, attempts = ?,
       resends = ?, unanswered_at = ?, unanswered_until = ?, error_code = ?, operator_code = ?,
       submitted_at = ?, sent_at = ?, delivered_at = ?, finalized_at = ?, stamp_us = ?,
       parked_before = coalesce(?, parked_before)
     WHERE id = ? AND status = ?`,
    after.status,
    after.isFinal ? 1 : 0,
    after.isSquared ? 1 : 0,
    after.amount,
    after.notBefore,
    after.attempts,
    after.resends,
    after.unansweredAt,
    after.unansweredUntil,
    after.errorCode,
    after.operatorCode,
    after.submittedAt,
    after.sentAt,
    after.deliveredAt,
    after.finalizedAt,
    stamps.next(row.accountId),
    fact.kind === "claimed" ? (fact.parkedBefore ?? null) : null,
    id,
    row.status,
  );
  assert(changed === 1, `message ${id} was still ${row.status}`);
}

function writePart(
  tx: Tx,
  fact: Extract<Fact, { kind: "part_accepted" | "receipt" }>,
  part: Part,
  nowMs: number,
): void {
  if (fact.kind === "part_accepted") {
    const { trace } = fact;
    tx.run(
      `INSERT INTO parts (message_id, part, operator, state, smsc_id, smsc_key, sent_at, attempt, connection,
         sequence, written_at, shape_id, parked_before)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      fact.messageId,
      part.part,
      fact.operator,
      part.state,
      fact.smscId,
      part.smscKey,
      nowMs,
      trace?.attempt ?? null,
      trace?.connection ?? null,
      trace?.sequence ?? null,
      trace?.writtenAtMs ?? null,
      trace?.shapeId ?? null,
      trace?.parkedBefore ?? null,
    );
    return;
  }
  tx.run(
    `UPDATE parts SET state = ?, error_code = ?, operator_code = ?, receipt_at = ?, receipt_state = ?,
       receipt_code = ?, receipt_connection = ?, receipt_sequence = ?
     WHERE message_id = ? AND part = ? AND smsc_key = ?`,
    part.state,
    part.errorCode,
    part.operatorCode,
    nowMs,
    fact.raw?.state ?? null,
    fact.raw?.code ?? null,
    fact.raw?.connection ?? null,
    fact.raw?.sequence ?? null,
    fact.messageId,
    part.part,
    part.smscKey,
  );
}
