/** Who is told of a large batch stands with it at once, and is written out in steps that nobody waits for. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Job } from "../../../src/db/writer.ts";
import type { AcceptedBatch } from "../../../src/domain/submission/commit-batch.ts";
import { expandSubscriptions, subscribeBatch } from "../../../src/ingress/compat/callback-subscriptions.ts";
import { type Books, openBooks } from "../../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const URL = "http://127.0.0.1:9/dlr?type=%d&to=%p";
const callback = { protocol: "kannel", url: URL, mask: 31, method: "GET" } as const;

/** Accepts a batch of a client of Kannel: so many messages, and so many receivers who were rejected. */
async function followed(count: number, rejected: number) {
  const account = await books.account();
  const { id, ulid } = await books.batch(account, { segments: Array<number>(count).fill(1), isStaged: true });
  const receivers = Array.from({ length: count + rejected }, (_, position) => String(70_000_000 + position));
  const rejections = receivers.slice(count).map((receiver, index) => ({
    position: count + index,
    msisdn: `+226${receiver}`,
    reason: "SUPPRESSED",
    clientReference: null,
  }));
  const batch = { id, ulid, rejections, sums: { accepted: count } } as unknown as AcceptedBatch;
  const follower = { callback, accountId: account.id, user: "faso", sender: "ACME", receivers };
  await books.store.write((tx) => subscribeBatch(tx, batch, follower, true, books.clock.nowMs()));
}

const rows = () =>
  books.store.read.get(
    `SELECT (SELECT count(*) FROM compat_follows) AS follows, (SELECT count(DISTINCT receiver) FROM compat_follows) AS receivers,
       (SELECT count(*) FROM compat_callbacks) AS callbacks, (SELECT count(DISTINCT message_ulid) FROM compat_callbacks) AS told,
       (SELECT count(*) FROM compat_follows_to_write) AS waiting, (SELECT count(*) FROM compat_cursors) AS cursors`,
  );

test("four thousand receivers are one row of the transaction that accepts them, and 250 of each that follows", async () => {
  await followed(4000, 700);
  expect(rows()).toMatchObject({ follows: 0, callbacks: 0, waiting: 1, cursors: 1 });
  const written: number[] = [];
  const write = <T>(job: Job<T>) =>
    books.store.write((tx) => {
      let count = 0;
      const value = job({
        ...tx,
        run: (sql, ...params) => {
          count += 1;
          return tx.run(sql, ...params);
        },
        insert: (sql, ...params) => {
          count += 1;
          return tx.insert(sql, ...params);
        },
      });
      written.push(count);
      return value;
    });
  await expandSubscriptions({ ...books.store, write }, books.clock);
  expect(Math.max(...written)).toBe(250);
  expect(rows()).toMatchObject({ follows: 4000, receivers: 4000, callbacks: 700, told: 700, waiting: 0 });
});

test("broken off anywhere, they are written out once", async () => {
  await followed(600, 300);
  for (let died = 0; died < 6; died++) {
    let left = died;
    const write: typeof books.store.write = (...asked) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error("the process died")) : books.store.write(...asked);
    };
    await expect(expandSubscriptions({ ...books.store, write }, books.clock)).rejects.toThrow("died");
  }
  await expandSubscriptions(books.store, books.clock);
  expect(rows()).toMatchObject({ follows: 600, receivers: 600, callbacks: 300, told: 300, waiting: 0 });
});

test("a few receivers are written with their batch", async () => {
  await followed(40, 7);
  expect(rows()).toMatchObject({ follows: 40, callbacks: 7, told: 7, waiting: 0, cursors: 1 });
});
