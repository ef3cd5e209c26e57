/**
 * Claims messages before they are sent, so that a crash shows which may have left: those of the queue (`claimer`), and those that
 * are being accepted and need not wait in it (`createFastPath`). A claim is durable before anything of its message leaves.
 */
import type { Clock } from "../core/clock.ts";
import type { Tx, WritePriority } from "../db/writer.ts";
import { isUrgent } from "../domain/accounts/message-class.ts";
import { findBar } from "../domain/accounts/suppressions.ts";
import type { FactSession } from "../domain/messages/apply-facts.ts";
import {
  acceptedParts,
  deferMessage,
  type PendingBatch,
  type QueuedMessage,
  type TakeFastPathSlot,
} from "../domain/messages/queue.ts";
import type { Candidate } from "./batch-scheduler.ts";
import type { Leases } from "./leases.ts";
import type { BatchQueue, OperatorQueue } from "./operator-queue.ts";
import { WRITE_RETRY_MS } from "./recorder.ts";
import type { WorkerTools } from "./worker.ts";

type ClaimerDeps = Pick<WorkerTools, "recorder" | "leases"> & {
  readonly queue: Pick<BatchQueue, "requeued" | "settled">;
  readonly clock: Clock;
  /** Nothing is claimed any more, not even what the writer was already asked to claim. */
  readonly isStopping: () => boolean;
  /** The highest number that an unmatched receipt has by now. */
  readonly unmatchedBefore: () => number;
  /** The segments of a text of several that need not leave again. Absent: all that were accepted. */
  readonly acceptedBefore?: (tx: Tx, candidate: Candidate) => ReadonlySet<number>;
  /**
   * Until when a text that was accepted in part cannot be completed, epoch milliseconds; null where it may be claimed. Absent: it always
   * may.
   */
  readonly waitsUntil?: (tx: Tx, candidate: Candidate, accepted: ReadonlySet<number>) => number | null;
};

/** The segments of a claimed message that were accepted before; null where it was not claimed. */
export type Claimed = ReadonlySet<number> | null;

/**
 * Claims a message; `onSettled` is called once that is durable, with all that were claimed in one commit in one turn. From then on a
 * claimed message has a lease, which whoever claimed it releases at the end of the attempt.
 */
export type Claim = (candidate: Candidate, onSettled: (claimed: Claimed) => void, note?: NoteClaim) => void;

/**
 * Called inside the transaction of a claim with the segments that were accepted before, for what the channel notes of it. That
 * transaction may be run again.
 */
export type NoteClaim = (tx: Tx, accepted: ReadonlySet<number>) => void;

export function claimer(deps: ClaimerDeps): Claim {
  const { queue, recorder, leases, clock, isStopping, unmatchedBefore } = deps;
  const acceptedBefore =
    deps.acceptedBefore ?? ((tx: Tx, { message }: Candidate) => acceptedParts(tx, message.id));
  return (candidate, onSettled, note) => {
    const { batch, message } = candidate;
    const settle = (claimed: Claimed): void => {
      queue.settled(message.id);
      if (claimed === null) leases.release(message.id);
      onSettled(claimed);
    };
    /** It is still queued. If the disk cannot be read either, it is checked again later. */
    const lookAgain = (): void => {
      if (isStopping()) return;
      try {
        queue.requeued(batch, clock.nowMs());
      } catch {
        clock.after(WRITE_RETRY_MS, lookAgain);
      }
    };
    let deferredUntilMs: number | null = null;
    const apply = (tx: Tx, session: FactSession): Claimed => {
      if (isStopping()) return null;
      const accepted = message.segments > 1 && message.attempts > 0 ? acceptedBefore(tx, candidate) : NONE;
      deferredUntilMs = accepted.size > 0 ? (deps.waitsUntil?.(tx, candidate, accepted) ?? null) : null;
      if (deferredUntilMs !== null) {
        deferMessage(tx, message.id, deferredUntilMs, batch.routesTried);
        return null;
      }
      if (!applyClaim(tx, session, candidate, unmatchedBefore())) return null;
      note?.(tx, accepted);
      return accepted;
    };
    const onWritten = (outcome: PromiseSettledResult<Claimed>): void => {
      if (outcome.status === "fulfilled") {
        settle(outcome.value);
        if (deferredUntilMs !== null) queue.requeued(batch, deferredUntilMs);
      } else if (isStopping()) settle(null);
      // The recorder has logged why it could not be claimed. It keeps its slot meanwhile, or a disk that takes nothing would be asked
      // again and again.
      else {
        clock.after(WRITE_RETRY_MS, () => {
          settle(null);
          lookAgain();
        });
      }
    };
    leases.acquire(message.id);
    recorder.enter(apply, onWritten, priorityOf(candidate));
  };
}

/**
 * An urgent message that was never claimed goes ahead: no answer and no receipt that waits to be written can be about it.
 */
function priorityOf({ batch, message }: Candidate): WritePriority {
  return isUrgent(batch.messageClass) && message.attempts === 0 ? "ahead" : "in turn";
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Claims a message, if it is still queued and may leave: what was decided before this commit counts, though the message was read
 * before. An opt-out that came since it was accepted wins: then it is cancelled and released instead.
 */
function applyClaim(
  tx: Tx,
  session: FactSession,
  { batch, message }: Candidate,
  unmatchedBefore: number,
): boolean {
  const messageId = message.id;
  switch (findBar(tx, batch.accountId, message.msisdn, batch.messageClass)) {
    case "SUSPENDED":
      return false;
    case "SUPPRESSED":
      session.apply({ kind: "cancelled", messageId, error: { code: "SUPPRESSED", operatorCode: null } });
      return false;
    case null: {
      const { from, to } = session.apply({
        kind: "claimed",
        messageId,
        unmatchedBefore,
        operator: batch.operator,
      });
      return from === "QUEUED" && to === "SUBMITTED";
    }
  }
}

// The fast path: messages that need not wait in the queue. The transaction that accepts them claims them as well, and they leave after
// it.

/** A slot on one of a worker's sessions that is reserved for a message. */
export type ReservedSlot = {
  readonly message: QueuedMessage;
  /** The claim is durable: the message leaves. Releases the slot in the same turn. */
  readonly leave: (candidate: Candidate) => void;
  /** Releases the slot: the message was not claimed. */
  readonly free: () => void;
};

export type FastPathDeps = {
  readonly queue: Pick<OperatorQueue, "isFree">;
  readonly leases: Leases;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  /** Nothing is claimed any more. */
  readonly isStopping: () => boolean;
  /** The highest number that an unmatched receipt has by now. */
  readonly unmatchedBefore: () => number;
  /** Reserves slots for messages of a batch, in order, as far as there are any, and notes what their claim needs noted. */
  readonly reserveSlots: (
    tx: Tx,
    batch: PendingBatch,
    messages: readonly QueuedMessage[],
  ) => readonly ReservedSlot[];
};

/** Slots for messages that are being accepted, where nothing goes before them: as many as there are at this moment. */
export function createFastPath({
  queue,
  leases,
  isHeld,
  isStopping,
  unmatchedBefore,
  reserveSlots,
}: FastPathDeps): TakeFastPathSlot {
  return (tx, batch, messages) => {
    if (isStopping() || isHeld() || !queue.isFree(tx, batch)) return null;
    let taken = reserveSlots(tx, batch, messages);
    if (taken.length === 0) return null;
    for (const { message } of taken) leases.acquire(message.id);
    const takeAll = (): readonly ReservedSlot[] => {
      const slots = taken;
      taken = [];
      return slots;
    };
    return {
      count: taken.length,
      unmatchedBefore: unmatchedBefore(),
      leave: (batchId) => {
        for (const { message, leave } of takeAll()) leave({ batch: { ...batch, batchId }, message });
      },
      end: () => {
        for (const { message, free } of takeAll()) {
          leases.release(message.id);
          free();
        }
      },
    };
  };
}
