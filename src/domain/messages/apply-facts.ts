/**
 * A message's life, from accepted to its end: states, facts, parts, stamps, the feed, the batch's figures.
 *
 * Begin here: this is the one door. After a batch is accepted, everything that happens to a message is a fact and comes through here.
 * `decide` (pure) says what it does; the row is updated where its status is still the expected one; the money and the counts that the
 * new status demands, and its feed stamp, are written in the same transaction. Nothing else changes a status.
 * This room knows no channel, no PDU and no HTTP.
 */
import type { Xof } from "../../core/money.ts";
import type { Tx } from "../../db/write.ts";
import { settle } from "../ledger/settle.ts";
import { waysDesk } from "./apply-ways.ts";
import { addMove, type BatchMoves, noMoves } from "./batch-moves.ts";
import { moveBatch, readBatch } from "./batch-rows.ts";
import type { BatchLife } from "./batch-status.ts";
import { decide } from "./decide.ts";
import { tellFact } from "./fact-steps.ts";
import type { Fact } from "./facts.ts";
import { noteInQueue } from "./held.ts";
import { isOurOwn } from "./message-error.ts";
import { readMessage, writeMessage } from "./message-rows.ts";
import { moveTally } from "./message-tally.ts";
import { keepNote } from "./notes.ts";
import { readParts, writePart } from "./part-rows.ts";
import type { AcceptedPart } from "./parts.ts";
import { noteQuietMove } from "./quiet-moves.ts";
import { stampClock } from "./stamps.ts";
import type { Status } from "./status.ts";

/** Where a message stands after a fact, and whether the fact moved its status. */
export type Applied = {
  readonly messageId: number;
  readonly batchId: number;
  readonly from: Status;
  readonly to: Status;
  readonly isFinal: boolean;
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
  const batches = new Map<number, BatchLife>();
  const tally = moveTally(tx);
  const desk = waysDesk(tx, nowMs);
  const queuedAgain = new Set<number>();
  const quiet = new Set<number>();
  const batchOf = (batchId: number): BatchLife => {
    const known = batches.get(batchId);
    if (known) return known;
    const batch = readBatch(tx, batchId);
    batches.set(batchId, batch);
    return batch;
  };
  return {
    queuedAgain,
    apply: (fact) => {
      const { batchId, accountId, operator, state } = readMessage(tx, fact.messageId);
      const rules = batchOf(batchId);
      const two = rules.channel === "SMS" ? null : desk.of(fact.messageId, batchId);
      const parts = partsFor(tx, fact);
      const before = two ? { ...state, beyond: two.ways.beyond } : state;
      const byWays = two && desk.decide(two, before, parts, fact, rules);
      const { after, reached, part, note } = byWays ?? decide(before, parts, fact, rules, nowMs);
      if (part && (fact.kind === "part_accepted" || fact.kind === "receipt"))
        writePart(tx, fact, part, nowMs);
      if (note) keepNote(tx, fact.messageId, note, nowMs);
      const isSeen = !byWays || desk.write(fact.messageId, two, before, byWays);
      if (byWays?.carried && !after.isFinal) queuedAgain.add(batchId);
      if (after !== before) {
        writeMessage(tx, fact, before, after, isSeen ? stamps.next(accountId) : null);
        if (!isSeen) noteQuietMove(tx, fact.messageId, quiet);
        const moves = moved.get(batchId) ?? noMoves(accountId);
        moved.set(batchId, moves);
        addMove(moves, before, after, reached);
        if (after.status === "QUEUED") {
          const carriedBy = byWays?.carried?.operator ?? operator;
          noteInQueue(tx, { messageId: fact.messageId, batchId }, rules.messageClass, carriedBy);
        }
        if (after.status !== before.status)
          tally.reached(operator, rules.messageClass, reached, after.status);
        if (fact.kind === "given_up" && after.status === "FAILED" && isOurOwn(after.errorCode ?? ""))
          tally.neverLeft(operator);
        if (fact.kind === "receipt" && after.isFinal)
          tally.receipted(operator, nowMs - (after.submittedAt ?? nowMs));
      }
      if (tx.steps) tellFact(tx, tx.steps, fact, before.status, after.status);
      return {
        messageId: fact.messageId,
        batchId,
        from: before.status,
        to: after.status,
        isFinal: after.isFinal,
      };
    },
    close: () => {
      for (const [accountId, { charged, released }] of settledBy(moved.values()))
        settle(tx, accountId, charged, released, nowMs);
      for (const [batchId, moves] of moved) moveBatch(tx, batchId, batchOf(batchId), moves, nowMs);
      tally.close();
      moved.clear();
      batches.clear();
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

/** Facts that end or complete a message depend on its parts; a claim and its undoing don't. */
function partsFor(tx: Tx, { kind, messageId }: Fact): AcceptedPart[] {
  return kind === "claimed" || kind === "not_written" || kind === "postponed" ? [] : readParts(tx, messageId);
}

/** What the batches of each account charged and released together: its wallet is moved once. */
function settledBy(moved: Iterable<BatchMoves>): ReadonlyMap<number, { charged: Xof; released: Xof }> {
  const accounts = new Map<number, { charged: Xof; released: Xof }>();
  for (const { accountId, charged, released } of moved) {
    const sum = accounts.get(accountId) ?? { charged: 0, released: 0 };
    sum.charged += charged;
    sum.released += released;
    accounts.set(accountId, sum);
  }
  return accounts;
}
