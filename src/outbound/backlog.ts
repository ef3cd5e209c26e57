/**
 * The queue of one operator as the line takes from it: which batches may be sent from, and the pages of their rows.
 * The database is the queue; this only knows where to look. It knows batches that have messages in the queue, and
 * none that only waits for receipts.
 */
import { type Clock, isOver } from "../base/clock.ts";
import { nextDueMs, type QueuedBatch, type QueuedMessage, queuedMessages } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";
import { LONGEST_BACKOFF_MS } from "./backoff.ts";
import { dueTimes } from "./due-times.ts";
import { type Gate, validUntil } from "./gate.ts";
import { heldBatches } from "./held-batches.ts";
import { type Candidate, lanes } from "./lanes.ts";

export type Backlog = {
  /** Lets a batch that was accepted or found take part; one that does already keeps its turn. */
  readonly open: (batch: QueuedBatch) => void;
  /** Whether a batch takes part, so that it need not be opened. One whose validity is over is to be opened, to be given up. */
  readonly knows: (batchId: number) => boolean;
  /** The next message in fair order. It is held back from later pages until `settled`. */
  readonly take: () => Candidate | null;
  /** The claim of a taken message is committed, or was given up. */
  readonly settled: (messageId: number) => void;
  /**
   * Messages of a batch went back to the queue: looks again at `dueMs`. If that is past they are to go ahead of their
   * class, and the batch has the next turn.
   */
  readonly requeued: (batch: QueuedBatch, dueMs: number) => void;
  /** The account, its senders or one of its batches changed: the gate is asked again about each batch of it. */
  readonly changed: (accountId: number) => void;
  /** Forgets every batch and timer. */
  readonly clear: () => void;
};

export type BacklogDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly gate: (batch: QueuedBatch) => Gate;
  /** Told of a batch that the gate gives up. */
  readonly onGivenUp: (batch: QueuedBatch, gate: Extract<Gate, { kind: "given_up" }>) => void;
  /**
   * Whether a batch was called off. Its messages that come back to the queue are cancelled at once, not when their turn
   * comes.
   */
  readonly isCalledOff: (batchId: number) => boolean;
  /** Told of a batch that may not be sent from any more, and of which messages wait. */
  readonly onOver: (batch: QueuedBatch) => void;
  /** Told that there may be something to take. */
  readonly onReady: () => void;
};

/** Rows of a batch held in memory at most. */
const PAGE = 100;

/**
 * Pages that are read to find one message, and batches that may go on, in one turn of the event loop: a hundred
 * thousand batches may be held or empty.
 */
const READS_A_TURN = 50;
const BATCHES_A_TURN = 100;

export function backlog(deps: BacklogDeps): Backlog {
  const { read, clock, gate, onReady } = deps;
  const taken = new Set<number>();
  const due = dueTimes(clock, (batch) => look(batch));
  const held = heldBatches();
  // What was read of an account's batches before its latest change is not handed out.
  const changes = new Map<number, number>();
  const goingOn = new Set<Iterator<QueuedBatch>>();

  const open = lanes((batch) => {
    const verdict = gate(batch);
    if (verdict.kind !== "open") {
      keepOut(batch, verdict);
      return { page: [], hasMore: false };
    }
    const change = changes.get(batch.accountId);
    const wanted = PAGE + taken.size;
    const rows = nextRows(batch, wanted);
    const page = rows.filter((message) => !taken.has(message.id)).reverse();
    return {
      page,
      hasMore: rows.length === wanted && page.length > 0,
      isGood: () => clock.nowMs() < verdict.untilMs && changes.get(batch.accountId) === change,
    };
  });

  /**
   * The first messages that are due. None waits longer than a back-off: one whose time is farther ahead has it from a clock
   * that was set back since, and is due.
   */
  const nextRows = (batch: QueuedBatch, wanted: number): QueuedMessage[] => {
    const nowMs = clock.nowMs();
    const rows = queuedMessages(read, batch, nowMs, wanted);
    const dueMs = rows.length > 0 ? null : nextDueMs(read, batch, nowMs);
    if (dueMs === null) return rows;
    if (dueMs > nowMs + LONGEST_BACKOFF_MS)
      return queuedMessages(read, batch, Number.MAX_SAFE_INTEGER, wanted);
    due.set(batch, dueMs);
    return rows;
  };

  const keepOut = (batch: QueuedBatch, verdict: Exclude<Gate, { kind: "open" }>): void => {
    switch (verdict.kind) {
      case "given_up":
        deps.onGivenUp(batch, verdict);
        return;
      case "over":
        deps.onOver(batch);
        return;
      case "held":
        held.add(batch);
        // Its messages expire while it is held.
        due.set(batch, verdict.untilMs ?? validUntil(clock, batch));
    }
  };

  /** Its time to be asked about again was until when it is held, and is looked up again. */
  const letGo = (batchId: number): void => {
    if (held.remove(batchId)) due.remove(batchId);
  };

  /** What has expired is given up here, since an operator that is away takes no page. */
  const isExpired = (batch: QueuedBatch): boolean => {
    if (!isOver(clock, batch.createdAt, batch.expiresAt)) return false;
    open.close(batch.batchId);
    letGo(batch.batchId);
    const verdict = gate(batch);
    if (verdict.kind !== "open") keepOut(batch, verdict);
    return true;
  };

  /** Drops the page, so that what went back to the front is seen, and watches for what is due later. */
  const look = (batch: QueuedBatch, ahead = false): void => {
    if (isExpired(batch)) return;
    letGo(batch.batchId);
    open.reopen(batch, ahead);
    const dueMs = nextDueMs(read, batch, clock.nowMs());
    if (dueMs !== null) due.set(batch, dueMs);
    onReady();
  };

  /** Lets batches that were held go on, a few at a time. */
  const goOn = (batches: Iterator<QueuedBatch>): void => {
    for (let opened = 0; opened < BATCHES_A_TURN; opened++) {
      const next = batches.next();
      if (next.done) {
        goingOn.delete(batches);
        break;
      }
      due.remove(next.value.batchId);
      look(next.value);
    }
    if (goingOn.has(batches)) clock.soon(() => goOn(batches));
  };

  const knownBatch = (batchId: number): QueuedBatch | null =>
    open.get(batchId)?.batch ?? due.get(batchId) ?? held.get(batchId);

  return {
    open: (batch) => {
      const lane = open.get(batch.batchId);
      if (!lane) look(batch);
      else if (!isExpired(batch)) lane.hasMore = true;
    },
    knows: (batchId) => {
      const batch = knownBatch(batchId);
      return batch !== null && validUntil(clock, batch) > clock.nowMs();
    },
    take: () => {
      let reads = 0;
      const candidate = open.take(() => reads++ < READS_A_TURN);
      if (candidate) taken.add(candidate.message.id);
      else if (reads > READS_A_TURN) clock.soon(onReady);
      return candidate;
    },
    settled: (messageId) => {
      taken.delete(messageId);
    },
    requeued: (batch, dueMs) => {
      if (deps.isCalledOff(batch.batchId)) {
        open.close(batch.batchId);
        deps.onOver(batch);
      } else if (dueMs <= clock.nowMs()) look(batch, true);
      else due.set(batch, dueMs);
    },
    changed: (accountId) => {
      changes.set(accountId, (changes.get(accountId) ?? 0) + 1);
      const batches = held.takeOf(accountId)[Symbol.iterator]();
      goingOn.add(batches);
      goOn(batches);
    },
    clear: () => {
      due.clear();
      held.clear();
      open.clear();
      goingOn.clear();
    },
  };
}
