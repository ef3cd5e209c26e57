/** Jobs that run every second or so must cost what is open, not what ever was: years of ended batches lie beside. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unfoldedBatches } from "../../src/messages/batch-totals.ts";
import { dueStarter } from "../../src/messages/due.ts";
import { stagedBatches } from "../../src/messages/insert.ts";
import { overdueReceipts } from "../../src/messages/overdue.ts";
import { nextValidating } from "../../src/messages/submitted.ts";
import type { Reader } from "../../src/store/read.ts";
import type { Tx } from "../../src/store/write.ts";
import { type Books, openBooks } from "../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

/** A reader that notes how SQLite means to find the rows of each statement, and passes it on. */
function explaining(read: Reader, plans: string[]): Reader {
  const explain = (sql: string) => {
    const db = new Database(join(books.store.directory, "bendre.db"));
    const statement = db.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`);
    plans.push(...statement.all().map(({ detail }) => detail));
    statement.finalize();
    db.close();
  };
  return {
    ...read,
    get: (sql, ...params) => {
      explain(sql);
      return read.get(sql, ...params);
    },
    all: (sql, ...params) => {
      explain(sql);
      return read.all(sql, ...params);
    },
  };
}

const JOBS: readonly (readonly [string, (read: Reader) => unknown])[] = [
  ["start scheduled batches", (read) => dueStarter().step(read as Tx, 1, () => false)],
  ["validate large batches", (read) => nextValidating(read, 0)],
  ["drop what nobody was answered for", stagedBatches],
  ["fold movements into the ledger", (read) => unfoldedBatches(read, 10)],
  ["give up waiting for receipts", (read) => overdueReceipts(read, 1, 10)],
];

test.each(JOBS)("%s: no batch that has ended is looked at", (_, look) => {
  const plans: string[] = [];
  look(explaining(books.store.read, plans));
  const searches = plans.filter((plan) => / batches\b/.test(plan));
  expect(searches).not.toEqual([]);
  for (const search of searches)
    expect(search).toMatch(/USING (COVERING )?INDEX batches_(open|unfolded|called_off)\b/);
});
