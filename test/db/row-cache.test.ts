import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOnDisk } from "../../src/db/disk.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { createTransactions } from "../../src/db/writer.ts";
import { type StatementBook, statementBook } from "../kit/statement-book.ts";
import { testClock } from "../kit/test-clock.ts";

const STATUS = "SELECT status FROM accounts WHERE ulid = ?";
const ULID = "01J0000000000000000000000A";

type Row = { readonly status: string };

let directory = "";
let store: Store;
let book: StatementBook;

/** How often a statement was asked of the database. */
const asked = (sql: string): number => {
  const booked = book.booked().filter((each) => each.sql.replaceAll("+?", "?") === sql);
  return booked.reduce((sum, { runs }) => sum + runs, 0);
};

const insertAccount = (ulid: string) =>
  store.write((tx) =>
    tx.run(
      `INSERT INTO accounts (ulid, name, status, timezone, billing_mode, credit_limit, classes, created_at)
       VALUES (?, 'A', 'ACTIVE', 'UTC', 'PREPAID', 0, 'OTP', 0)`,
      ulid,
    ),
  );

beforeEach(async () => {
  book = statementBook(openOnDisk, () => {});
  directory = mkdtempSync(join(tmpdir(), "bendre-known-"));
  store = openStore(directory, testClock(), { openDatabase: book.openDatabase });
  await insertAccount(ULID);
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

describe("a row that hardly ever changes", () => {
  test("is asked of the database once, by readers and the writer together", async () => {
    expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("ACTIVE");
    expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("ACTIVE");
    expect(await store.write((tx) => tx.known<Row>(STATUS, ULID)?.status)).toBe("ACTIVE");
    expect(asked(STATUS)).toBe(1);
  });

  test("is remembered as missing, until it is written", async () => {
    const other = "01J0000000000000000000000B";
    expect(store.read.known<Row>(STATUS, other)).toBe(null);
    expect(store.read.known<Row>(STATUS, other)).toBe(null);
    expect(asked(STATUS)).toBe(1);
    await insertAccount(other);
    expect(store.read.known<Row>(STATUS, other)?.status).toBe("ACTIVE");
  });

  test("is seen by the transaction that changed it as it will be, and by readers once that is committed", async () => {
    store.read.known<Row>(STATUS, ULID);
    await store.write((tx) => {
      tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE ulid = ?", ULID);
      expect(tx.known<Row>(STATUS, ULID)?.status).toBe("SUSPENDED");
      expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("ACTIVE");
    });
    expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("SUSPENDED");
  });

  test("stays as it was where the transaction that changed it failed", async () => {
    const failing = store.write((tx) => {
      tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE ulid = ?", ULID);
      tx.known<Row>(STATUS, ULID);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("ACTIVE");
    expect(await store.write((tx) => tx.known<Row>(STATUS, ULID)?.status)).toBe("ACTIVE");
  });

  test("is forgotten by a change that another job of the same transaction made and kept", async () => {
    store.read.known<Row>(STATUS, ULID);
    const both = await Promise.allSettled([
      store.write((tx) =>
        tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE ulid = ?", ULID),
      ),
      store.write((tx) => tx.known<Row>(STATUS, ULID)?.status),
      store.write(() => {
        throw new Error("no");
      }),
    ]);
    expect(both[1]).toEqual({ status: "fulfilled", value: "SUSPENDED" });
    expect(store.read.known<Row>(STATUS, ULID)?.status).toBe("SUSPENDED");
  });

  test("survives what is written to other tables", async () => {
    store.read.known<Row>(STATUS, ULID);
    await store.write((tx) => tx.run("INSERT INTO wallets (account_id) VALUES (1)"));
    store.read.known<Row>(STATUS, ULID);
    expect(asked(STATUS)).toBe(1);
  });

  test("survives, also within a transaction, what is written to a table that other remembered rows are of", async () => {
    const wallets = "SELECT 1 FROM wallets WHERE account_id = ?";
    store.read.known<Row>(STATUS, ULID);
    expect(store.read.known(wallets, 1)).toBe(null);
    await store.write((tx) => {
      tx.run("INSERT INTO wallets (account_id) VALUES (1)");
      expect(tx.known(wallets, 1)).not.toBe(null);
      expect(tx.known<Row>(STATUS, ULID)?.status).toBe("ACTIVE");
    });
    expect(store.read.known(wallets, 1)).not.toBe(null);
    expect(asked(STATUS)).toBe(1);
  });

  test("cannot be changed by who reads it", () => {
    expect(Object.isFrozen(store.read.known<Row>(STATUS, ULID))).toBe(true);
  });
});

describe("whatever writes the table of a remembered row", () => {
  test.each([
    "INSERT INTO t (a) VALUES (2)",
    "INSERT OR REPLACE INTO t (rowid, a) VALUES (1, 2)",
    "REPLACE INTO t (rowid, a) VALUES (1, 2)",
    "UPDATE t SET a = 2",
    "UPDATE OR IGNORE t SET a = 2",
    "DELETE FROM t",
    "WITH two AS (SELECT 2 AS a) INSERT INTO t SELECT a FROM two",
    "UPDATE t SET a = 2 RETURNING a",
  ])("makes it be read again: %s", (sql) => {
    const db = new Database(":memory:");
    db.run("CREATE TABLE t (a INTEGER)");
    db.run("INSERT INTO t VALUES (1)");
    const { tx, transact } = createTransactions(db, testClock());
    const sum = () => tx.known<{ s: number | null }>("SELECT sum(a) AS s FROM t WHERE a > ?", 0)?.s;
    expect(sum()).toBe(1);
    transact("at once", () => {
      if (sql.includes("RETURNING")) tx.get(sql);
      else tx.run(sql);
    });
    expect(sum()).not.toBe(1);
    db.close();
  });
});
