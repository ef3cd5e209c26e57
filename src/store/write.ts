import type { Database } from "bun:sqlite";
import type { Clock } from "../base/clock.ts";
import { isSyncFailure } from "./checkpoint.ts";
import { isDiskFailure } from "./disk-failure.ts";
import { type Param, type Reader, readerOn, statementsOf } from "./read.ts";

/** A transaction under way: reads see its own writes. */
export type Tx = Reader & {
  /** Runs one statement; how many rows it changed. */
  readonly run: (sql: string, ...params: Param[]) => number;
  /** Inserts one row; its row id. */
  readonly insert: (sql: string, ...params: Param[]) => number;
  /** Called once the transaction is durable; not at all if it is rolled back. Must not throw. */
  readonly afterCommit: (effect: () => void) => void;
};

/**
 * Work for the writer: synchronous, and without any effect but on the database and through `afterCommit`. It may
 * be run twice, when a job that shared its transaction threw.
 */
export type Job<T> = (tx: Tx) => T;

/**
 * When a commit survives a power cut: at once, or with the next one that does. A transaction that is not on the disk yet
 * is lost with all those after it, or not at all, since the write-ahead log is read up to its first gap. So work that
 * counts for nothing before a later commit need not wait for the disk, nor make others wait.
 */
export type Durable = "at once" | "with the next";

export type Writer = {
  /**
   * Runs a job in a transaction and resolves with its result once that is durable, or committed at least where the
   * caller leaves it to the next. Jobs that wait together share one transaction and one fsync. A job that throws rejects
   * alone and leaves nothing behind.
   */
  readonly write: <T>(job: Job<T>, durable?: Durable) => Promise<T>;
  /** Resolves when nothing waits. */
  readonly idle: () => Promise<void>;
};

/** How long jobs may gather in one transaction before it is committed and the event loop gets its turn. */
const TRANSACTION_MS = 4;

type Waiting = {
  readonly job: Job<unknown>;
  readonly durable: Durable;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The one writer of a database: a queue with group commit. `afterCommit` may look after the log, and is told with how many
 * statements the transaction wrote. After a sync that failed nothing is committed any more, since nobody knows what a later
 * one would stand on: everything that waits is refused, and `onSyncFailure` is told, once. `onDiskFailure` is told of each job
 * that the disk did not take.
 */
export function writerOn(
  db: Database,
  clock: Clock,
  afterCommit: (statements: number) => void = () => {},
  onSyncFailure: (error: unknown) => void = () => {},
  onDiskFailure: () => void = () => {},
): Writer {
  let lost: { readonly error: unknown } | null = null;
  let queue: Waiting[] = [];
  let scheduled = false;
  let idleWaiters: (() => void)[] = [];
  let effects: (() => void)[] = [];
  /** Statements of the transaction under way, or of the last one, that write. */
  let written = 0;
  const statements = statementsOf(db);
  const begin = statements("BEGIN IMMEDIATE");
  const commit = statements("COMMIT");
  const tx: Tx = {
    ...readerOn(statements),
    run: (sql: string, ...params: Param[]) => {
      written += 1;
      return statements(sql).run(...params).changes;
    },
    insert: (sql: string, ...params: Param[]) => {
      written += 1;
      return Number(statements(sql).run(...params).lastInsertRowid);
    },
    afterCommit: (effect) => {
      effects.push(effect);
    },
  };

  let synced: Durable = "at once";
  /** FULL syncs the log at each commit, NORMAL leaves it to a later one (sqlite.org/pragma.html#pragma_synchronous). */
  const sync = (durable: Durable): void => {
    if (durable === synced) return;
    db.run(`PRAGMA synchronous = ${durable === "at once" ? "FULL" : "NORMAL"}`);
    synced = durable;
  };

  const inTransaction = (durable: Durable, work: () => void): void => {
    effects = [];
    written = 0;
    sync(durable);
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      effects = [];
      if (db.inTransaction) db.run("ROLLBACK");
      throw error;
    }
    const due = effects;
    effects = [];
    for (const effect of due) takeEffect(effect);
  };

  // What is durable must not look failed, or its job would be run again: an effect that throws is a bug that
  // surfaces on a turn of its own.
  const takeEffect = (effect: () => void): void => {
    try {
      effect();
    } catch (error) {
      clock.soon(() => {
        throw error;
      });
    }
  };

  /** True when the disk failed to sync, now or before: everything that waits is refused. */
  const isLost = (error: unknown): boolean => {
    if (lost === null && isSyncFailure(error)) {
      lost = { error };
      onSyncFailure(error);
    }
    if (lost === null) return false;
    const refused = queue;
    queue = [];
    for (const waiting of refused) waiting.reject(lost.error);
    return true;
  };

  const tidyUp = (): void => {
    try {
      afterCommit(written);
    } catch (error) {
      // Any other error leaves the log as it is: the next commit asks again.
      isLost(error);
    }
  };

  const runAlone = (waiting: Waiting): void => {
    if (lost !== null) {
      waiting.reject(lost.error);
      return;
    }
    let result: unknown;
    try {
      inTransaction(waiting.durable, () => {
        result = waiting.job(tx);
      });
    } catch (error) {
      if (!isLost(error) && isDiskFailure(error)) onDiskFailure();
      waiting.reject(error);
      return;
    }
    waiting.resolve(result);
  };

  const flush = (): void => {
    scheduled = false;
    const taken: Waiting[] = [];
    const results: unknown[] = [];
    let next = 0;
    const durable = queue.every((waiting) => waiting.durable === "with the next")
      ? "with the next"
      : "at once";
    try {
      inTransaction(durable, () => {
        const untilMs = clock.steadyMs() + TRANSACTION_MS;
        do {
          const waiting = queue[next];
          if (!waiting) break;
          next += 1;
          taken.push(waiting);
          results.push(waiting.job(tx));
        } while (clock.steadyMs() < untilMs);
      });
      queue = queue.slice(next);
      for (const [index, waiting] of taken.entries()) waiting.resolve(results[index]);
      tidyUp();
    } catch (error) {
      isLost(error);
      // One of them threw, or the commit failed: each once more alone, so that only the guilty one is refused.
      // Where not even a transaction could begin, the first is told, so that the queue moves on.
      const guilty = taken.length > 0 ? taken : queue.slice(0, 1);
      queue = queue.slice(guilty.length);
      for (const waiting of guilty) runAlone(waiting);
    }
    if (queue.length > 0) schedule();
    else {
      const waiters = idleWaiters;
      idleWaiters = [];
      for (const waiter of waiters) waiter();
    }
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    clock.soon(flush);
  };

  return {
    write: <T>(job: Job<T>, durable: Durable = "at once") =>
      new Promise<T>((resolve, reject) => {
        if (lost !== null) {
          reject(lost.error);
          return;
        }
        queue.push({ job, durable, resolve: (value) => resolve(value as T), reject });
        schedule();
      }),
    idle: () =>
      queue.length === 0 && !scheduled
        ? Promise.resolve()
        : new Promise((resolve) => {
            idleWaiters.push(resolve);
          }),
  };
}
