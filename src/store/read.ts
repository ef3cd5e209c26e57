import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

export type Param = string | number | bigint | boolean | null | Uint8Array;

/** Reads rows. The caller names the row's shape beside the SQL that selects it. */
export type Reader = {
  /** The first row, or null. */
  readonly get: <T>(sql: string, ...params: Param[]) => T | null;
  readonly all: <T>(sql: string, ...params: Param[]) => T[];
  /**
   * Rows one at a time, to be read in one turn of the event loop: until it ends, no other read sees a later commit,
   * and nothing else may use the same SQL text.
   */
  readonly each: <T>(sql: string, ...params: Param[]) => Iterable<T>;
};

/** Prepared statements of a connection by their SQL text; each is prepared once and kept. */
export type Statements = (sql: string) => Statement<unknown, SQLQueryBindings[]>;

/**
 * Keeps every statement: `Database.query` keeps twenty and prepares the others again at each call. SQL is written out
 * in the source, so there are only so many.
 */
export function statementsOf(db: Database): Statements {
  const prepared = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  return (sql) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = db.prepare<unknown, SQLQueryBindings[]>(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
}

/** A Reader on a connection. */
export function readerOn(statements: Statements): Reader {
  return {
    get: <T>(sql: string, ...params: Param[]) => statements(sql).get(...params) as T | null,
    all: <T>(sql: string, ...params: Param[]) => statements(sql).all(...params) as T[],
    each: <T>(sql: string, ...params: Param[]) => statements(sql).iterate(...params) as Iterable<T>,
  };
}
