import { afterEach, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { scanQueue } from "../../src/dispatch/delivery.ts";
import { type Books, openBooks } from "../kit/books.ts";

let books: Books;
let ids: number[];
beforeEach(async () => {
  books = openBooks();
  const account = await books.account();
  ids = [];
  for (let n = 0; n < 1200; n++) ids.push((await books.batch(account, { price: 0 })).id);
});
afterEach(() => books.close());

/** A clock on which every look takes a millisecond. */
const busy = (): Clock => {
  let readings = 0;
  return { ...books.clock, steadyMs: () => readings++ };
};

test("every batch that waits is offered once, the newest first", async () => {
  const offered: number[] = [];
  await scanQueue(
    books.store.read,
    busy(),
    ({ batchId }) => offered.push(batchId),
    () => false,
  );
  expect(offered).toEqual(ids.toReversed());
});

test("others have their turn in between", async () => {
  let offered = 0;
  const work = scanQueue(
    books.store.read,
    busy(),
    () => offered++,
    () => false,
  );
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(offered).toBeGreaterThan(0);
  expect(offered).toBeLessThan(100);
  await work;
  expect(offered).toBe(1200);
});

test("it ends where it stands when it is told to", async () => {
  let offered = 0;
  await scanQueue(
    books.store.read,
    busy(),
    () => offered++,
    () => offered === 700,
  );
  expect(offered).toBe(700);
});
