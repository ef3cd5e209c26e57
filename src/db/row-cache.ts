/**
 * Caches rows that hardly ever change and are asked for with every message (an account, a key, a price) until a table that they
 * were read from is written. The SQL itself says which tables those are, so nobody has to say what a change makes stale.
 *
 * Sound because there is one writer: from the first write to such a table until its transaction has ended nothing of it is
 * cached, and what is read of it then is read from the database. What is cached is what is committed.
 */
import { assert } from "../core/assert.ts";

export type CacheParam = string | number;

export type RowCache = {
  /** The first row of a statement with these parameters, or null: from the cache, otherwise as `ask` reads it. It is frozen. */
  readonly get: <T>(sql: string, params: readonly CacheParam[], ask: () => T | null) => T | null;
  /** Must be called with each statement that the writer runs, before it runs. */
  readonly runs: (sql: string) => void;
  /** Must be called when the transaction has ended, however it did. */
  readonly ended: () => void;
};

/** Rows cached at most; keys that nobody has are cached too, and anybody can make those up. */
const MAX_ROWS = 10_000;

/** A cache of the rows of one database. */
export function createRowCache(most: number = MAX_ROWS): RowCache {
  /** The statements whose rows are cached, by each table that they read. */
  const readersOf = new Map<string, Set<string>>();
  const targets = new Map<string, string | null>();
  const bySql = new Map<string, Map<string, unknown>>();
  let rows = 0;
  /** Tables that the transaction under way has written, and the statements that read one of them. */
  const written = new Set<string>();
  const stale = new Set<string>();
  const forget = (known: Map<string, unknown>): void => {
    rows -= known.size;
    known.clear();
  };
  const rowsOf = (sql: string): Map<string, unknown> => {
    let known = bySql.get(sql);
    if (!known) {
      for (const table of tablesOf(sql)) {
        readersOf.set(table, (readersOf.get(table) ?? new Set()).add(sql));
        if (written.has(table)) stale.add(sql);
      }
      known = new Map();
      bySql.set(sql, known);
    }
    return known;
  };
  return {
    get: <T>(sql: string, params: readonly CacheParam[], ask: () => T | null): T | null => {
      const known = rowsOf(sql);
      if (stale.size > 0 && stale.has(sql)) return ask();
      const name = params.length === 1 ? String(params[0]) : JSON.stringify(params);
      const row = known.get(name);
      if (row !== undefined) return row as T | null;
      if (rows >= most) for (const each of bySql.values()) forget(each);
      const asked = ask();
      known.set(name, Object.freeze(asked));
      rows += 1;
      return asked;
    },
    runs: (sql) => {
      let target = targets.get(sql);
      if (target === undefined) {
        target = targetOf(sql);
        targets.set(sql, target);
      }
      if (target === null || written.has(target)) return;
      written.add(target);
      for (const reader of readersOf.get(target) ?? []) {
        stale.add(reader);
        const known = bySql.get(reader);
        if (known) forget(known);
      }
    },
    ended: () => {
      written.clear();
      stale.clear();
    },
  };
}

/** The tables that a statement reads. */
function tablesOf(sql: string): readonly string[] {
  const tables = [...sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+)(\s*,)?/gi)];
  assert(tables.length > 0, "a statement reads a table");
  assert(
    tables.every(([, , comma]) => comma === undefined),
    "tables of a statement whose rows are remembered are joined by JOIN",
  );
  return tables.map(([, table]) => String(table));
}

/** The table that a statement writes, or null for one that only reads. */
function targetOf(sql: string): string | null {
  if (!/^\s*(?:INSERT|REPLACE|UPDATE|DELETE|WITH)\b/i.test(sql)) return null;
  return /\b(?:INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i.exec(sql)?.[1] ?? null;
}
