import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startThread } from "../../../src/core/thread.ts";
import { DATABASE_FILE } from "../../../src/db/connections.ts";
import { openOnDisk } from "../../../src/db/disk.ts";
import {
  createFeedRenderer,
  type FeedRequest,
  type FromFeedRenderer,
} from "../../../src/ingress/api/feed-page.ts";
import { type FeedBody, type FeedReader, feedReader } from "../../../src/ingress/api/feed-reader.ts";
import { type Books, openBooks, type TestAccount, type TestBatch } from "../../kit/books.ts";
import { testClock } from "../../kit/test-clock.ts";

const clock = testClock();
const threads: Worker[] = [];
let books: Books;
let account: TestAccount;
let batch: TestBatch;
let reader: FeedReader | null = null;

beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 10_000_000 });
  batch = await books.batch(account, { segments: Array(600).fill(1), isStaged: true });
});
afterEach(async () => {
  reader?.stop();
  reader = null;
  await books.close();
});

/** A reader whose threads are counted; `source` may be another program than the real one. */
function start(source?: string): FeedReader {
  threads.length = 0;
  const begin = (): Worker => {
    const blob = source === undefined ? null : new Blob([source], { type: "text/javascript" });
    const thread = blob ? new Worker(URL.createObjectURL(blob)) : startThread("ingress/api/page-thread.ts");
    threads.push(thread);
    return thread;
  };
  reader = feedReader(begin, clock, books.store);
  return reader;
}

const query = (limit: number, batchUlid: string | null = null): FeedRequest => ({
  earliestUs: 0,
  nowUs: clock.nowMs() * 1000,
  accountId: account.id,
  sinceUs: 0,
  limit,
  batchUlid,
});

const read = (body: FeedBody): { messages: { message_id: string }[]; has_more: boolean } =>
  JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined)).data;

describe("a page of the feed", () => {
  test("is the same whether a thread makes it or not, and a small one starts none", async () => {
    const { page } = start();
    const small = read(await page(query(100)));
    expect(threads.length).toBe(0);
    const large = read(await page(query(500)));
    expect(threads.length).toBe(1);
    expect(large.messages.length).toBe(500);
    expect(large.messages.slice(0, 100)).toEqual(small.messages);
    expect([small.has_more, large.has_more]).toEqual([true, true]);
  });

  test("has what was committed before it was asked for, however often", async () => {
    const { page } = start();
    expect(read(await page(query(500))).messages.length).toBe(500);
    const added = await books.batch(account, { segments: Array(300).fill(1) });
    expect(read(await page(query(500, added.ulid))).messages.length).toBe(300);
    expect(threads.length).toBe(1);
  });

  test("of another account's batch is none", async () => {
    const other = await books.account();
    const theirs = await books.batch(other, { segments: Array(300).fill(1) });
    expect(await start().page(query(500, theirs.ulid))).toBeNull();
  });

  test("answers each who asked at the same time with his own", async () => {
    const { page } = start();
    const sizes = [500, 101, 300].map(async (limit) => read(await page(query(limit))).messages.length);
    expect(await Promise.all(sizes)).toEqual([500, 101, 300]);
    expect(threads.length).toBe(1);
  });

  test("ends the thread by itself when nothing large was asked for in ten seconds", async () => {
    const { page } = start();
    await page(query(500));
    const ended = new Promise((resolve) => threads[0]?.addEventListener("close", resolve));
    await clock.advance(10_000);
    await ended;
    expect(read(await page(query(500))).messages.length).toBe(500);
    expect(threads.length).toBe(2);
  });

  test.each([
    ["throw new Error('at once')"],
    ["self.onmessage = () => process.exit(3)"],
    ["self.onmessage = () => { throw new Error('of it') }"],
  ])("fails when the thread dies, and the next gets a new one (%s)", async (program) => {
    const { page } = start(program);
    for (const died of [1, 2]) {
      await expect(page(query(500))).rejects.toThrow("the thread that makes pages");
      expect(threads.length).toBe(died);
    }
  });

  test("that cannot be read is told as an error, and the thread goes on", async () => {
    const said: FromFeedRenderer[] = [];
    const make = createFeedRenderer(openOnDisk, (one) => said.push(one));
    make({ kind: "begin", directory: books.store.directory });
    make({ kind: "page", number: 1, query: { ...query(500), sinceUs: Number.NaN } });
    make({ kind: "page", number: 2, query: query(500) });
    make({ kind: "end" });
    expect(said).toMatchObject([{ error: expect.any(String) }, { body: expect.any(Uint8Array) }]);
  });

  test("shows one moment: a message that moves while it is read is in it as it was", () => {
    const writing = new Database(join(books.store.directory, DATABASE_FILE));
    const movesFirst = (sql: string): void => {
      if (!sql.includes("ORDER BY m.stamp_us")) return;
      writing.run("UPDATE messages SET stamp_us = ? WHERE id = ?", [
        Date.UTC(2030, 0, 1) * 1000,
        batch.messages[0]!,
      ]);
    };
    const said: FromFeedRenderer[] = [];
    const make = createFeedRenderer(
      (path, options) => {
        const db = openOnDisk(path, options);
        const prepare = db.prepare.bind(db) as (sql: string) => ReturnType<typeof db.prepare>;
        return Object.assign(db, {
          prepare: (sql: string) => {
            const statement = prepare(sql);
            const { all } = statement;
            return Object.assign(statement, {
              all: (...params: never[]) => {
                const rows = all.apply(statement, params);
                movesFirst(sql);
                return rows;
              },
            });
          },
        });
      },
      (one) => said.push(one),
    );
    make({ kind: "begin", directory: books.store.directory });
    make({ kind: "page", number: 1, query: query(500) });
    make({ kind: "page", number: 2, query: query(500) });
    make({ kind: "end" });
    writing.close();
    const [first, second] = said.map((one) => ("body" in one ? read(one.body).messages : []));
    expect(first?.length).toBe(500);
    expect(second).toEqual([...(first ?? []).slice(1), expect.anything()]);
  });
});
