import { expect, test } from "vitest";
import { giveUpQueued } from "../../src/dispatch/operator-queue.ts";
import { openBooks } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

test("messages that the disk did not let end are looked at again a second later, not at once", async () => {
  const books = openBooks();
  const [clock, log] = [testClock(), testLog()];
  const store = { ...books.store, write: () => Promise.reject(new Error("the disk is full")) };
  let isOver = false;
  const error = { code: "EXPIRED_IN_QUEUE", operatorCode: null } as const;
  const ended = giveUpQueued({ store, clock, log }, { batchId: 1, operator: "orange" }, error).then(() => {
    isOver = true;
  });
  await clock.advance(900);
  expect([log.lines.map(({ level }) => level), isOver]).toEqual([["error"], false]);
  await clock.advance(200);
  await ended;
  expect(isOver).toBe(true);
  await books.close();
});
