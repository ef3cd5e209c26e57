/**
 * Reading side of SQLite: prepared statements that are kept, typed rows, a row cache, and the tracing of slow statements.
 */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { assert } from "../core/assert.ts";
import type { Clock } from "../core/clock.ts";
import type { TraceLog } from "../core/log.ts";
import { NO_PSEUDONYMS, type Pseudonyms } from "./pseudonyms.ts";
import type { CacheParam, RowCache } from "./row-cache.ts";

export type Param = string | number | bigint | boolean | null | Uint8Array;

/**
 * Parameters of a statement: a value for each `?` in order, or one record with a value for each `$name`. A name that is missing
 * in it throws.
 */
export type Params = readonly Param[] | readonly [named: Readonly<Record<string, Param>>];

/** Reads rows. The caller names the row's shape beside the SQL that selects it. */
export type Reader = {
  /** The first row, or null. */
  readonly get: <T>(sql: string, ...params: Params) => T | null;
  /**
   * Like `get`, for a row that hardly ever changes: cached until a table that the statement reads is written (row-cache.ts). It
   * is frozen.
   */
  readonly known: <T>(sql: string, ...params: readonly CacheParam[]) => T | null;
  readonly all: <T>(sql: string, ...params: Params) => T[];
  /**
   * Rows one at a time, to be read in one turn of the event loop: until it ends, no other read sees a later commit,
   * and nothing else may use the same SQL text.
   */
  readonly each: <T>(sql: string, ...params: Params) => Iterable<T>;
  /** The pseudonym of an erased text (pseudonyms.ts); null where nothing has such a name. */
  readonly nameOf: Pseudonyms["of"];
};

/**
 * Prepared statements of a connection by their SQL text; each is prepared once and kept. `given`: how many parameters
 * follow. Given none, a statement that has some would run with what it was given before.
 */
export type Statements = (
  sql: string,
  given?: number,
) => Pick<Statement<unknown, SQLQueryBindings[]>, "get" | "all" | "run" | "iterate">;

/**
 * Keeps every statement: `Database.query` keeps twenty and prepares the others again at each call. SQL is written out in the
 * source, so their number is limited.
 */
export function prepareStatements(db: Database): Statements {
  const prepared = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  return (sql, given = 0) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = db.prepare<unknown, SQLQueryBindings[]>(hideValues(sql));
      prepared.set(sql, statement);
    }
    if (given === 0) assert(statement.paramsCount === 0, "a statement is given its parameters");
    return statement;
  };
}

/** A comparison with a parameter, or a number of rows that is one. */
const LOOKED_AT = /([=<>]|\b(?:IS|LIKE|LIMIT|OFFSET|BETWEEN|AND))(\s*)(?=[?$])/gi;

/**
 * A statement whose plan depends on the value of a parameter is prepared again at every run with another value (sqlite3.c,
 * sqlite3VdbeSetVarmask). The plan depends on a parameter that a column is compared with, and on one in a LIMIT, but not behind a
 * unary plus, which does nothing else: values and affinity stay as they are.
 */
export function hideValues(sql: string): string {
  return sql.replace(LOOKED_AT, "$1$2+");
}

/** A Reader on a connection; without `rows` it caches none. */
export function createReader(
  statements: Statements,
  rows: RowCache | null = null,
  nameOf: Pseudonyms["of"] = NO_PSEUDONYMS,
): Reader {
  const get = <T>(sql: string, ...params: Params) =>
    statements(sql, params.length).get(...params) as T | null;
  return {
    get,
    known: rows
      ? <T>(sql: string, ...params: readonly CacheParam[]) =>
          rows.get<T>(sql, params, () => get<T>(sql, ...params))
      : get,
    nameOf,
    all: <T>(sql: string, ...params: Params) => statements(sql, params.length).all(...params) as T[],
    each: <T>(sql: string, ...params: Params) =>
      statements(sql, params.length).iterate(...params) as Iterable<T>,
  };
}

// Logs statements that take long in the trace.

/** The trace to write to, and from how many milliseconds a statement is written there. */
export type StoreTrace = { readonly steps: TraceLog; readonly slowMs: number };

/** SQL holds no values, which are bound; of a long one only the beginning is logged. */
const MAX_CHARACTERS = 300;

/**
 * The same statements, of which each that takes `slowMs` or more is logged with its text and none of its values. Rows that are
 * read one at a time are not timed: their reader takes its time in between.
 */
export function traceSlow(
  statements: Statements,
  connection: "reader" | "writer",
  clock: Clock,
  { steps, slowMs }: StoreTrace,
): Statements {
  return (sql, given) => {
    const statement = statements(sql, given);
    const timed = <T>(work: () => T): T => {
      const beganMs = clock.steadyMs();
      try {
        return work();
      } finally {
        const ms = clock.steadyMs() - beganMs;
        if (ms >= slowMs) {
          const text = sql.replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
          steps.tell("store", "slow statement", { statement: text, ms: Math.round(ms), connection });
        }
      }
    };
    return {
      get: (...params) => timed(() => statement.get(...params)),
      all: (...params) => timed(() => statement.all(...params)),
      run: (...params) => timed(() => statement.run(...params)),
      iterate: (...params) => statement.iterate(...params),
    };
  };
}

/** sqlite.org/pragma.html#pragma_data_version: what a reading connection sees of the commits of others. */
export function readDataVersion(read: Reader): number {
  return read.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
}
