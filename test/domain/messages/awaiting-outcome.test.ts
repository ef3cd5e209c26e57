import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  awaitingBatches,
  awaitingMessages,
  claimedMessage,
  claimedMessages,
  FIRST_CLAIMED,
  findOverdueUnanswered,
  findUnknownOutcome,
  recordAwaitingSince,
} from "../../../src/domain/messages/awaiting-outcome.ts";
import { cancelQueuedMessages, requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, delivered, partAccepted, waitUnanswered } from "../../kit/facts.ts";

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
    expect([a, b, c].map((id) => findUnknownOutcome(books.store.read, id)?.isWaiting)).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("an unanswered one is overdue from the very end of its wait, the longest overdue first", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1] });
    const [a = 0, b = 0, c = 0] = batch.messages;
    await books.apply(claimed(a), claimed(b), claimed(c));
    await books.apply(waitUnanswered(a, now + 20), waitUnanswered(b, now + 10), waitUnanswered(c, now + 30));
    expect(findOverdueUnanswered(books.store.read, now + 9, 10)).toEqual([]);
    expect(findOverdueUnanswered(books.store.read, now + 20, 10)).toEqual([b, a]);
    expect(findOverdueUnanswered(books.store.read, now + 99, 1)).toEqual([b]);
  });

  test("a receipt is overdue for what was SENT before the limit and is not final, of any batch, as many as asked for", async () => {
    const early = await books.batch(account, { segments: [1, 1, 1] });
    const [a = 0, b = 0, c = 0] = early.messages;
    await books.apply(claimed(a), partAccepted(a), claimed(b), partAccepted(b), delivered(b), claimed(c));
    await books.clock.advance(1000);
    const later = await books.batch(account);
    const d = later.messages[0]!;
    await books.apply(claimed(d), partAccepted(d));
    const overdue = (beforeMs: number, limit = 10) =>
      awaitingBatches(books.store.read, beforeMs, limit)
        .flatMap(({ firstId, endId }) => awaitingMessages(books.store.read, firstId, endId))
        .filter(({ sentAt }) => sentAt < beforeMs)
        .map(({ id }) => id);
    expect(overdue(now)).toEqual([]);
    expect(overdue(now + 1)).toEqual([a]);
    expect(overdue(now + 1001)).toEqual([a, d]);
    expect(overdue(now + 1001, 1)).toEqual([a]);
  });

  test("a batch is among those that wait from its first claim until its last message is final, whatever becomes of it", async () => {
    const waiting = () => awaitingBatches(books.store.read, Number.MAX_SAFE_INTEGER, 10).map(({ id }) => id);
    const batch = await books.batch(account, { segments: [1, 1] });
    const [a = 0, b = 0] = batch.messages;
    expect(waiting()).toEqual([]);
    await books.apply(claimed(a));
    expect(waiting()).toEqual([batch.id]);
    await books.apply(partAccepted(a));
    await books.store.write((tx) => requestCancellation(tx, batch.id, "CANCELLED", null, now));
    await books.store.write((tx) => cancelQueuedMessages(tx, { id: batch.id, reason: "CANCELLED" }, now, 10));
    expect([books.batchRow(batch.id).status, waiting()]).toEqual(["CANCELLED", [batch.id]]);
    await books.apply(delivered(a));
    expect([books.messageRow(b).status, waiting()]).toEqual(["CANCELLED", []]);
    const other = await books.batch(account);
    await books.apply(claimed(other.messages[0]!), partAccepted(other.messages[0]!));
    expect(waiting()).toEqual([other.id]);
    await books.apply(delivered(other.messages[0]!));
    expect([books.batchRow(other.id).status, waiting()]).toEqual(["SETTLED", []]);
  });

  test("a batch is looked at again when its oldest message may be overdue, unless it has ended meanwhile", async () => {
    const batch = await books.batch(account);
    await books.apply(claimed(batch.messages[0]!), partAccepted(batch.messages[0]!));
    const [waiting] = awaitingBatches(books.store.read, now + 1, 10);
    await books.store.write((tx) => recordAwaitingSince(tx, waiting!, now + 500));
    expect(awaitingBatches(books.store.read, now + 500, 10)).toEqual([]);
    expect(awaitingBatches(books.store.read, now + 501, 10)).toMatchObject([{ id: batch.id }]);
    await books.apply(delivered(batch.messages[0]!));
    await books.store.write((tx) =>
      recordAwaitingSince(tx, { ...waiting!, awaitingSince: now + 500 }, now + 900),
    );
    expect(awaitingBatches(books.store.read, now + 9999, 10)).toEqual([]);
  });
});
