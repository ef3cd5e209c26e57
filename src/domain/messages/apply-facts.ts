/**
 * A message's life, from accepted to its end: states, facts, parts, stamps, the feed, the batch's figures.
 *
 * Begin here: this is the only place that changes a message. After a batch is accepted, everything that happens to a message is a fact, and
 * is applied here. `decide` (transitions.ts, pure) says what it does; the row is updated where its status is still the expected one; the
 * money and the counts that the new status demands, and its feed stamp, are written in the same transaction. This room knows no channel, no
 * PDU and no HTTP.
 */

import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { createRowWriter } from "../../db/row-writer.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../accounts/accounts.ts";
import { settle } from "../ledger/reservations.ts";
import { type Fallback, readFallback } from "./batch-fallback.ts";
import type { BatchProgress } from "./batch-status.ts";
import {
  addBatchChange,
  type BatchChanges,
  createBatchChanges,
  readBatchProgress,
  writeBatchChanges,
} from "./batch-totals.ts";
import { type Fact, traceFact } from "./facts.ts";
import { activateLeg, type FallbackLeg, type MessageLegs, readLegs, updateLegs } from "./fallback-legs.ts";
import { decideFallback, type FallbackDecision, toPublicStatus } from "./fallback-transitions.ts";
import { recordOffFeedChange, stampClock } from "./feed-stamps.ts";
import { createMoveMetrics } from "./message-metrics.ts";
import { isOurOwn, type Status } from "./message-status.ts";
import { readRouteChanges } from "./rerouting.ts";
import { recordHeldInQueue } from "./restore-holds.ts";
import type { RouteChange } from "./route-changes.ts";
import { dropAwaitedSecond, isSecondUnderWay } from "./second-sms.ts";
import { deleteParts, noteAcceptedTwice, readParts, writePart } from "./segments.ts";
import { recordNote } from "./trace.ts";
import { type AcceptedPart, decide, isAcceptedTwice, type MessageState, type Rules } from "./transitions.ts";

/** Where a message stands after a fact, and whether the fact moved its status. */
export type Applied = {
  readonly messageId: number;
  readonly batchId: number;
  readonly from: Status;
  readonly to: Status;
  readonly isFinal: boolean;
};

/** Applies facts of one transaction: figures, money and stamps are collected and written once, by `close`. */
export type FactSession = {
  /**
   * Applies one fact. A fact that no longer fits where the message stands changes nothing but its timeline; a
   * fact about a message that does not exist is a bug.
   */
  readonly apply: (fact: Fact) => Applied;
  /**
   * Batches of which a message went back to the queue by a fact whose caller does not check, such as a receipt. The owner of the
   * transaction enqueues them once it is durable.
   */
  readonly queuedAgain: Set<number>;
  /** Has something written that a channel collected during the session, once, when it is closed. */
  readonly beforeClose: (write: () => void) => void;
  /** Must be called before the transaction ends. */
  readonly close: () => void;
};

/** Opens a fact session for one transaction. */
export function openFacts(tx: Tx, nowMs: number): FactSession {
  const stamps = stampClock(tx, nowMs);
  const moved = new Map<number, BatchChanges>();
  const batches = new Map<number, BatchProgress>();
  const tally = createMoveMetrics(tx);
  const desk = createFallbackStage(tx, nowMs);
  const queuedAgain = new Set<number>();
  const quiet = new Set<number>();
  const collected: (() => void)[] = [];
  const batchOf = (batchId: number): BatchProgress => {
    const known = batches.get(batchId);
    if (known) return known;
    const batch = readBatchProgress(tx, batchId);
    batches.set(batchId, batch);
    return batch;
  };
  return {
    queuedAgain,
    beforeClose: (write) => {
      collected.push(write);
    },
    apply: (fact) => {
      const { batchId, accountId, operator, state } = readMessage(tx, fact.messageId);
      const batch = batchOf(batchId);
      const two = batch.channel === "SMS" ? null : desk.of(fact.messageId, batchId);
      const parts = partsFor(tx, fact);
      if (fact.kind === "receipt") dropAwaitedSecond(tx, fact.messageId);
      const rules = {
        ...batch,
        routeChanges: changesFor(tx, fact, parts),
        isSecondUnderWay: isFailure(fact) && isSecondUnderWay(tx, fact.messageId),
      };
      const before = two ? { ...state, excess: two.legs.excess } : state;
      const byLegs = two && desk.decide(two, before, parts, fact, rules);
      const { after, reached, part, note } = byLegs ?? decide(before, parts, fact, rules, nowMs);
      if (part && (fact.kind === "part_accepted" || fact.kind === "receipt"))
        writePart(tx, fact, part, nowMs);
      if (part && fact.kind === "part_accepted" && fact.trace && isAcceptedTwice(parts, part))
        noteAcceptedTwice(tx, fact.messageId, nowMs);
      if (note) recordNote(tx, fact.messageId, note, nowMs);
      const isSeen = !byLegs || desk.write(fact.messageId, two, before, byLegs);
      if (byLegs?.carried && !after.isFinal) queuedAgain.add(batchId);
      if (after !== before) {
        writeMessage(tx, fact, before, after, isSeen ? stamps.next(accountId) : null);
        if (!isSeen) recordOffFeedChange(tx, fact.messageId, quiet);
        const moves = moved.get(batchId) ?? createBatchChanges(accountId);
        moved.set(batchId, moves);
        addBatchChange(moves, before, after, reached);
        if (after.status === "QUEUED") {
          const carriedBy = byLegs?.carried?.operator ?? operator;
          recordHeldInQueue(tx, { messageId: fact.messageId, batchId }, rules.messageClass, carriedBy);
        }
        if (after.status !== before.status)
          tally.reached(operator, rules.messageClass, reached, after.status);
        if (fact.kind === "given_up" && after.status === "FAILED" && isOurOwn(after.errorCode ?? ""))
          tally.neverLeft(operator);
        if (fact.kind === "receipt" && after.isFinal)
          tally.receipted(operator, nowMs - (after.submittedAt ?? nowMs));
      }
      if (tx.steps) traceFact(tx, tx.steps, fact, before.status, after.status);
      return {
        messageId: fact.messageId,
        batchId,
        from: before.status,
        to: after.status,
        isFinal: after.isFinal,
      };
    },
    close: () => {
      for (const write of collected.splice(0)) write();
      for (const [accountId, { charged, released }] of settledBy(moved.values()))
        settle(tx, accountId, charged, released, nowMs);
      for (const [batchId, moves] of moved) writeBatchChanges(tx, batchId, batchOf(batchId), moves, nowMs);
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

/** Whether a fact may end a message as failed that another attempt may still deliver. */
function isFailure(fact: Fact): boolean {
  return fact.kind === "receipt" && fact.verdict.kind === "failed";
}

/** By which routes the attempts left whose segments a fact is judged by; read where there are several. */
function changesFor(read: Reader, fact: Fact, parts: readonly AcceptedPart[]): readonly RouteChange[] {
  const first = parts[0]?.attempt ?? null;
  const isOther = (attempt: number | null | undefined): boolean => (attempt ?? null) !== first;
  const areSeveral =
    parts.some(({ attempt }) => isOther(attempt)) ||
    (fact.kind === "part_accepted" && parts.length > 0 && isOther(fact.trace?.attempt));
  return areSeveral ? readRouteChanges(read, fact.messageId) : NO_CHANGES;
}

const NO_CHANGES: readonly RouteChange[] = [];

/** Sums what the batches of each account charged and released: its wallet is moved once. */
function settledBy(moved: Iterable<BatchChanges>): ReadonlyMap<number, { charged: Xof; released: Xof }> {
  const accounts = new Map<number, { charged: Xof; released: Xof }>();
  for (const { accountId, charged, released } of moved) {
    const sum = accounts.get(accountId) ?? { charged: 0, released: 0 };
    sum.charged += charged;
    sum.released += released;
    accounts.set(accountId, sum);
  }
  return accounts;
}

// How facts move messages with a fallback: what `decideFallback` says is written beside their rows.

/** A message with a fallback as it stands. */
type TwoLegs = {
  readonly legs: MessageLegs;
  readonly carried: FallbackLeg;
  readonly fallback: Fallback;
};

/** Reads and writes the legs of the messages that one transaction moves. */
type FallbackContext = {
  /** Null of a message without a fallback. */
  readonly of: (messageId: number, batchId: number) => TwoLegs | null;
  readonly decide: (
    two: TwoLegs,
    before: MessageState,
    parts: readonly AcceptedPart[],
    fact: Fact,
    rules: BatchProgress & Pick<Rules, "routeChanges" | "isSecondUnderWay">,
  ) => FallbackDecision;
  /** Writes the legs; the row itself is written after this. Returns whether its client sees a move. */
  readonly write: (
    messageId: number,
    two: TwoLegs,
    before: MessageState,
    decision: FallbackDecision,
  ) => boolean;
};

function createFallbackStage(tx: Tx, nowMs: number): FallbackContext {
  const fallbacks = new Map<number, Fallback | null>();
  const fallbackFor = (batchId: number): Fallback | null => {
    const known = fallbacks.get(batchId);
    if (known !== undefined) return known;
    const found = readFallback(tx, batchId);
    fallbacks.set(batchId, found);
    return found;
  };
  return {
    of: (messageId, batchId) => {
      const fallback = fallbackFor(batchId);
      const found = fallback && readLegs(tx, messageId);
      return found && { ...found, fallback };
    },
    decide: (two, before, parts, fact, { accountId, ...ofBatch }) => {
      const { chargeOn, cancelReason, routeChanges = NO_CHANGES, isSecondUnderWay = false } = ofBatch;
      const isSuspended = accountById(tx, accountId)?.status !== "ACTIVE";
      const { fallback } = two;
      const rules = { chargeOn, cancelReason, routeChanges, isSecondUnderWay, isSuspended, fallback };
      return decideFallback(before, two, parts, fact, rules, nowMs);
    },
    write: (messageId, two, before, { after, legs, carried }) => {
      if (carried !== null) {
        if (legs.stage === "SECOND") deleteParts(tx, messageId);
        activateLeg(tx, messageId, carried);
      }
      if (legs !== two.legs || after.isFinal) updateLegs(tx, messageId, legs, !after.isFinal);
      return seen(two.legs, before) !== seen(legs, after) || legs.stage === "FIRST";
    },
  };
}

/** What its client sees of a message's moves. */
function seen({ shown }: MessageLegs, { status, isFinal, errorCode }: MessageState): string {
  return [toPublicStatus(status, shown), isFinal, errorCode].join(" ");
}

// The row of a message that facts change.

/** What the row holds of a message's state: the excess reserved for another leg is stored with that leg. */
type RowState = Omit<MessageState, "excess">;

/** Where a message's state stands in its row. */
const COLUMNS: Readonly<Record<keyof RowState, string>> = {
  status: "status",
  isFinal: "is_final",
  isMoneyClosed: "is_money_closed",
  segments: "segments",
  price: "price",
  amount: "amount",
  notBefore: "not_before",
  routesTried: "routes_tried",
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
type StoredMessage = {
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
  readonly state: MessageState;
};

type Row = Omit<RowState, "isFinal" | "isMoneyClosed"> &
  Omit<StoredMessage, "state"> & { readonly isFinal: number; readonly isMoneyClosed: number };

const READ_MESSAGE = `SELECT batch_id AS batchId, account_id AS accountId, operator,
  ${Object.entries(COLUMNS)
    .map(([field, column]) => `${column} AS ${field}`)
    .join(", ")}
  FROM messages WHERE id = ?`;

/** The message with this id, which exists. */
function readMessage(read: Reader, id: number): StoredMessage {
  const row = read.get<Row>(READ_MESSAGE, id);
  assert(row, `message ${id} exists`);
  const { batchId, accountId, operator } = row;
  return {
    batchId,
    accountId,
    operator,
    state: { ...row, excess: 0, isFinal: row.isFinal === 1, isMoneyClosed: row.isMoneyClosed === 1 },
  };
}

/** The cost of a message is fixed when it is accepted; another leg is written by `activateLeg`. */
const { segments: _segments, price: _price, ...CHANGING } = COLUMNS;

const update = createRowWriter<Omit<RowState, "segments" | "price">>({
  head: "UPDATE messages SET",
  always: ["stamp_us = coalesce(?, stamp_us)", "unmatched_before = coalesce(?, unmatched_before)"],
  columns: CHANGING,
  where: "WHERE id = ? AND status = ?",
});

/** Writes what a fact made of a message, where its status is still the expected one, at a stamp of the feed; null: where it stands. */
function writeMessage(
  tx: Tx,
  fact: Fact,
  before: MessageState,
  after: MessageState,
  stampUs: number | null,
): void {
  const { messageId } = fact;
  const unmatchedBefore = fact.kind === "claimed" ? (fact.unmatchedBefore ?? null) : null;
  const changed = update(tx, before, after, [stampUs, unmatchedBefore], [messageId, before.status]);
  assert(changed === 1, `message ${messageId} was still ${before.status}`);
}
