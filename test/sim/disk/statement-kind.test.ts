import { expect, test } from "vitest";
import { kindOf } from "./statement-kind.ts";

test.each([
  "INSERT INTO messages (id) VALUES (1)",
  "  -- why\n INSERT OR IGNORE INTO t SELECT 1",
  "REPLACE INTO t VALUES (1)",
  "UPDATE t SET a = 1",
  "DELETE FROM t",
  "CREATE TABLE t (a)",
  "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
  "VACUUM",
])("a full disk may refuse %s", (sql) => {
  expect(kindOf(sql)).toEqual({ kind: "write" });
});

test.each([
  "SELECT 1",
  "WITH x AS (SELECT 1) SELECT * FROM x",
  "VACUUM INTO 'copy.db'",
  "PRAGMA journal_mode",
])("the database's own files are not written by %s", (sql) => {
  expect(kindOf(sql)).toEqual({ kind: "read" });
});
