import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { countFinals, finalsAfter } from "../../../src/domain/messages/feed.ts";
import { lastStampUs } from "../../../src/domain/messages/feed-stamps.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

const finals = (afterUs: number, changes = 100, most = 100) => {
  const page = finalsAfter(books.store.read, account.id, afterUs, { changes, finals: most });
  return { ids: page.messages.map(({ id }) => id), to: page.scannedToUs, hasMore: page.hasMore };
};
const deliver = (id: number) => books.apply(facts.claimed(id), facts.partAccepted(id), facts.delivered(id));

describe("final messages in their order", () => {
  test("stand in the order in which they became final, each once, whatever was on its way in between", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1, 1, 1] });
    const [a, b, c, d] = messages as [number, number, number, number];
    await deliver(c);
    await books.apply(facts.claimed(a));
    await deliver(b);
    await books.apply(facts.partAccepted(a));
    const first = finals(0);
    expect(first).toMatchObject({ ids: [c, b], hasMore: false });
    await books.apply(facts.delivered(a), facts.givenUp(d));
    expect(finals(first.to).ids).toEqual([a, d]);
    expect(finals(lastStampUs(books.store.read, account.id)).ids).toEqual([]);
    expect(countFinals(books.store.read, account.id, 0, 100)).toBe(4);
    expect(countFinals(books.store.read, account.id, 0, 3)).toBe(3);
  });

  test("are found by short stretches too, and a stretch without any still leads on", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1, 1, 1, 1] });
    await books.apply(...messages.map((id) => facts.claimed(id)));
    const [first] = messages as [number];
    await books.apply(facts.partAccepted(first), facts.delivered(first));
    const found: number[] = [];
    let at = 0;
    for (let more = true; more; ) {
      const page = finals(at, 2);
      found.push(...page.ids);
      more = page.hasMore;
      at = page.to;
    }
    expect(found).toEqual([first]);
    expect(at).toBe(lastStampUs(books.store.read, account.id));
  });

  test("are found a few at a time, none twice and none left out", async () => {
    const { messages } = await books.batch(account, { segments: [1, 1, 1, 1, 1] });
    for (const id of messages) await deliver(id);
    const found: number[][] = [];
    for (let at = 0, more = true; more; ) {
      const page = finals(at, 100, 2);
      found.push(page.ids);
      more = page.hasMore;
      at = page.to;
    }
    expect(found.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(found.flat()).toEqual([...messages]);
  });

  test("are another account's own", async () => {
    const { messages } = await books.batch(account);
    await deliver(messages[0]!);
    const other = await books.account();
    expect(finalsAfter(books.store.read, other.id, 0, { changes: 10, finals: 10 }).messages).toEqual([]);
    expect(lastStampUs(books.store.read, other.id)).toBe(0);
  });

  test("never move again: no fact that comes later changes the stamp of a final message", async () => {
    const ends: [string, (id: number) => readonly Fact[]][] = [
      ["delivered", (id) => [facts.claimed(id), facts.partAccepted(id), facts.delivered(id)]],
      ["undelivered", (id) => [facts.claimed(id), facts.partAccepted(id), facts.undelivered(id)]],
      ["sent for good", (id) => [facts.claimed(id), facts.partAccepted(id, 1, `SMSC${id}-1`, true)]],
      ["never receipted", (id) => [facts.claimed(id), facts.partAccepted(id), facts.receiptOverdue(id)]],
      ["refused", (id) => [facts.claimed(id), facts.refusedForGood(id)]],
      ["given up", (id) => [facts.givenUp(id)]],
      ["cancelled", (id) => [facts.cancelled(id)]],
    ];
    for (const [name, end] of ends) {
      const [id] = (await books.batch(account)).messages as [number];
      await books.apply(...end(id));
      const { stamp_us: stamp, is_final } = books.messageRow(id);
      expect([name, is_final]).toEqual([name, 1]);
      await books.apply(
        facts.claimed(id),
        facts.notWritten(id),
        facts.postponed(id, 9),
        facts.partAccepted(id, 1, "LATE"),
        facts.delivered(id, 1, "LATE"),
        facts.undelivered(id, 1, "LATE"),
        facts.pending(id, 1, "LATE"),
        facts.refusedForGood(id),
        facts.resendUnanswered(id),
        facts.waitUnanswered(id, 9),
        facts.outcomeUnknown(id),
        facts.receiptOverdue(id),
        facts.givenUp(id),
        facts.cancelled(id),
      );
      expect([name, books.messageRow(id).stamp_us]).toEqual([name, stamp]);
    }
  });
});
