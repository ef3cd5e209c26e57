/**
 * Books every statement of every database that is opened through it: how often it ran, how long that took, how many rows it gave or
 * changed. It stands between the appliance and its disk only while somebody profiles.
 */
import type { Database, Statement } from "bun:sqlite";
import type { DatabaseOptions, OpenDatabase } from "../../src/db/disk.ts";

/** `nanoseconds`: in SQLite and in the binding. A statement is told apart by its connection as well. */
export type Booked = {
  readonly sql: string;
  readonly connection: "writer" | "reader";
  runs: number;
  nanoseconds: number;
  rows: number;
};

export type StatementBook = {
  readonly openDatabase: OpenDatabase;
  readonly booked: () => readonly Booked[];
  /** Begins anew; what is prepared stays known. */
  readonly reset: () => void;
};

/** `committed` is told after every COMMIT of a connection that writes. */
export function statementBook(open: OpenDatabase, committed: (path: string) => void): StatementBook {
  const book = new Map<string, Booked>();
  return {
    openDatabase: (path, options) => {
      const db = open(path, options);
      watch(db, book, options, () => committed(path));
      return db;
    },
    booked: () => [...book.values()].filter(({ runs }) => runs > 0),
    reset: () => {
      for (const entry of book.values()) Object.assign(entry, { runs: 0, nanoseconds: 0, rows: 0 });
    },
  };
}

function watch(
  db: Database,
  book: Map<string, Booked>,
  { readonly }: DatabaseOptions,
  committed: () => void,
): void {
  const connection = readonly ? "reader" : "writer";
  const entryOf = (sql: string): Booked => {
    const key = `${connection} ${sql}`;
    const entry = book.get(key) ?? { sql, connection, runs: 0, nanoseconds: 0, rows: 0 };
    book.set(key, entry);
    return entry;
  };
  const prepare = db.prepare.bind(db) as (sql: string) => Statement;
  const run = db.run.bind(db) as (sql: string, ...params: never[]) => unknown;
  const preparing = entryOf("(prepared for the first time)");
  Object.assign(db, {
    prepare: (sql: string) =>
      watchStatement(
        sqlPrepare(preparing, () => prepare(sql)),
        sql,
        entryOf(sql),
        committed,
      ),
    run: (sql: string, ...params: never[]) => sqlStep(entryOf(sql), () => run(sql, ...params)),
  });
}

function watchStatement(statement: Statement, sql: string, entry: Booked, committed: () => void): Statement {
  const { get, all, run, iterate } = statement;
  const isCommit = sql === "COMMIT";
  const step = isCommit ? sqlCommit : sqlStep;
  const counted =
    <T>(rows: (result: T) => number, work: (...params: never[]) => T) =>
    (...params: never[]): T => {
      const result = step(entry, () => work.apply(statement, params));
      entry.rows += rows(result);
      if (isCommit) committed();
      return result;
    };
  return Object.assign(statement, {
    get: counted((row) => (row === null ? 0 : 1), get as never),
    all: counted((rows: unknown[]) => rows.length, all as never),
    run: counted((result: { changes: number }) => result.changes, run as never),
    iterate: (...params: never[]) =>
      rowByRow(entry, (iterate as (...params: never[]) => Iterator<unknown>).apply(statement, params)),
  } as never);
}

/** What is read row by row takes its time in `next`; it ran once all the same. */
function* rowByRow(entry: Booked, rows: Iterator<unknown>): Generator<unknown> {
  const { runs } = entry;
  try {
    for (;;) {
      const row = sqlStep(entry, () => rows.next());
      if (row.done) return;
      entry.rows += 1;
      yield row.value;
    }
  } finally {
    entry.runs = runs + 1;
    rows.return?.();
  }
}

type Timed = <T>(entry: Booked, work: () => T) => T;

/*
 * By the names of these functions a sample of the processor is known to be in SQLite, and at what. Each has something to do after its
 * work: a function that ends in a call gives its place on the stack to what it calls.
 */
const sqlPrepare: Timed = (entry, work) => {
  const began = Bun.nanoseconds();
  try {
    return work();
  } finally {
    note(entry, began);
  }
};

const sqlStep: Timed = (entry, work) => {
  const began = Bun.nanoseconds();
  try {
    return work();
  } finally {
    note(entry, began);
  }
};

const sqlCommit: Timed = (entry, work) => {
  const began = Bun.nanoseconds();
  try {
    return work();
  } finally {
    note(entry, began);
  }
};

function note(entry: Booked, began: number): void {
  entry.nanoseconds += Bun.nanoseconds() - began;
  entry.runs += 1;
}

/** Rows that the runs of a statement wrote; those that triggers and foreign keys wrote are not among them. */
export function rowsWritten({ sql, rows }: Booked): number {
  return /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql) ? rows : 0;
}
