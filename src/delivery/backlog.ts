/**
 * The queue of one operator as the line takes from it: which batches may be sent from, and the pages of their rows.
 * The database is the queue; this only knows where to look.
 */
import type { Cancel, Clock } from "../base/clock.ts";
import { nextDueMs, type QueuedBatch, queuedMessages } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";
import type { Gate } from "./gate.ts";
import { type Candidate, lanes } from "./lanes.ts";

export type Backlog = {
  /** Lets a batch that was accepted, found at the start, or changed take part. */
  readonly open: (batch: QueuedBatch) => void;
  /** The next message in fair order. It is held back from later pages until `settled`. */
  readonly take: () => Candidate | null;
  /** The claim of a taken message is committed, or was given up. */
  readonly settled: (messageId: number) => void;
  /**
   * Messages of a batch went back to the queue: looks again at `dueMs`. If that is past they are to go ahead of their
   * class, and the batch has the next turn.
   */
  readonly requeued: (batch: QueuedBatch, dueMs: number) => void;
  /** Forgets every batch and timer. */
  readonly clear: () => void;
};

export type BacklogDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly gate: (batch: QueuedBatch) => Gate;
  /** Told of a batch that the gate gives up. */
  readonly onGivenUp: (batch: QueuedBatch, gate: Extract<Gate, { kind: "given_up" }>) => void;
  /** Told that there may be something to take. */
  readonly onReady: () => void;
};

/** Rows of a batch held in memory at most. */
const PAGE = 100;

export function backlog({ read, clock, gate, onGivenUp, onReady }: BacklogDeps): Backlog {
  const taken = new Set<number>();
  const timers = new Map<number, { readonly dueMs: number; readonly cancel: Cancel }>();

  /** Until when the page of a batch may be sent without asking the gate again. */
  const goodUntil = new Map<number, number>();

  const open = lanes((batch) => {
    const verdict = gate(batch);
    if (verdict.kind !== "open") {
      goodUntil.delete(batch.batchId);
      if (verdict.kind === "given_up") onGivenUp(batch, verdict);
      else if (verdict.untilMs !== null) wakeAt(batch, verdict.untilMs);
      return { page: [], hasMore: false };
    }
    goodUntil.set(batch.batchId, verdict.untilMs);
    const wanted = PAGE + taken.size;
    const rows = queuedMessages(read, batch, clock.nowMs(), wanted);
    const page = rows.filter((message) => !taken.has(message.id)).reverse();
    return { page, hasMore: rows.length === wanted && page.length > 0 };
  });

  const wakeAt = (batch: QueuedBatch, dueMs: number): void => {
    const known = timers.get(batch.batchId);
    if (known && known.dueMs <= dueMs) return;
    known?.cancel();
    const cancel = clock.after(dueMs - clock.nowMs(), () => {
      timers.delete(batch.batchId);
      look(batch);
    });
    timers.set(batch.batchId, { dueMs, cancel });
  };

  /**
   * Drops the page, so that what went back to the front is seen, and watches for what is due later. What has expired
   * is given up here, since an operator that is away takes no page.
   */
  const look = (batch: QueuedBatch, ahead = false): void => {
    open.close(batch.batchId);
    if (batch.expiresAt <= clock.nowMs()) {
      const verdict = gate(batch);
      if (verdict.kind === "given_up") onGivenUp(batch, verdict);
      return;
    }
    open.open(batch, ahead);
    const dueMs = nextDueMs(read, batch, clock.nowMs());
    if (dueMs !== null) wakeAt(batch, dueMs);
    onReady();
  };

  return {
    open: (batch) => look(batch),
    take: () => {
      for (;;) {
        const candidate = open.take();
        if (!candidate) return null;
        if (clock.nowMs() < (goodUntil.get(candidate.batch.batchId) ?? 0)) {
          taken.add(candidate.message.id);
          return candidate;
        }
        // Its page was read while it was still worth sending.
        look(candidate.batch);
      }
    },
    settled: (messageId) => {
      taken.delete(messageId);
    },
    requeued: (batch, dueMs) => {
      if (dueMs <= clock.nowMs()) look(batch, true);
      else wakeAt(batch, dueMs);
    },
    clear: () => {
      for (const { cancel } of timers.values()) cancel();
      timers.clear();
      goodUntil.clear();
      for (const lane of open.all()) open.close(lane.batch.batchId);
    },
  };
}
