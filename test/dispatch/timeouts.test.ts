import { afterEach, beforeEach, expect, test } from "vitest";
import type { Reader } from "../../src/db/reader.ts";
import { expireMissingReceipts } from "../../src/dispatch/timeouts.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import { claimed, delivered, partAccepted } from "../kit/facts.ts";

const TIMEOUT_MS = 72 * 3_600_000;

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

/** A batch of so many messages that were all SENT at this moment. */
async function sent(count: number): Promise<readonly number[]> {
  const { messages } = await books.batch(account, {
    segments: Array(count).fill(1),
    price: 0,
    isStaged: true,
  });
  for (const id of messages) await books.apply(claimed(id), partAccepted(id));
  return messages;
}

/** The statements of one round, and what it said. */
async function round(): Promise<{
  readonly statements: number;
  readonly rows: number;
  readonly again: boolean;
}> {
  let statements = 0;
  let rows = 0;
  const { read, write } = books.store;
  const all: Reader["all"] = (sql, ...params) => {
    const found = read.all(sql, ...params);
    statements += 1;
    rows += found.length;
    return found as never;
  };
  const again = await expireMissingReceipts({
    store: { read: { ...read, all }, write },
    clock: books.clock,
    timeoutMs: TIMEOUT_MS,
  });
  return { statements, rows, again };
}

const status = (id: number) => books.messageRow(id).status;

test("every message without a receipt is given up when its own time is over, however its batch was sent", async () => {
  const [a = 0, b = 0] = (await books.batch(account, { segments: [1, 1] })).messages;
  await books.apply(claimed(a));
  await books.clock.advance(1000);
  await books.apply(partAccepted(a));
  await books.clock.advance(60_000);
  await books.apply(claimed(b), partAccepted(b));
  await books.clock.advance(TIMEOUT_MS - 60_000);
  while ((await round()).again);
  expect([status(a), status(b)]).toEqual(["SENT", "SENT"]);
  await books.clock.advance(50);
  while ((await round()).again);
  expect([books.messageRow(a).is_final, books.messageRow(b).is_final]).toEqual([1, 0]);
  await books.clock.advance(60_000);
  while ((await round()).again);
  expect(books.messageRow(b).is_final).toBe(1);
});

test("what waits and is not due costs nothing, however much it is", async () => {
  for (let batch = 0; batch < 300; batch++) await sent(1);
  expect(await round()).toEqual({ statements: 1, rows: 0, again: false });
  await books.clock.advance(TIMEOUT_MS);
  expect(await round()).toEqual({ statements: 1, rows: 0, again: false });
});

test("a large batch of which one message is due is looked through once, and then rests", async () => {
  const messages = await sent(300);
  for (const id of messages.slice(2)) await books.apply(delivered(id));
  await books.clock.advance(10_000);
  const late = await sent(1);
  await books.clock.advance(TIMEOUT_MS - 10_000 + 1);
  expect(await round()).toEqual({ statements: 2, rows: 3, again: true });
  expect(messages.slice(0, 2).map((id) => books.messageRow(id).is_final)).toEqual([1, 1]);
  expect(await round()).toEqual({ statements: 1, rows: 0, again: false });
  expect(status(late[0]!)).toBe("SENT");
});
