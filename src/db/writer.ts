/**
 * The one writer of a database: a queue with group commit. Jobs that wait together share one transaction and one fsync.
 *
 * Jobs keep the order in which they were asked for, but for those that go ahead (`turn.ts`).
 *
 * One that throws must not undo the others. So what shared a transaction with it is run again, each on its own: first
 * in one transaction still, of which only what the guilty one wrote is undone, and where not even that can be
 * committed (the disk is full) each in a transaction of its own. As long as nothing throws, nothing of this costs anything.
 */
import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import type { MetricsRegistry } from "../core/count-book.ts";
import type { WalKeeper } from "./checkpoint.ts";
import type { Pseudonyms } from "./keyed-names.ts";
import type { RowCache } from "./known-rows.ts";
import type { StoreTrace } from "./slow-statements.ts";
import { isDiskFailure, isSyncFailure } from "./sqlite-error.ts";
import { createNextJob, type WritePriority } from "./turn.ts";
import { type Durability, type Job, type Transactions, type Tx, createTransactions } from "./write.ts";

export type Writer = {
  /**
   * Runs a job in a transaction and resolves with its result once that is durable, or committed at least where the
   * caller leaves it to the next. A job that throws rejects alone and leaves nothing behind.
   */
  readonly write: <T>(job: Job<T>, durable?: Durability, turn?: WritePriority) => Promise<T>;
  /**
   * One job for many items, which share what it writes only once. `work` gives a result for each item that it is given:
   * all of them, or one, when each is tried on its own because one threw. Resolves with what came of each.
   */
  readonly writeEach: <Item, T>(
    items: readonly Item[],
    work: (tx: Tx, items: readonly Item[]) => readonly T[],
    durable?: Durability,
    turn?: WritePriority,
  ) => Promise<PromiseSettledResult<T>[]>;
  /** Runs work during which nothing is written: what is asked for meanwhile waits. */
  readonly pause: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when nothing waits. */
  readonly idle: () => Promise<void>;
};

/** What the writer tells of its disk. */
export type WriterWatch = {
  /** Looks after the log. */
  readonly keeper?: WalKeeper;
  /**
   * The disk failed to sync, told once. Nothing is committed any more after that, since nobody knows what a later commit
   * would stand on: everything that waits is refused.
   */
  readonly onSyncFailure?: (error: unknown) => void;
  /** The disk did not take a job. */
  readonly onDiskFailure?: () => void;
  /** Who looks at steps. */
  readonly look?: StoreTrace | null;
  /** What is remembered of this database. */
  readonly known?: RowCache;
  /** Where it counts. */
  readonly tally?: MetricsRegistry;
  /** Names of what was erased. */
  readonly nameOf?: Pseudonyms["of"];
};

/** What a job shares with its neighbours: all, a transaction of which its part can be undone, or nothing. */
type Isolation = "together" | "undoable" | "alone";

type Outcome = PromiseSettledResult<unknown>;

type Waiting = {
  readonly items: readonly unknown[];
  readonly work: (tx: Tx, items: readonly unknown[]) => readonly unknown[];
  readonly durable: Durability;
  readonly isolation: Isolation;
  /** Told what came of each item. */
  readonly tell: (outcomes: readonly Outcome[]) => void;
};

type WriterState = {
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly watch: WriterWatch;
  /** What is tried again comes first in it. */
  queue: Waiting[];
  ahead: Waiting[];
  isScheduled: boolean;
  /** Pauses under way. */
  pauses: number;
  /** The log is to be copied, on a turn of its own: nobody whose commit it was waits for that. */
  isLogLong: boolean;
  idleWaiters: (() => void)[];
  /** Set once the disk failed to sync. */
  lost: { readonly error: unknown } | null;
};

/** Opens the writer on a connection that nobody else writes with. */
export function openQueuedWriter(db: Database, clock: Clock, watch: WriterWatch = {}): Writer {
  const state: WriterState = {
    transactions: createTransactions(db, clock, watch.look, watch.known, watch.tally, watch.nameOf),
    clock,
    watch,
    queue: [],
    ahead: [],
    isScheduled: false,
    pauses: 0,
    isLogLong: false,
    idleWaiters: [],
    lost: null,
  };
  const ask = (
    items: readonly unknown[],
    work: Waiting["work"],
    durable: Durability,
    turn: WritePriority,
    tell: Waiting["tell"],
  ): void => {
    const waiting: Waiting = { items, work, durable, isolation: "together", tell };
    (turn === "ahead" ? state.ahead : state.queue).push(waiting);
    if (state.lost === null) schedule(state);
    else isLost(state, state.lost.error);
  };
  return {
    write: <T>(job: Job<T>, durable: Durability = "at once", turn: WritePriority = "in turn") =>
      new Promise<T>((resolve, reject) => {
        const tell = ([outcome]: readonly Outcome[]): void => {
          if (outcome?.status === "fulfilled") resolve(outcome.value as T);
          else reject(outcome?.reason);
        };
        ask([null], (tx) => [job(tx)], durable, turn, tell);
      }),
    writeEach: (items, work, durable = "at once", turn = "in turn") =>
      new Promise((resolve) => {
        if (items.length === 0) resolve([]);
        else ask(items, work as Waiting["work"], durable, turn, resolve as Waiting["tell"]);
      }),
    pause: async (work) => {
      state.pauses += 1;
      try {
        return await work();
      } finally {
        state.pauses -= 1;
        schedule(state);
      }
    },
    idle: () =>
      !isBusy(state) && !state.isScheduled
        ? Promise.resolve()
        : new Promise((resolve) => {
            state.idleWaiters.push(resolve);
          }),
  };
}

function isBusy({ queue, ahead }: WriterState): boolean {
  return queue.length + ahead.length > 0;
}

function schedule(state: WriterState): void {
  if (state.isScheduled) return;
  state.isScheduled = true;
  state.clock.soon(() => {
    state.isScheduled = false;
    if (state.pauses > 0) return;
    if (state.isLogLong) copyTheLog(state);
    else if (isBusy(state)) commitSome(state);
    if (isBusy(state) || state.isLogLong) schedule(state);
    else for (const waiter of state.idleWaiters.splice(0)) waiter();
  });
}

/** Takes what waits into one transaction, those that go ahead first, until that has lasted long enough. */
function commitSome(state: WriterState): void {
  const { transactions, clock } = state;
  const group = takeGroup(state.queue);
  // What is tried again shares a transaction with nobody else.
  const ahead = group[0] && group[0].isolation !== "together" ? [] : state.ahead;
  const isPatient = (waiting: Waiting): boolean => waiting.durable === "with the next";
  const durable = group.every(isPatient) && ahead.every(isPatient) ? "with the next" : "at once";
  const begun: Waiting[] = [];
  const outcomes: (readonly Outcome[])[] = [];
  const next = createNextJob(ahead, group);
  try {
    transactions.transact(durable, () => {
      const beganMs = clock.steadyMs();
      for (let job = next(0); job; job = next(clock.steadyMs() - beganMs)) {
        begun.push(job);
        outcomes.push(outcomesOf(transactions, job));
      }
    });
  } catch (error) {
    if (isLost(state, error)) return;
    // Where not even a transaction could begin, the first is told, so that the queue moves on.
    const first = begun.length > 0 ? null : next(0);
    const failed = first ? [first] : begun;
    leave(state, failed);
    state.queue = [...triedAgain(state, failed, error), ...state.queue];
    return;
  }
  leave(state, begun);
  for (const [index, told] of outcomes.entries()) begun[index]?.tell(told);
  lookAfterTheLog(state);
}

/** Takes jobs off: those that were begun are the first of the two that they waited in. */
function leave(state: WriterState, begun: readonly Waiting[]): void {
  const gone = new Set(begun);
  state.queue = state.queue.filter((waiting) => !gone.has(waiting));
  state.ahead = state.ahead.filter((waiting) => !gone.has(waiting));
}

/** Those at the head of the queue that may share a transaction. What is tried again waits for the disk only if it asked to. */
function takeGroup(queue: readonly Waiting[]): readonly Waiting[] {
  const [first] = queue;
  if (!first) return [];
  const { isolation, durable } = first;
  const end = queue.findIndex(
    (other, index) =>
      other.isolation !== isolation ||
      (isolation === "undoable" && other.durable !== durable) ||
      (isolation === "alone" && index > 0),
  );
  return end < 0 ? queue.slice() : queue.slice(0, end);
}

/** Runs a job within a transaction. Throws what ends the whole transaction. */
function outcomesOf({ tx, inSavepoint, isOpen }: Transactions, waiting: Waiting): readonly Outcome[] {
  const { isolation, items } = waiting;
  const work = () => waiting.work(tx, items).map((value): Outcome => ({ status: "fulfilled", value }));
  if (isolation !== "undoable") return work();
  try {
    return inSavepoint(work);
  } catch (reason) {
    if (isDiskFailure(reason) || !isOpen()) throw reason;
    return items.map(() => ({ status: "rejected", reason }));
  }
}

/** What of a transaction that failed is to be run again, item by item; an item that had it to itself is refused. */
function triedAgain(state: WriterState, failed: readonly Waiting[], error: unknown): readonly Waiting[] {
  const [only] = failed;
  if (only && failed.length === 1 && only.items.length <= 1) {
    if (isDiskFailure(error)) state.watch.onDiskFailure?.();
    refuse(only, error);
    return [];
  }
  const isFirstTime = only?.isolation === "together" && !isDiskFailure(error);
  return failed.flatMap((waiting) => apart(waiting, isFirstTime ? "undoable" : "alone"));
}

/** A job of its own for each item; whoever waits is told once all of them have come to an end. */
function apart(waiting: Waiting, isolation: Isolation): readonly Waiting[] {
  const outcomes: Outcome[] = [];
  let missing = waiting.items.length;
  return waiting.items.map((item, index) => ({
    ...waiting,
    items: [item],
    isolation,
    tell: ([outcome]) => {
      if (outcome) outcomes[index] = outcome;
      missing -= 1;
      if (missing === 0) waiting.tell(outcomes);
    },
  }));
}

function refuse({ items, tell }: Waiting, reason: unknown): void {
  tell(items.map(() => ({ status: "rejected", reason })));
}

/** True when the disk failed to sync, now or before: everything that waits is refused. */
function isLost(state: WriterState, error: unknown): boolean {
  if (state.lost === null && isSyncFailure(error)) {
    state.lost = { error };
    state.watch.onSyncFailure?.(error);
  }
  if (state.lost === null) return false;
  for (const waiting of [...state.ahead.splice(0), ...state.queue.splice(0)]) refuse(waiting, state.lost.error);
  return true;
}

function lookAfterTheLog(state: WriterState): void {
  const { keeper } = state.watch;
  if (keeper) minding(state, () => (state.isLogLong = keeper.isLong(state.transactions.written())));
}

function copyTheLog(state: WriterState): void {
  state.isLogLong = false;
  minding(state, () => state.watch.keeper?.copy());
}

/** An error of the log other than of its sync leaves it as it is: a later commit asks again. */
function minding(state: WriterState, work: () => void): void {
  try {
    work();
  } catch (error) {
    isLost(state, error);
  }
}
