/**
 * What any channel needs to send: which message leaves next (`batch-scheduler.ts`, `operator-queue.ts`), whether it may
 * (`sending-gate.ts`), the claim before it leaves (`claim.ts`), the one recorder of what happens on the sessions (`recorder.ts`),
 * and recovering claimed messages without a lease (`leases.ts`).
 *
 * Begin here: an `OperatorWorker` is the one interface between the queue and a channel, what a channel gives this room and what
 * the room lends it. A channel opens a worker for each operator it serves; everything that happens to a message there comes back
 * as a fact. A worker tracks its unfinished work with a `TaskTracker`, so that a stop can wait for it. This room imports no channel and
 * knows no PDU. `delivery.ts` puts the workers together.
 */

import type { QueuedBatch, QueuedMessage, TakeFastPathSlot } from "../domain/messages/queue.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Leases } from "./leases.ts";
import type { Recorder } from "./recorder.ts";

/** The health of a worker's connection, as far as every channel can tell it. */
export type SessionHealth = {
  /** "BOUND" while messages, or what comes of them, may go over it. */
  readonly state: string;
  /** What last went wrong, in an administrator's words; it stays when the session is back. Null if nothing did. */
  readonly lastError: Phrase | null;
  /** Since when it is not bound, epoch milliseconds; null while it is. */
  readonly downSinceMs: number | null;
  /** Paused by an administrator: nothing leaves by it. Absent where a channel has no pauses. */
  readonly paused?: { readonly reason: string; readonly atMs: number } | null;
};

/** Everything between the queue and one operator: claims its messages, sends them and records what came of each. */
export type OperatorWorker<Health extends SessionHealth = SessionHealth> = {
  /** Adds a batch with messages for this operator. `all`: these are all of them, accepted just now. */
  readonly open: (batch: QueuedBatch, all?: readonly QueuedMessage[]) => void;
  /** Reserves slots for messages of a batch that is being accepted, where nothing goes before them. */
  readonly takeFastPathSlot: TakeFastPathSlot;
  /** Whether a batch is in its queue already. */
  readonly knows: (batchId: number) => boolean;
  /** The account, its senders or one of its batches changed. */
  readonly accountChanged: (accountId: number) => void;
  /** Its connections, in the order of the configuration. */
  readonly status: () => readonly Health[];
  /**
   * Claims nothing from this moment on, not even what the writer was already asked to claim, and hands back what was not written.
   * It is durable once `stop` has resolved, which does this first where it was not done.
   */
  readonly halt: () => void;
  /**
   * Waits for answers for `graceMs` and ends the sessions; after `longestMs` the connections are closed as
   * they are.
   */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
  /** The operator left the configuration: halts, waits for the answers that are due as long as each may take, ends the sessions. */
  readonly leave: () => Promise<void>;
};

/** What all workers share. */
export type WorkerTools = {
  readonly recorder: Recorder;
  readonly leases: Leases;
  /** Whether anything may be claimed at this moment. While it may not, it is asked again within a second. */
  readonly mayClaim: () => boolean;
  /** To be called with a batch that may not be sent from any more although messages of it wait. */
  readonly onOver: (batchId: number) => void;
  /** To be called when there is a worker for one operator more. */
  readonly opened: (code: string, worker: OperatorWorker) => void;
  /** To be called when a worker's operator left the configuration: the worker is to be left, and what waits for it is orphaned. */
  readonly closed: (code: string, worker: OperatorWorker) => void;
};

/** Opens a channel's workers, by the codes of the operators it serves. It reports to `tools` those that come and go later. */
export type OpenWorkers = (tools: WorkerTools) => ReadonlyMap<string, OperatorWorker>;

/** Workers for codes that no channel has opened one for. */
export type ExtraWorkers = {
  /** The worker of a code; null where it is none of these. */
  readonly workerOf: (code: string) => OperatorWorker | null;
  /** Claims nothing from this moment on. */
  readonly halt: () => void;
  /** To be called after its workers have ended; resolves when nothing is under way. */
  readonly stop: () => Promise<void>;
};

export type OpenExtraWorkers = (tools: WorkerTools) => ExtraWorkers;

/**
 * Work of a worker that nobody awaits, such as the writing of an answer: a stop waits until all of it is done, and the failure of a
 * promise is reported instead of lost.
 */
export type TaskTracker = {
  readonly own: (work: Promise<unknown>) => void;
  /** Work that is no promise begins; `ended` is called at its end. */
  readonly begun: () => void;
  readonly ended: () => void;
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>;
};

export function taskTracker(onFailed: (error: unknown) => void): TaskTracker {
  const underWay = new Set<Promise<unknown>>();
  let open = 0;
  let waiters: (() => void)[] = [];
  const allEnded = (): Promise<void> => new Promise((resolve) => waiters.push(resolve));
  return {
    own: (work) => {
      underWay.add(work);
      work.then(
        () => underWay.delete(work),
        (error: unknown) => {
          underWay.delete(work);
          onFailed(error);
        },
      );
    },
    begun: () => {
      open += 1;
    },
    ended: () => {
      open -= 1;
      if (open > 0 || waiters.length === 0) return;
      const waiting = waiters;
      waiters = [];
      for (const waiter of waiting) waiter();
    },
    idle: async () => {
      while (underWay.size > 0 || open > 0) {
        await Promise.allSettled(open > 0 ? [...underWay, allEnded()] : [...underWay]);
      }
    },
  };
}
