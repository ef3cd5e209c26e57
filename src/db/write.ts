import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { type MetricsRegistry, createMetricsRegistry, SHORT_SECONDS } from "../core/count-book.ts";
import type { TraceLog } from "../core/steps.ts";
import { type Pseudonyms, NO_PSEUDONYMS } from "./keyed-names.ts";
import { type RowCache, createRowCache } from "./known-rows.ts";
import { type Params, type Reader, createReader, type Statements, prepareStatements } from "./read.ts";
import { type StoreTrace, traceSlow } from "./slow-statements.ts";

/** A transaction under way: reads see its own writes. */
export type Tx = Reader & {
  /** Runs one statement; how many rows it changed. */
  readonly run: (sql: string, ...params: Params) => number;
  /** Inserts one row; its row id. */
  readonly insert: (sql: string, ...params: Params) => number;
  /** Called once the transaction is durable; not at all if it is rolled back. Must not throw. */
  readonly afterCommit: (effect: () => void) => void;
  /**
   * Called if what the job wrote is undone, the last first: for a memory of rows that follows a transaction while it is
   * under way. Must not throw.
   */
  readonly onRollback: (undo: () => void) => void;
  /** Where it counts what it does, by way of `afterCommit`. */
  readonly tally: MetricsRegistry;
  /** Where steps are told, after the commit; null where nobody looks. */
  readonly steps: TraceLog | null;
};

/**
 * Work for the writer: synchronous, and without any effect but on the database and through `afterCommit`. It may
 * be run again, when a job that shared its transaction threw.
 */
export type Job<T> = (tx: Tx) => T;

/**
 * When a commit survives a power cut: at once, or with the next one that does. A transaction that is not on the disk yet
 * is lost with all those after it, or not at all, since the write-ahead log is read up to its first gap. So work that
 * counts for nothing before a later commit need not wait for the disk, nor make others wait.
 */
export type Durability = "at once" | "with the next";

/** The transactions of a connection, one after the other. */
export type Transactions = {
  readonly tx: Tx;
  /**
   * Runs `work` in a transaction, commits it, and then carries out what was to follow. What throws before the commit, or in
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

/** Makes the transactions of the connection that writes; `known`: what is remembered of this database. */
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

/** Takes back in memory what was done since there were so many to undo. */
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

/**
 * What is durable must not look failed, or its job would be run again: an effect that throws is a bug that surfaces on a
 * turn of its own.
 */
function takeEffect(clock: Clock, effect: () => void): void {
  try {
    effect();
  } catch (error) {
    clock.soon(() => {
      throw error;
    });
  }
}

/** The statements of the writer, of which what is remembered is told before each runs. */
function invalidatingCache(statements: Statements, known: RowCache): Statements {
  return (sql, given) => {
    known.runs(sql);
    return statements(sql, given);
  };
}
