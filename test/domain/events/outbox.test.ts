import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  deriveEventRetentionStart,
  eventsAfter,
  lastEventId,
  lastEventIdBefore,
  purgeEvents,
  recordEvent,
} from "../../../src/domain/events/outbox.ts";
import { cancelQueuedMessages, requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

const all = () => eventsAfter(books.store.read, account.id, 0, 100);

describe("the outbox", () => {
  // Keeps: behaviour 8.11, 8.14
  test("holds one row for a batch that settles, written with its last message", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [1, 1] });
    const [first, second] = messages as [number, number];
    await books.apply(facts.claimed(first), facts.partAccepted(first), facts.delivered(first));
    expect(all()).toEqual([]);
    await books.apply(facts.givenUp(second));
    expect(all()).toMatchObject([
      { type: "BATCH_SETTLED", accountId: account.id, batchId, atMs: books.clock.nowMs() },
    ]);
    await books.apply(facts.delivered(first));
    expect(all().length).toBe(1);
  });

  // Keeps: behaviour 8.13, 8.14
  test("holds one row for a batch that is cancelled, when its money is squared", async () => {
    const { id: batchId, messages } = await books.batch(account, { segments: [1, 1] });
    const [first] = messages as [number];
    await books.apply(facts.claimed(first));
    await books.store.write((tx) => {
      requestCancellation(tx, batchId, "CANCELLED", null, 5);
      cancelQueuedMessages(tx, { id: batchId, reason: "CANCELLED" }, 5, 100);
    });
    expect(all()).toEqual([]);
    await books.apply(facts.partAccepted(first));
    expect(all()).toMatchObject([{ type: "BATCH_CANCELLED", batchId }]);
  });

  test("keeps the figures of a wallet as they stood", async () => {
    const event = { type: "WALLET_LOW", accountId: account.id, atMs: 7, figures: { spendable: 12 } } as const;
    await books.store.write((tx) => recordEvent(tx, event));
    expect(all()).toEqual([{ ...event, id: lastEventId(books.store.read, account.id) }]);
  });

  test("is read on from a cursor, by time, and by account", async () => {
    const other = await books.account();
    await books.store.write((tx) => {
      for (const [accountId, atMs] of [
        [account.id, 10],
        [other.id, 20],
        [account.id, 30],
      ] as const) {
        recordEvent(tx, { type: "WALLET_LOW", accountId, atMs, figures: {} });
      }
    });
    const [first, second] = all();
    expect(eventsAfter(books.store.read, account.id, first!.id, 9)).toEqual([second!]);
    expect(eventsAfter(books.store.read, account.id, 0, 1)).toEqual([first!]);
    expect(lastEventIdBefore(books.store.read, account.id, 30)).toBe(first!.id);
    expect(lastEventIdBefore(books.store.read, account.id, 10)).toBe(0);
  });

  test("keeps events as long as the feed reaches, and a week for an endpoint that fails", () => {
    const hours = (kept: number) => (1e12 - kept) / 3_600_000;
    expect(hours(deriveEventRetentionStart(1e12, 720))).toBe(720);
    expect(hours(deriveEventRetentionStart(1e12, 1))).toBe(168);
  });

  test("forgets what is old, and never gives an id twice", async () => {
    const note = (atMs: number) =>
      books.store.write((tx) =>
        recordEvent(tx, { type: "WALLET_LOW", accountId: account.id, atMs, figures: {} }),
      );
    await note(10);
    await note(20);
    const last = lastEventId(books.store.read, account.id);
    expect(await books.store.write((tx) => purgeEvents(tx, 11, 10))).toBe(1);
    expect(await books.store.write((tx) => purgeEvents(tx, 100, 10))).toBe(1);
    expect(await books.store.write((tx) => purgeEvents(tx, 100, 10))).toBe(0);
    await note(30);
    expect(lastEventId(books.store.read, account.id)).toBeGreaterThan(last);
  });
});
