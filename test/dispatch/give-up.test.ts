import { expect, test } from "vitest";
import { giveUpQueued } from "../../src/dispatch/operator-queue.ts";
import { openBooks } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";

test("messages that the disk did not let end are looked at again a second later, not at once", async () => {
  const books = openBooks();
  const clock = testClock(Date.parse("2026-03-02T09:00:00Z"));
  const store = { ...books.store, write: () => Promise.reject(new Error("the disk is full")) };
  const errors: string[] = [];
  const log = { ...console, error: (what: string) => errors.push(what) };
  let isOver = false;
  const place = { batchId: 1, operator: "orange" };
  const ended = giveUpQueued({ store, clock, log } as unknown as Parameters<typeof giveUpQueued>[0], place, {
    code: "EXPIRED_IN_QUEUE",
    operatorCode: null,
  }).then(() => {
    isOver = true;
  });
  await clock.advance(900);
  expect([errors.length, isOver]).toEqual([1, false]);
  await clock.advance(200);
  await ended;
  expect(isOver).toBe(true);
  await books.close();
});
