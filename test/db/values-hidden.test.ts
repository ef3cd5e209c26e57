import { Database } from "bun:sqlite";
import { describe, expect, test } from "vitest";
import { hideValues, prepareStatements } from "../../src/db/reader.ts";

describe("the value of a parameter", () => {
  test.each([
    ["SELECT a FROM t WHERE a = ?", "SELECT a FROM t WHERE a = +?"],
    ["SELECT a FROM t WHERE a >= ?1 AND b<$b", "SELECT a FROM t WHERE a >= +?1 AND b<+$b"],
    ["SELECT a FROM t WHERE a IS ? LIMIT ? OFFSET ?", "SELECT a FROM t WHERE a IS +? LIMIT +? OFFSET +?"],
    ["SELECT a FROM t WHERE a BETWEEN ? AND ?", "SELECT a FROM t WHERE a BETWEEN +? AND +?"],
    ["INSERT INTO t (a, b) VALUES (?, $b)", "INSERT INTO t (a, b) VALUES (?, $b)"],
    ["SELECT a FROM t WHERE a = ?1 + 0", "SELECT a FROM t WHERE a = +?1 + 0"],
  ])("is hidden from the plan: %s", (sql, hidden) => {
    expect(hideValues(sql)).toBe(hidden);
  });

  test("is compared as before, with the same index", () => {
    const db = new Database(":memory:");
    db.run("CREATE TABLE t (a INTEGER, b TEXT) STRICT");
    db.run("CREATE INDEX t_a ON t (a)");
    db.run("CREATE INDEX t_b ON t (b)");
    db.run("INSERT INTO t VALUES (1, '1'), (2, '2'), (3, 'x')");
    const plan = (sql: string) =>
      db
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail);
    const statements = prepareStatements(db);
    for (const [sql, value] of [
      ["SELECT a FROM t WHERE a = ?", 2],
      ["SELECT a FROM t WHERE a = ?", "2"],
      ["SELECT a FROM t WHERE b = ?", "2"],
      ["SELECT a FROM t WHERE b = ?", 2],
      ["SELECT a FROM t WHERE a > ? ORDER BY a", 1],
      ["SELECT a FROM t WHERE b IS ?", null],
    ] as const) {
      expect(statements(sql, 1).all(value), sql).toEqual(db.prepare(sql).all(value));
      expect(plan(hideValues(sql).replace("?", "NULL")), sql).toEqual(plan(sql.replace("?", "NULL")));
    }
    db.close();
  });
});
