import type { Database, SQLQueryBindings } from "bun:sqlite";

export type Param = string | number | bigint | boolean | null | Uint8Array;

/** Reads rows. The caller names the row's shape beside the SQL that selects it. */
export type Reader = {
  /** The first row, or null. */
  readonly get: <T>(sql: string, ...params: Param[]) => T | null;
  readonly all: <T>(sql: string, ...params: Param[]) => T[];
  /** Rows one at a time; nothing else may use the same SQL text until it ends. */
  readonly each: <T>(sql: string, ...params: Param[]) => Iterable<T>;
};

/** A Reader on a connection. Statements are prepared once per SQL text. */
export function readerOn(db: Database): Reader {
  return {
    get: <T>(sql: string, ...params: Param[]) => db.query<T, SQLQueryBindings[]>(sql).get(...params),
    all: <T>(sql: string, ...params: Param[]) => db.query<T, SQLQueryBindings[]>(sql).all(...params),
    each: <T>(sql: string, ...params: Param[]) => db.query<T, SQLQueryBindings[]>(sql).iterate(...params),
  };
}
