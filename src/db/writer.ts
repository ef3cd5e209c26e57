/**
 * The one writer of a database: a queue with group commit. Jobs that wait together share one transaction and one fsync.
 *
 * Jobs keep the order in which they were asked for, but for those that go ahead (`WritePriority`, below).
 *
 * A job that throws must not undo the others. So what shared a transaction with it is run again, each on its own: first still in
 * one transaction, of which only what the failing job wrote is undone, and where not even that can be committed (the disk is
 * full) each in a transaction of its own. As long as nothing throws, this costs nothing.
 */
import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import type { TraceLog } from "../core/log.ts";
import { createMetricsRegistry, type MetricsRegistry, SHORT_SECONDS } from "../core/metrics-registry.ts";
import type { WalKeeper } from "./checkpoint.ts";
import { isDiskFailure, isSyncFailure } from "./errors.ts";
import { NO_PSEUDONYMS, type Pseudonyms } from "./pseudonyms.ts";
import {
  createReader,
  type Params,
  prepareStatements,
  type Reader,
  type Statements,
  type StoreTrace,
  traceSlow,
} from "./reader.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";

export type Writer = {
  /**
   * Runs a job in a transaction and resolves with its result once that is durable, or only committed where the caller leaves
   * durability to the next commit. A job that throws rejects alone and leaves nothing behind.
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

/** What the writer reports of its disk. */
type WriterWatch = {
  /** Keeps the write-ahead log short. */
  readonly keeper?: WalKeeper;
  /**
   * The disk failed to sync; called once. Nothing is committed any more after that, since nobody knows what a later commit would
   * rest on: everything that waits is refused.
   */
  readonly onSyncFailure?: (error: unknown) => void;
  /** The disk did not take a job. */
  readonly onDiskFailure?: () => void;
  /** The trace of slow statements; null for none. */
  readonly look?: StoreTrace | null;
  /** The cached rows of this database. */
  readonly known?: RowCache;
  /** The metrics it counts in. */
  readonly tally?: MetricsRegistry;
  /** The pseudonyms of erased texts. */
  readonly nameOf?: Pseudonyms["of"];
};

/** What a job shares with the jobs beside it: all, a transaction of which its part can be undone, or nothing. */
type Isolation = "together" | "undoable" | "alone";

type Outcome = PromiseSettledResult<unknown>;

type Waiting = {
  readonly items: readonly unknown[];
  readonly work: (tx: Tx, items: readonly unknown[]) => readonly unknown[];
  readonly durable: Durability;
  readonly isolation: Isolation;
  /** Called with what came of each item. */
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
  /** Number of pauses under way. */
  pauses: number;
  /** The log is to be copied, on a turn of its own, so that no commit waits for that. */
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
    // Where not even a transaction could begin, the first job gets the error, so that the queue moves on.
    const first = begun.length > 0 ? null : next(0);
    const failed = first ? [first] : begun;
    leave(state, failed);
    state.queue = [...triedAgain(state, failed, error), ...state.queue];
    return;
  }
  leave(state, begun);
  for (const [index, told] of outcomes.entries()) begun[index]?.tell(told);
  checkpointLog(state);
}

/** Removes jobs from their queues: those that were begun are the first of the two queues that they waited in. */
function leave(state: WriterState, begun: readonly Waiting[]): void {
  const gone = new Set(begun);
  state.queue = state.queue.filter((waiting) => !gone.has(waiting));
  state.ahead = state.ahead.filter((waiting) => !gone.has(waiting));
}

/** The jobs at the head of the queue that may share a transaction. What is tried again waits for the disk only if it asked to. */
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

/** What of a failed transaction is to be run again, item by item; an item that had it to itself is refused. */
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

/** A job of its own for each item; the caller gets its answer once all of them have ended. */
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
  for (const waiting of [...state.ahead.splice(0), ...state.queue.splice(0)])
    refuse(waiting, state.lost.error);
  return true;
}

function checkpointLog(state: WriterState): void {
  const { keeper } = state.watch;
  if (keeper) minding(state, () => (state.isLogLong = keeper.isLong(state.transactions.written())));
}

function copyTheLog(state: WriterState): void {
  state.isLogLong = false;
  minding(state, () => state.watch.keeper?.copy());
}

/** Does work on the log. An error other than of its sync leaves the log as it is: a later commit tries again. */
function minding(state: WriterState, work: () => void): void {
  try {
    work();
  } catch (error) {
    isLost(state, error);
  }
}

/** A transaction under way: reads see its own writes. */
export type Tx = Reader & {
  /** Runs one statement; how many rows it changed. */
  readonly run: (sql: string, ...params: Params) => number;
  /** Inserts one row; its row id. */
  readonly insert: (sql: string, ...params: Params) => number;
  /** Called once the transaction is durable; not at all if it is rolled back. Must not throw. */
  readonly afterCommit: (effect: () => void) => void;
  /**
   * Called if what the job wrote is undone, the last first: for cached rows that follow a transaction while it is under way. Must
   * not throw.
   */
  readonly onRollback: (undo: () => void) => void;
  /** Where it counts what it does, by way of `afterCommit`. */
  readonly tally: MetricsRegistry;
  /** The trace, written after the commit; null for none. */
  readonly steps: TraceLog | null;
};

/**
 * Work for the writer: synchronous, and without any effect but on the database and through `afterCommit`. It may
 * be run again, when a job that shared its transaction threw.
 */
export type Job<T> = (tx: Tx) => T;

/**
 * When a commit survives a power cut: at once, or with the next one that does. A transaction that is not on the disk yet is lost
 * with all those after it, or not at all, since the write-ahead log is read up to its first gap. So work that counts for nothing
 * before a later commit need not wait for the disk, nor make others wait.
 */
export type Durability = "at once" | "with the next";

/** The transactions of a connection, one after the other. */
type Transactions = {
  readonly tx: Tx;
  /**
   * Runs `work` in a transaction, commits it, and then runs the effects that were to follow. What throws before the commit, or in
   * it, leaves nothing behind.
   */
  readonly transact: (durable: Durability, work: () => void) => void;
  /** Runs `work` within a transaction; where it throws, what it wrote is undone, and nothing else. */
  readonly inSavepoint: <T>(work: () => T) => T;
  /** Whether one is under way: SQLite may have ended it over an error (sqlite.org/lang_transaction.html). */
  readonly isOpen: () => boolean;
  /** Statements of the last transaction that write. */
  readonly written: () => number;
};

/** How long commits take, with the sync that makes them durable. */
export const COMMIT_SECONDS = "bendre_commit_seconds";

/** Makes the transactions of the connection that writes; `known`: the cached rows of this database. */
export function createTransactions(
  db: Database,
  clock: Clock,
  look: StoreTrace | null = null,
  known: RowCache = createRowCache(),
  tally: MetricsRegistry = createMetricsRegistry(),
  nameOf: Pseudonyms["of"] = NO_PSEUDONYMS,
): Transactions {
  const prepared = invalidatingCache(prepareStatements(db), known);
  const statements = look ? traceSlow(prepared, "writer", clock, look) : prepared;
  const [begin, commit] = [statements("BEGIN IMMEDIATE"), measuredCommit(statements, clock, tally)];
  let effects: (() => void)[] = [];
  let undoing: (() => void)[] = [];
  let written = 0;
  const sync = syncOf(db);
  return {
    tx: {
      ...createReader(statements, known, nameOf),
      run: (sql, ...params) => {
        written += 1;
        return statements(sql, params.length).run(...params).changes;
      },
      insert: (sql, ...params) => {
        written += 1;
        return Number(statements(sql, params.length).run(...params).lastInsertRowid);
      },
      afterCommit: (effect) => void effects.push(effect),
      onRollback: (undo) => void undoing.push(undo),
      tally,
      steps: look?.steps ?? null,
    },
    isOpen: () => db.inTransaction,
    written: () => written,
    transact: (durable, work) => {
      [effects, undoing, written] = [[], [], 0];
      sync(durable);
      begin.run();
      try {
        work();
        commit();
      } catch (error) {
        effects = [];
        undoSince(undoing, 0);
        if (db.inTransaction) db.run("ROLLBACK");
        throw error;
      } finally {
        known.ended();
      }
      const due = effects;
      effects = [];
      for (const effect of due) takeEffect(clock, effect);
    },
    inSavepoint: (work) => {
      const [due, done] = [effects.length, undoing.length];
      statements("SAVEPOINT job").run();
      try {
        return work();
      } catch (error) {
        effects.length = due;
        undoSince(undoing, done);
        if (db.inTransaction) statements("ROLLBACK TO job").run();
        throw error;
      } finally {
        if (db.inTransaction) statements("RELEASE job").run();
      }
    },
  };
}

/** FULL syncs the log at each commit, NORMAL leaves it to a later one (sqlite.org/pragma.html#pragma_synchronous). */
function syncOf(db: Database): (durable: Durability) => void {
  let synced: Durability = "at once";
  return (durable) => {
    if (durable === synced) return;
    db.run(`PRAGMA synchronous = ${durable === "at once" ? "FULL" : "NORMAL"}`);
    synced = durable;
  };
}

/** Undoes in memory what was done since there were so many to undo. */
function undoSince(undoing: (() => void)[], length: number): void {
  for (const undo of undoing.splice(length).reverse()) undo();
}

/** Commits, and measures how long the disk took. */
function measuredCommit(statements: Statements, clock: Clock, tally: MetricsRegistry): () => void {
  const seconds = tally.histograms(COMMIT_SECONDS, SHORT_SECONDS).of();
  const commit = statements("COMMIT");
  return () => {
    const beganMs = clock.steadyMs();
    commit.run();
    seconds.observe((clock.steadyMs() - beganMs) / 1000);
  };
}

/** What is durable must not look failed, or its job would be run again: an effect that throws is a bug, thrown on a turn of its own. */
function takeEffect(clock: Clock, effect: () => void): void {
  try {
    effect();
  } catch (error) {
    clock.soon(() => {
      throw error;
    });
  }
}

/** The statements of the writer, each announced to the row cache before it runs. */
function invalidatingCache(statements: Statements, known: RowCache): Statements {
  return (sql, given) => {
    known.runs(sql);
    return statements(sql, given);
  };
}

// The order in which the writer takes its jobs: as they were asked for, but for those that somebody waits for by the millisecond. They go
// ahead of the others, in their own order.
//
// Who asks to go ahead states with it that nothing that still waits in turn can be about what the job writes, so that it rests on what is
// committed and on nothing else. The acceptance of a small batch that is urgent is such a job, and the first claim of a message of one:
// no answer and no receipt can be about a message that was never sent. What came over a session is written in turn, and so is a second
// claim, which a receipt that waits may forbid.

/** Whether a job waits for those that were asked for before it. */
export type WritePriority = "in turn" | "ahead";

/** How long one transaction may take jobs before it is committed and the event loop gets its turn. */
const TRANSACTION_MS = 4;

/** The same where one goes ahead, whose commit is awaited. */
const AHEAD_MS = 2;

/**
 * Returns the next job of a transaction that has lasted so many milliseconds; null when that is enough, or none is left. However
 * long those ahead took, one in turn has its turn, so that nobody waits for ever.
 */
export function createNextJob<Job>(
  ahead: readonly Job[],
  inTurn: readonly Job[],
): (lastedMs: number) => Job | null {
  let taken = 0;
  let takenAhead = 0;
  return (lastedMs) => {
    const isTurnDue = takenAhead > 0 && taken === 0 && inTurn.length > 0;
    const isLong = lastedMs >= (takenAhead > 0 ? AHEAD_MS : TRANSACTION_MS);
    if (isLong && taken + takenAhead > 0 && !isTurnDue) return null;
    const first = isLong ? undefined : ahead[takenAhead];
    if (first !== undefined) {
      takenAhead += 1;
      return first;
    }
    taken += 1;
    return inTurn[taken - 1] ?? null;
  };
}
