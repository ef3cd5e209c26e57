import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countUnmatchedReceipts,
  listUnmatchedReceipts,
} from "../../../src/channels/sms/unmatched-receipts.ts";
import { openOnDisk } from "../../../src/db/disk.ts";
import { applyMigrations } from "../../../src/db/migrate.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import { statementBook } from "../../kit/statement-book.ts";
import { testClock } from "../../kit/test-clock.ts";
import { faultOf } from "../../tidy/growing.ts";

/** The receipts of another program on the same connection, between two that are an operator's own. */
const OTHERS = 9_000;

const directory = mkdtempSync(join(tmpdir(), "bendre-parked-"));
const clock = testClock();
const book = statementBook(openOnDisk, () => {});
let store: Store;

beforeAll(async () => {
  store = openStore(directory, clock, { openDatabase: book.openDatabase });
  await store.write((tx) => {
    const insertUnmatchedReceipt = (operator: string, key: string) =>
      tx.run(
        `INSERT INTO unmatched_receipts (operator, smsc_id, smsc_key, msisdn, other_number, state, raw_state, received_at, is_marked)
         VALUES (?1, ?2, ?2, '22670000001', '', 'DELIVERED', 'DELIVRD', 0, 1)`,
        operator,
        key,
      );
    insertUnmatchedReceipt("moov", "first");
    // The first thousand name no message, so that they stand together under one key.
    for (let each = 0; each < OTHERS; each++)
      insertUnmatchedReceipt("orange", each < 1000 ? "" : `id-${each}`);
    insertUnmatchedReceipt("moov", "last");
  });
}, 60_000);
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

describe("receipts that are parked by the thousand", () => {
  test("are counted to the last one", async () => {
    expect(await countUnmatchedReceipts(store.read, clock, "orange")).toBe(OTHERS);
    expect(await countUnmatchedReceipts(store.read, clock, "moov")).toBe(2);
    expect(await countUnmatchedReceipts(store.read, clock, "telecel")).toBe(0);
  });

  test("hide none of another operator's, however few they are", async () => {
    const listed = await listUnmatchedReceipts(store.read, clock, "moov", 10);
    expect(listed.map(({ id }) => id)).toEqual(["last", "first"]);
    expect(await listUnmatchedReceipts(store.read, clock, "telecel", 10)).toEqual([]);
    const newest = await listUnmatchedReceipts(store.read, clock, null, 2);
    expect(newest.map(({ operator }) => operator)).toEqual(["moov", "orange"]);
  });

  test("are looked at in steps, each by an index and from where the last one ended", async () => {
    book.reset();
    await countUnmatchedReceipts(store.read, clock, "orange");
    await listUnmatchedReceipts(store.read, clock, "moov", 10);
    const asked = book.booked().filter(({ sql }) => sql.includes("unmatched_receipts"));
    // Four whole steps of 2,000, the one that is not whole, and the rest; five steps down the list, and its end.
    expect(asked.map(({ runs }) => runs).sort((one, other) => one - other)).toEqual([1, 2, 5, 6]);
    const db = new Database(":memory:");
    applyMigrations(db, 0);
    const details = asked.flatMap(({ sql }) =>
      db
        .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    );
    expect(asked.map(({ sql }) => faultOf(db, sql))).toEqual([null, null, null, null]);
    db.close();
    expect(details.filter((detail) => detail.includes("(operator=? AND smsc_key>?)"))).toHaveLength(2);
  });
});
