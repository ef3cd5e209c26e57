import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openOnDisk } from "../../src/db/disk.ts";
import { logFrames } from "./log-frames.ts";
import { rowsWritten, statementBook } from "./statement-book.ts";

test("every statement is booked with its runs and rows, and every commit with the frames of the log that it wrote", () => {
  const directory = mkdtempSync(join(tmpdir(), "bendre-book-"));
  const path = join(directory, "a.db");
  const frames = logFrames(path);
  const book = statementBook(openOnDisk, frames.committed);
  const db = book.openDatabase(path, { create: true, readwrite: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)");
  book.reset();
  frames.reset();
  db.prepare("BEGIN").run();
  const insert = db.prepare("INSERT INTO names (name) VALUES (?)");
  for (const name of ["Awa", "Issa", "Fatou"]) insert.run(name);
  db.prepare("COMMIT").run();
  const reader = book.openDatabase(path, { readonly: true });
  expect(reader.prepare("SELECT * FROM names").all()).toHaveLength(3);
  expect([...reader.prepare("SELECT name FROM names").iterate()]).toHaveLength(3);
  expect(reader.prepare("SELECT 1 FROM names WHERE id = 7").get()).toBe(null);
  const booked = book.booked().filter(({ sql }) => !sql.startsWith("("));
  expect(booked.map(({ connection, sql, runs, rows }) => [connection, sql, runs, rows])).toEqual([
    ["writer", "BEGIN", 1, 0],
    ["writer", "INSERT INTO names (name) VALUES (?)", 3, 3],
    ["writer", "COMMIT", 1, 0],
    ["reader", "SELECT * FROM names", 1, 3],
    ["reader", "SELECT name FROM names", 1, 3],
    ["reader", "SELECT 1 FROM names WHERE id = 7", 1, 0],
  ]);
  expect(booked.map(rowsWritten)).toEqual([0, 3, 0, 0, 0, 0]);
  // One page: that of the table.
  expect(frames.frames()).toBe(1);
  reader.close();
  db.close();
  rmSync(directory, { recursive: true });
});
