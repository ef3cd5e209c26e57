import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claimedMessage,
  claimedMessages,
  FIRST_CLAIMED,
  overdueReceipts,
  overdueUnanswered,
  waitsForAnswer,
} from "../../src/messages/overdue.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import { claimed, delivered, partAccepted, waitUnanswered } from "../kit/facts.ts";

let books: Books;
let account: TestAccount;
let now: number;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
  now = books.clock.nowMs();
});
afterEach(() => books.close());

describe("messages that wait for something that may never come", () => {
  test("claimed ones are found while no answer is known to be overdue; those that are waited for are not", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1, 1] });
    const [a = 0, b = 0, c = 0] = batch.messages;
    await books.apply(claimed(a), claimed(b), claimed(c), waitUnanswered(b, now + 10), partAccepted(c));
    const found = claimedMessages(books.store.read, FIRST_CLAIMED, 10);
    expect(found.map(({ messageId }) => claimedMessage(books.store.read, messageId))).toMatchObject([
      { messageId: a, messageClass: "TRANSACTIONAL", resends: 0, expiresAt: now + 86_400_000 },
    ]);
    expect(claimedMessages(books.store.read, found[0]!, 10)).toEqual([]);
    expect([b, c].map((id) => claimedMessage(books.store.read, id))).toEqual([null, null]);
    expect([a, b, c].map((id) => waitsForAnswer(books.store.read, id))).toEqual([false, true, false]);
  });

  test("an unanswered one is overdue from the very end of its wait, the longest overdue first", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1] });
    const [a = 0, b = 0, c = 0] = batch.messages;
    await books.apply(claimed(a), claimed(b), claimed(c));
    await books.apply(waitUnanswered(a, now + 20), waitUnanswered(b, now + 10), waitUnanswered(c, now + 30));
    expect(overdueUnanswered(books.store.read, now + 9, 10)).toEqual([]);
    expect(overdueUnanswered(books.store.read, now + 20, 10)).toEqual([b, a]);
    expect(overdueUnanswered(books.store.read, now + 99, 1)).toEqual([b]);
  });

  test("a receipt is overdue for what was SENT before the limit and is not final, of any batch, as many as asked for", async () => {
    const early = await books.batch(account, { segments: [1, 1, 1] });
    const [a = 0, b = 0, c = 0] = early.messages;
    await books.apply(claimed(a), partAccepted(a), claimed(b), partAccepted(b), delivered(b), claimed(c));
    await books.clock.advance(1000);
    const later = await books.batch(account);
    const d = later.messages[0]!;
    await books.apply(claimed(d), partAccepted(d));
    expect(overdueReceipts(books.store.read, now, 10)).toEqual([]);
    expect(overdueReceipts(books.store.read, now + 1, 10)).toEqual([a]);
    expect(overdueReceipts(books.store.read, now + 1001, 10)).toEqual([a, d]);
    expect(overdueReceipts(books.store.read, now + 1001, 1)).toEqual([a]);
  });
});
