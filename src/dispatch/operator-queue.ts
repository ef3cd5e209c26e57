/**
 * The queue of one operator as its worker takes from it: which batches may be sent from, and the pages of their rows. The
 * database is the queue; this only knows where to look. It knows batches that have messages in the queue, and none that only
 * waits for receipts. What its gate gives up ends here (`giveUpQueued`).
 */

import type { Settings } from "../config/live-config.ts";
import { type Cancel, type Clock, isOver, wait } from "../core/clock.ts";
import { runInBatches } from "../core/concurrency.ts";
import { heap } from "../core/heap.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import type { MessageClass } from "../domain/accounts/message-class.ts";
import { ALL_ROUTES } from "../domain/accounts/senders.ts";
import { applyFacts } from "../domain/messages/apply-facts.ts";
import { calledOff } from "../domain/messages/cancellation.ts";
import type { MessageError } from "../domain/messages/message-status.ts";
import {
  nextDueMs,
  type PendingBatch,
  type QueuedBatch,
  type QueuedMessage,
  readQueuedMessages,
  readWaitingMessages,
  type WaitingPlace,
} from "../domain/messages/queue.ts";
import { MAX_BACKOFF_MS } from "./attempt.ts";
import {
  type BatchScheduler,
  batchScheduler,
  type Candidate,
  type FindSenderRoutes,
  type IsWanted,
  type PlaceKey,
  placeOf,
  type ReadPage,
  type RouteLimits,
} from "./batch-scheduler.ts";
import { checkGate, checkNewBatchGate, type SendingGate, validUntil } from "./sending-gate.ts";
import type { TaskTracker, WorkerTools } from "./worker.ts";

export type BatchQueue = {
  /**
   * Adds a batch that was accepted or found; one that is here already keeps its turn. `all`: everything that it has in this
   * queue, handed over by whoever wrote it just now, so that nothing need be read.
   */
  readonly open: (batch: QueuedBatch, all?: readonly QueuedMessage[]) => void;
  /** Whether nothing that waits goes before a new batch of this class, or takes turns with it. */
  readonly isNext: (messageClass: MessageClass) => boolean;
  /** Whether a batch is here already. False for one whose validity is over: it is to be opened, so that it is given up. */
  readonly knows: (batchId: number) => boolean;
  /** The next message in fair order of those that are wanted, or of all. It is left out of later pages until `settled`. */
  readonly take: (isWanted?: IsWanted) => Candidate | null;
  /** The limits of messages that wait and may not leave by every route. */
  readonly limits: () => readonly RouteLimits[];
  /** The claim of a taken message is committed, or was given up. */
  readonly settled: (messageId: number) => void;
  /**
   * Messages of a batch went back to the queue: reads it again at `dueMs`. If that is past they go ahead of their class, and the
   * batch has the next turn.
   */
  readonly requeued: (batch: QueuedBatch, dueMs: number) => void;
  /** The account, its senders or one of its batches changed: checks the gate again for each of its batches. */
  readonly changed: (accountId: number) => void;
  /** What the channel says of batches may have changed: checks the gate again for each batch it held. */
  readonly askAgain: () => void;
  /** The routes of the operator changed: checks again by which of them each batch may leave. */
  readonly routesChanged: () => void;
  /** Forgets every batch and timer. */
  readonly clear: () => void;
};

type BatchQueueDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  /** `isFresh`: the batch was accepted just now, and nothing of its account has changed since. */
  readonly gate: (batch: QueuedBatch, isFresh: boolean) => SendingGate;
  /** Called with a batch that the gate gives up. */
  readonly onGivenUp: (batch: QueuedBatch, gate: Extract<SendingGate, { kind: "given_up" }>) => void;
  /** Whether a batch was cancelled. Its messages that come back to the queue are cancelled at once, not when their turn comes. */
  readonly isBatchCancelled: (batchId: number) => boolean;
  /** Called with a batch that may not be sent from any more while messages of it wait. */
  readonly onOver: (batch: QueuedBatch) => void;
  /** Called when there may be something to take. */
  readonly onReady: () => void;
  /** By which routes the sender of a batch may go, and whether there are routes at all; absent where a channel has none. */
  readonly findSenderRoutes?: FindSenderRoutes;
  readonly hasRoutes?: () => boolean;
};

/** Rows of a batch held in memory at most. */
const PAGE = 100;

/** Pages read to find one message, in one turn of the event loop: a hundred thousand batches may be empty. */
const READS_A_TURN = 50;

/** What has been handed out, and which accounts have changed since their batches were read. */
type Handed = {
  /** Messages that were taken and whose claim is not settled. */
  readonly taken: Set<number>;
  /** Number of changes of each account: rows of its batches that were read before the latest one are not handed blocked. */
  readonly changes: Map<number, number>;
  readonly fresh: FreshPages;
  /** Number of changes of the operator's routes, which concern every batch. */
  routeChanges: number;
};

export function batchQueue(deps: BatchQueueDeps): BatchQueue {
  const { read, clock, gate, onReady } = deps;
  const handed: Handed = { taken: new Set(), changes: new Map(), fresh: freshPages(), routeChanges: 0 };
  const blocked = blockedBatches({ ...deps, onDue: (batch) => look(batch, false) });
  const scheduler = batchScheduler((batch) => readPage(deps, handed, blocked, batch), deps.findSenderRoutes);
  const requeueAll = createRequeuing(clock, scheduler, onReady);
  const areSendersApart = (): boolean =>
    scheduler.limits().some(({ senderRoutes }) => senderRoutes !== ALL_ROUTES);

  /** What has expired is given up here, since no page is taken for an operator that is unreachable. */
  const isExpired = (batch: QueuedBatch): boolean => {
    if (!isOver(clock, batch.createdAt, batch.expiresAt)) return false;
    scheduler.close(placeOf(batch));
    handed.fresh.drop(placeOf(batch));
    blocked.unblock(placeOf(batch));
    const verdict = gate(batch, false);
    if (verdict.kind !== "open") blocked.keep(batch, verdict);
    return true;
  };

  /** Drops the page, so that what went back to the front is seen, and watches for what is due later: nothing where `all` is due. */
  const look = (batch: QueuedBatch, ahead: boolean, all: readonly QueuedMessage[] | null = null): void => {
    if (isExpired(batch)) return;
    handed.fresh.drop(placeOf(batch));
    blocked.unblock(placeOf(batch));
    scheduler.reopen(batch, ahead);
    if (all) handed.fresh.keep(placeOf(batch), all, countChanges(handed, batch));
    const dueMs = all ? null : nextDueMs(read, batch, clock.nowMs());
    if (dueMs !== null) blocked.until(batch, dueMs);
    onReady();
  };

  return {
    open: (batch, all) => {
      const known = scheduler.get(placeOf(batch));
      if (!known) look(batch, false, all);
      else if (!isExpired(batch)) known.hasMore = true;
    },
    isNext: scheduler.isNext,
    limits: scheduler.limits,
    knows: (batchId) => {
      const batch = scheduler.get(batchId)?.batch ?? blocked.get(batchId);
      return batch !== null && validUntil(clock, batch) > clock.nowMs();
    },
    take: (isWanted) => {
      let reads = 0;
      const candidate = scheduler.take(() => reads++ < READS_A_TURN, isWanted);
      if (candidate) handed.taken.add(candidate.message.id);
      else if (reads > READS_A_TURN) clock.soon(onReady);
      return candidate;
    },
    settled: (messageId) => {
      handed.taken.delete(messageId);
    },
    requeued: (batch, dueMs) => {
      if (deps.isBatchCancelled(batch.batchId)) {
        scheduler.close(placeOf(batch));
        handed.fresh.drop(placeOf(batch));
        deps.onOver(batch);
      } else if (dueMs <= clock.nowMs()) look(batch, true);
      else blocked.until(batch, dueMs);
    },
    changed: (accountId) => {
      handed.changes.set(accountId, (handed.changes.get(accountId) ?? 0) + 1);
      blocked.unblockAccount(accountId);
      if (deps.hasRoutes?.() || areSendersApart()) requeueAll(scheduler.list(accountId));
    },
    askAgain: blocked.unblockAll,
    routesChanged: () => {
      handed.routeChanges += 1;
      requeueAll(scheduler.list(null));
    },
    clear: () => {
      blocked.clear();
      scheduler.clear();
      handed.fresh.clear();
    },
  };
}

/** How often the account of a batch, or the routes, have changed. */
function countChanges({ changes, routeChanges }: Handed, { accountId }: QueuedBatch): number {
  return (changes.get(accountId) ?? 0) + routeChanges;
}

/** Queues batches anew whose senders may go by other routes than before, a few in each turn of the event loop. */
function createRequeuing(
  clock: Clock,
  scheduler: Pick<BatchScheduler, "requeue">,
  onReady: () => void,
): (batches: readonly QueuedBatch[]) => void {
  const goOn = (batches: readonly QueuedBatch[], from: number): void => {
    const end = Math.min(from + BATCHES_A_TURN, batches.length);
    for (const batch of batches.slice(from, end)) scheduler.requeue(batch);
    if (end < batches.length) clock.soon(() => goOn(batches, end));
    onReady();
  };
  return (batches) => goOn(batches, 0);
}

/** The next page of a batch, the first row last; empty for a batch that its gate does not let through. */
function readPage(
  deps: BatchQueueDeps,
  handed: Handed,
  blocked: BlockedBatches,
  batch: QueuedBatch,
): ReturnType<ReadPage> {
  const change = countChanges(handed, batch);
  const fresh = handed.fresh.take(placeOf(batch), change);
  const verdict = deps.gate(batch, fresh !== null);
  if (verdict.kind !== "open") {
    blocked.keep(batch, verdict);
    return { page: [], hasMore: false };
  }
  const isGood = () => deps.clock.nowMs() < verdict.untilMs && countChanges(handed, batch) === change;
  if (fresh) return { page: fresh.toReversed(), hasMore: false, isGood };
  const wanted = PAGE + handed.taken.size;
  const rows = nextRows(deps, blocked, batch, wanted);
  const page = rows.filter((message) => !handed.taken.has(message.id)).reverse();
  return { page, hasMore: rows.length === wanted && page.length > 0, isGood };
}

/**
 * The first messages that are due. None waits longer than a back-off: a time farther ahead comes from a clock that was set back
 * since, and is due.
 */
function nextRows(
  { read, clock }: BatchQueueDeps,
  blocked: BlockedBatches,
  batch: QueuedBatch,
  wanted: number,
): QueuedMessage[] {
  const nowMs = clock.nowMs();
  const rows = readQueuedMessages(read, batch, nowMs, wanted);
  const dueMs = rows.length > 0 ? null : nextDueMs(read, batch, nowMs);
  if (dueMs === null) return rows;
  if (dueMs > nowMs + MAX_BACKOFF_MS) return readQueuedMessages(read, batch, Number.MAX_SAFE_INTEGER, wanted);
  blocked.until(batch, dueMs);
  return rows;
}

// Held batches: not sent from until a time, until something of their account changes, or for good.

type BlockedBatches = {
  /** Holds a batch as its gate says. */
  readonly keep: (batch: QueuedBatch, verdict: Exclude<SendingGate, { kind: "open" }>) => void;
  /** Has a batch checked when the wall clock shows `dueMs`. The earliest of several times counts. */
  readonly until: (batch: QueuedBatch, dueMs: number) => void;
  readonly get: (place: PlaceKey) => QueuedBatch | null;
  /** The batch is open again. Forgets what it was held until; what of it is due later is looked up again. */
  readonly unblock: (place: PlaceKey) => void;
  /** Has the batches held because of an account checked, a few at a time. */
  readonly unblockAccount: (accountId: number) => void;
  /** Has all held batches checked, a few at a time. */
  readonly unblockAll: () => void;
  /** Forgets every batch and timer. */
  readonly clear: () => void;
};

type BlockedBatchesDeps = {
  readonly clock: Clock;
  /** The batch may be sent from again, or its gate is to be checked. */
  readonly onDue: (batch: QueuedBatch) => void;
  readonly onGivenUp: (batch: QueuedBatch, gate: Extract<SendingGate, { kind: "given_up" }>) => void;
  readonly onOver: (batch: QueuedBatch) => void;
};

/** Batches released in one turn of the event loop: a hundred thousand may be held. */
const BATCHES_A_TURN = 100;

function blockedBatches({ clock, onDue, onGivenUp, onOver }: BlockedBatchesDeps): BlockedBatches {
  const due = dueTimes(clock, onDue);
  const held = heldBatches();
  const goingOn = new Set<Iterator<QueuedBatch>>();

  /** Releases held batches, a few at a time. */
  const goOn = (batches: Iterator<QueuedBatch>): void => {
    for (let opened = 0; opened < BATCHES_A_TURN; opened++) {
      const next = batches.next();
      if (next.done) {
        goingOn.delete(batches);
        break;
      }
      due.remove(placeOf(next.value));
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
    get: (place) => due.get(place) ?? held.get(place),
    unblock: (place) => {
      if (held.remove(place)) due.remove(place);
    },
    unblockAccount: (accountId) => begin(held.takeOf(accountId)),
    unblockAll: () => begin(held.takeAll()),
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
  readonly get: (place: PlaceKey) => QueuedBatch | null;
  /** False when it is not held. */
  readonly remove: (place: PlaceKey) => boolean;
  /** Removes the batches that an account has at this moment, one with each step. */
  readonly takeOf: (accountId: number) => Iterable<QueuedBatch>;
  /** Removes all batches that there are at this moment, one with each step. */
  readonly takeAll: () => Iterable<QueuedBatch>;
  readonly clear: () => void;
};

function heldBatches(): HeldBatches {
  const batches = new Map<PlaceKey, QueuedBatch>();
  const ofAccount = new Map<number, Map<PlaceKey, QueuedBatch>>();
  const remove = (place: PlaceKey): boolean => {
    const batch = batches.get(place);
    if (!batch) return false;
    batches.delete(place);
    const its = ofAccount.get(batch.accountId);
    its?.delete(place);
    if (its?.size === 0) ofAccount.delete(batch.accountId);
    return true;
  };
  return {
    add: (batch) => {
      batches.set(placeOf(batch), batch);
      const its = ofAccount.get(batch.accountId) ?? new Map<PlaceKey, QueuedBatch>();
      its.set(placeOf(batch), batch);
      ofAccount.set(batch.accountId, its);
    },
    get: (place) => batches.get(place) ?? null,
    remove,
    takeOf: function* (accountId) {
      const its = ofAccount.get(accountId);
      ofAccount.delete(accountId);
      for (const batch of its?.values() ?? []) {
        if (batches.delete(placeOf(batch))) yield batch;
      }
    },
    takeAll: function* () {
      for (const batch of [...batches.values()]) if (remove(placeOf(batch))) yield batch;
    },
    clear: () => {
      batches.clear();
      ofAccount.clear();
    },
  };
}

// When batches are to be checked again: one timer for all of them, and a few at a time where many are due at once.

export type DueTimes = {
  /** Has a batch checked when the wall clock shows `dueMs`. The earliest of several times counts. */
  readonly set: (batch: QueuedBatch, dueMs: number) => void;
  /** The batch at this place, while its time is awaited. */
  readonly get: (place: PlaceKey) => QueuedBatch | null;
  readonly remove: (place: PlaceKey) => void;
  readonly clear: () => void;
};

/** The wall clock is read again this often: it may have been set, or the machine slept, since the timer was armed. */
const MAX_MS = 60_000;

type DueTime = { readonly batch: QueuedBatch; readonly dueMs: number };

export function dueTimes(clock: Clock, onDue: (batch: QueuedBatch) => void): DueTimes {
  const awaited = new Map<PlaceKey, DueTime>();
  // Contains replaced and removed times as well; `awaited` tells which count.
  const inOrder = heap<DueTime>(({ dueMs }) => dueMs);
  const wall = watchedWall(clock);
  let armedFor = Number.POSITIVE_INFINITY;
  let cancelTimer: Cancel = () => {};

  const arm = (): void => {
    const nextMs = inOrder.least()?.dueMs ?? Number.POSITIVE_INFINITY;
    if (nextMs === armedFor) return;
    cancelTimer();
    armedFor = nextMs;
    if (nextMs < Number.POSITIVE_INFINITY) {
      cancelTimer = clock.after(Math.min(nextMs - wall.read(), MAX_MS), onTimer);
    }
  };

  /** A time from a clock that was set back since says nothing of how long to wait: all batches are due. */
  const makeAllDue = (nowMs: number): void => {
    inOrder.clear();
    for (const [place, { batch }] of awaited) {
      const time = { batch, dueMs: nowMs };
      awaited.set(place, time);
      inOrder.push(time);
    }
  };

  const onTimer = (): void => {
    armedFor = Number.POSITIVE_INFINITY;
    const nowMs = wall.read();
    if (wall.takeSetBack()) makeAllDue(nowMs);
    for (let looked = 0; looked < BATCHES_A_TURN; looked++) {
      const next = inOrder.least();
      if (next === undefined || next.dueMs > nowMs) break;
      inOrder.pop();
      if (awaited.get(placeOf(next.batch)) !== next) continue;
      awaited.delete(placeOf(next.batch));
      onDue(next.batch);
    }
    arm();
  };

  return {
    set: (batch, dueMs) => {
      const known = awaited.get(placeOf(batch));
      if (known && known.dueMs <= dueMs) return;
      const time = { batch, dueMs };
      awaited.set(placeOf(batch), time);
      inOrder.push(time);
      arm();
    },
    get: (place) => awaited.get(place)?.batch ?? null,
    remove: (place) => {
      awaited.delete(place);
    },
    clear: () => {
      awaited.clear();
      inOrder.clear();
      arm();
    },
  };
}

/** The wall clock, with whether it was set back from one reading to a later one. */
function watchedWall(clock: Clock) {
  let readMs = Number.NEGATIVE_INFINITY;
  let isSetBack = false;
  return {
    read: (): number => {
      const nowMs = clock.nowMs();
      isSetBack ||= nowMs < readMs;
      readMs = nowMs;
      return nowMs;
    },
    /** Whether it was set back since the last call. */
    takeSetBack: (): boolean => {
      const was = isSetBack;
      isSetBack = false;
      return was;
    },
  };
}

/**
 * First pages of batches that need not be read, because whoever wrote them has handed them over. Their number is limited: what is
 * handed over beyond that is read from the queue when its turn comes.
 */
type FreshPages = {
  /** Keeps the page of a batch, if there is room. `change`: the number of changes of its account at this moment. */
  readonly keep: (place: PlaceKey, messages: readonly QueuedMessage[], change: number) => void;
  /** Removes and returns the page of a batch; null where it has none, or its account has changed since. */
  readonly take: (place: PlaceKey, change: number) => readonly QueuedMessage[] | null;
  readonly drop: (place: PlaceKey) => void;
  readonly clear: () => void;
};

/** Messages kept in all: an operator may be unreachable for hours while batches come in. */
const MAX_MESSAGES = 5000;

type FreshPage = { readonly messages: readonly QueuedMessage[]; readonly change: number };

export function freshPages(): FreshPages {
  const pages = new Map<PlaceKey, FreshPage>();
  let kept = 0;
  const drop = (place: PlaceKey): FreshPage | null => {
    const page = pages.get(place);
    if (!page) return null;
    pages.delete(place);
    kept -= page.messages.length;
    return page;
  };
  return {
    keep: (place, messages, change) => {
      drop(place);
      if (kept + messages.length > MAX_MESSAGES) return;
      pages.set(place, { messages, change });
      kept += messages.length;
    },
    take: (place, change) => {
      const page = drop(place);
      return page?.change === change ? page.messages : null;
    },
    drop,
    clear: () => {
      pages.clear();
      kept = 0;
    },
  };
}

type OperatorQueueDeps = Pick<WorkerTools, "onOver"> & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: TaskTracker["own"];
  /** The channel's own gate for a batch that may leave otherwise; absent: every batch may. */
  readonly channelGate?: (batch: QueuedBatch) => SendingGate;
  readonly findSenderRoutes?: FindSenderRoutes;
  readonly hasRoutes?: () => boolean;
  /** Called when there may be something to take. */
  readonly onReady: () => void;
};

export type OperatorQueue = BatchQueue & {
  /** Whether messages of a batch that is being accepted may take the fast path: it may be sent from, and nothing goes before it. */
  readonly isFree: (read: Reader, batch: PendingBatch) => boolean;
};

/** The queue of one operator behind the gate that applies to every channel: what that gate gives up ends here. */
export function operatorQueue(deps: OperatorQueueDeps): OperatorQueue {
  const { settings, store, clock, log, own, onReady, onOver, channelGate, findSenderRoutes, hasRoutes } =
    deps;
  const gateDeps = (read: Reader) => {
    const { policy, operators } = settings.now();
    return { read, policy, operators };
  };
  const queue = batchQueue({
    read: store.read,
    clock,
    gate: (batch, isFresh) => {
      const verdict = checkGate(gateDeps(store.read), batch, clock, isFresh);
      return verdict.kind === "open" && channelGate ? soonest(verdict, channelGate(batch)) : verdict;
    },
    // What is given up here may go on over its fallback.
    onGivenUp: (batch, { error }) =>
      own(giveUpQueued({ store, clock, log }, batch, error).then(() => onOver(batch.batchId))),
    isBatchCancelled: (batchId) => calledOff(store.read, batchId) !== null,
    onOver: ({ batchId }) => onOver(batchId),
    onReady,
    ...(findSenderRoutes && { findSenderRoutes }),
    ...(hasRoutes && { hasRoutes }),
  });
  return {
    ...queue,
    isFree: (read, batch) =>
      queue.isNext(batch.messageClass) && checkNewBatchGate(gateDeps(read), batch, clock).kind === "open",
  };
}

/** The channel's gate, limited to the time for which the other gate is open. */
function soonest(open: Extract<SendingGate, { kind: "open" }>, channel: SendingGate): SendingGate {
  return channel.kind === "open" && channel.untilMs > open.untilMs ? open : channel;
}

/** Messages given up in one transaction, so that a large batch makes nobody wait. */
const GIVE_UP_STEP = 250;
const GIVE_UP_AGAIN_MS = 1_000;

type GiveUpDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/**
 * Ends every message of a batch that waits for an operator, whether it is due or not. One whose last word from the
 * operator was to try later ends OPERATOR_THROTTLED when its validity is over.
 */
export async function giveUpQueued(
  { store, clock, log }: GiveUpDeps,
  batch: WaitingPlace,
  error: MessageError,
): Promise<void> {
  try {
    const given = await runInBatches(GIVE_UP_STEP, () =>
      store.write((tx) => {
        const facts = readWaitingMessages(tx, batch, GIVE_UP_STEP).map(({ id, operatorCode }) => ({
          kind: "given_up" as const,
          messageId: id,
          error:
            error.code === "EXPIRED_IN_QUEUE" && operatorCode !== null
              ? { code: "OPERATOR_THROTTLED" as const, operatorCode }
              : error,
        }));
        return applyFacts(tx, facts, clock.nowMs()).length;
      }),
    );
    if (given === 0) return;
    const { batchId, operator } = batch;
    log.warn("messages given up", { batch: batchId, operator, reason: error.code, messages: given });
  } catch (failure) {
    log.error("messages could not be given up", { batch: batch.batchId, ...errorFields(failure) });
    // Whoever looks at the batch again finds them waiting: not at once, on a disk that takes nothing.
    await wait(clock, GIVE_UP_AGAIN_MS);
  }
}
