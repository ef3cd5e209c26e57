/** Batches that are not sent from now: until a time, until something of their account changes, or for good. */
import type { Clock } from "../core/clock.ts";
import type { QueuedBatch } from "../domain/messages/queue.ts";
import { dueTimes } from "./due-times.ts";
import { type SendingGate, validUntil } from "./gate.ts";

export type KeptOut = {
  /** Keeps a batch out as its gate says. */
  readonly keep: (batch: QueuedBatch, verdict: Exclude<SendingGate, { kind: "open" }>) => void;
  /** Has a batch looked at when the wall clock shows `dueMs`. The earliest of several times counts. */
  readonly until: (batch: QueuedBatch, dueMs: number) => void;
  readonly get: (batchId: number) => QueuedBatch | null;
  /** It takes part again. What it was held until is forgotten; what of it is due later is to be looked up again. */
  readonly letGo: (batchId: number) => void;
  /** Has those that an account holds up looked at, a few at a time. */
  readonly letGoOf: (accountId: number) => void;
  /** Has all that are held looked at, a few at a time. */
  readonly letGoAll: () => void;
  /** Forgets every batch and timer. */
  readonly clear: () => void;
};

export type KeptOutDeps = {
  readonly clock: Clock;
  /** The batch may be sent from again, or is to be asked about. */
  readonly onDue: (batch: QueuedBatch) => void;
  readonly onGivenUp: (batch: QueuedBatch, gate: Extract<SendingGate, { kind: "given_up" }>) => void;
  readonly onOver: (batch: QueuedBatch) => void;
};

/** Batches let go on in one turn of the event loop: a hundred thousand may be held. */
const BATCHES_A_TURN = 100;

export function keptOut({ clock, onDue, onGivenUp, onOver }: KeptOutDeps): KeptOut {
  const due = dueTimes(clock, onDue);
  const held = heldBatches();
  const goingOn = new Set<Iterator<QueuedBatch>>();

  /** Lets batches that were held go on, a few at a time. */
  const goOn = (batches: Iterator<QueuedBatch>): void => {
    for (let opened = 0; opened < BATCHES_A_TURN; opened++) {
      const next = batches.next();
      if (next.done) {
        goingOn.delete(batches);
        break;
      }
      due.remove(next.value.batchId);
      onDue(next.value);
    }
    if (goingOn.has(batches)) clock.soon(() => goOn(batches));
  };

  const begin = (taken: Iterable<QueuedBatch>): void => {
    const batches = taken[Symbol.iterator]();
    goingOn.add(batches);
    goOn(batches);
  };

  return {
    keep: (batch, verdict) => {
      switch (verdict.kind) {
        case "given_up":
          onGivenUp(batch, verdict);
          return;
        case "over":
          onOver(batch);
          return;
        case "held":
          held.add(batch);
          // Its messages expire while it is held.
          due.set(batch, verdict.untilMs ?? validUntil(clock, batch));
      }
    },
    until: due.set,
    get: (batchId) => due.get(batchId) ?? held.get(batchId),
    letGo: (batchId) => {
      if (held.remove(batchId)) due.remove(batchId);
    },
    letGoOf: (accountId) => begin(held.takeOf(accountId)),
    letGoAll: () => begin(held.takeAll()),
    clear: () => {
      due.clear();
      held.clear();
      goingOn.clear();
    },
  };
}

/** Batches whose messages may not leave until something of their account changes, such as one that is suspended. */
type HeldBatches = {
  readonly add: (batch: QueuedBatch) => void;
  readonly get: (batchId: number) => QueuedBatch | null;
  /** False when it is not held. */
  readonly remove: (batchId: number) => boolean;
  /** Takes out those that an account has at this moment, one with each step. */
  readonly takeOf: (accountId: number) => Iterable<QueuedBatch>;
  /** Takes out all that there are at this moment, one with each step. */
  readonly takeAll: () => Iterable<QueuedBatch>;
  readonly clear: () => void;
};

function heldBatches(): HeldBatches {
  const batches = new Map<number, QueuedBatch>();
  const ofAccount = new Map<number, Map<number, QueuedBatch>>();
  const remove = (batchId: number): boolean => {
    const batch = batches.get(batchId);
    if (!batch) return false;
    batches.delete(batchId);
    const its = ofAccount.get(batch.accountId);
    its?.delete(batchId);
    if (its?.size === 0) ofAccount.delete(batch.accountId);
    return true;
  };
  return {
    add: (batch) => {
      batches.set(batch.batchId, batch);
      const its = ofAccount.get(batch.accountId) ?? new Map<number, QueuedBatch>();
      its.set(batch.batchId, batch);
      ofAccount.set(batch.accountId, its);
    },
    get: (batchId) => batches.get(batchId) ?? null,
    remove,
    takeOf: function* (accountId) {
      const its = ofAccount.get(accountId);
      ofAccount.delete(accountId);
      for (const batch of its?.values() ?? []) {
        if (batches.delete(batch.batchId)) yield batch;
      }
    },
    takeAll: function* () {
      for (const batch of [...batches.values()]) if (remove(batch.batchId)) yield batch;
    },
    clear: () => {
      batches.clear();
      ofAccount.clear();
    },
  };
}
