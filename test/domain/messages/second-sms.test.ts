import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { holdAllMessages } from "../../../src/domain/messages/restore-holds.ts";
import {
  awaitSecond,
  awaitSecondAgain,
  beginSecond,
  endSecond,
  FIRST_DUE,
  isOfSecond,
  isSecondUnderWay,
  listBegunSeconds,
  listDueSeconds,
  nextSecondMs,
  readDueSecond,
} from "../../../src/domain/messages/second-sms.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

let books: Books;
let id: number;
beforeEach(async () => {
  books = openBooks();
  const batch = await books.batch(await books.account(), { segments: [1] });
  id = batch.messages[0]!;
  await books.store.write((tx) => {
    applyFacts(tx, [facts.claimed(id), facts.partAccepted(id)], 5);
    awaitSecond(tx, { messageId: id, operator: "orange", route: "direct", dueMs: 60 });
  });
});
afterEach(() => books.close());

const statusOf = () =>
  books.store.read.get<{ status: string }>("SELECT status FROM messages WHERE id = ?", id)?.status;
const due = (nowMs = 60, after = FIRST_DUE) => listDueSeconds(books.store.read, "orange", nowMs, after, 10);

describe("a message that waits for a second SMS", () => {
  test("is found when it is due, of its operator alone", () => {
    expect(due()).toEqual([{ messageId: id, operator: "orange", route: "direct", dueMs: 60 }]);
    expect(due(59)).toEqual([]);
    expect(due(60, { dueMs: 60, messageId: id })).toEqual([]);
    expect(listDueSeconds(books.store.read, "moov", 60, FIRST_DUE, 10)).toEqual([]);
    expect(nextSecondMs(books.store.read, "orange")).toBe(60);
    expect(readDueSecond(books.store.read, id)).toMatchObject({ messageId: id, attempts: 1, segments: 1 });
  });

  test.each([
    ["delivered", facts.delivered],
    ["failed", facts.undelivered],
    ["not decided", facts.pending],
  ])("needs none any more once a receipt said that it is %s", async (_, receipt) => {
    await books.store.write((tx) => applyFacts(tx, [receipt(id)], 6));
    expect(due()).toEqual([]);
    expect(readDueSecond(books.store.read, id)).toBeNull();
  });

  test("needs none where a receipt of any kind came before the response that made it SENT", async () => {
    const other = (await books.batch(await books.account(), { segments: [1] })).messages[0]!;
    await books.store.write((tx) => {
      applyFacts(tx, [facts.claimed(other), facts.partAccepted(other), facts.pending(other)], 5);
      awaitSecond(tx, { messageId: other, operator: "orange", route: "direct", dueMs: 60 });
    });
    expect(readDueSecond(books.store.read, other)).toBeNull();
  });

  test("needs none once it is final", async () => {
    await books.store.write((tx) => applyFacts(tx, [facts.receiptOverdue(id)], 6));
    expect(readDueSecond(books.store.read, id)).toBeNull();
  });

  test("needs none once another channel carries it", async () => {
    await books.store.write((tx) =>
      tx.run("UPDATE messages SET operator = 'whatsapp:main' WHERE id = ?", id),
    );
    expect(readDueSecond(books.store.read, id)).toBeNull();
  });

  test("is due again where not an octet of the second left", async () => {
    await books.store.write((tx) => beginSecond(tx, id, 2, 61));
    expect(isOfSecond(books.store.read, id, 2)).toBe(true);
    await books.store.write((tx) => awaitSecondAgain(tx, id, 62));
    expect(due(62)).toMatchObject([{ messageId: id, route: "direct", dueMs: 62 }]);
    expect(isOfSecond(books.store.read, id, 2)).toBe(false);
  });

  test("gets none after a restore: it may have left since the copy was made", async () => {
    const other = (await books.batch(await books.account(), { segments: [1] })).messages[0]!;
    await books.store.write((tx) => {
      awaitSecond(tx, { messageId: other, operator: "orange", route: "direct", dueMs: 60 });
      beginSecond(tx, other, 2, 61);
      holdAllMessages(tx, { restoredAtMs: 70, file: "copy.backup", madeAtMs: 61, unmatchedBefore: 0 });
    });
    expect(due(1000)).toEqual([]);
    expect(listBegunSeconds(books.store.read)).toMatchObject([{ messageId: other }]);
  });

  test("is begun once: it is under way until it has ended, and a receipt of the first leaves it so", async () => {
    await books.store.write((tx) => beginSecond(tx, id, 2, 61));
    expect([due(1000), readDueSecond(books.store.read, id)]).toEqual([[], null]);
    expect(isSecondUnderWay(books.store.read, id)).toBe(true);
    expect(listBegunSeconds(books.store.read)).toMatchObject([{ messageId: id, attempt: 2, begunMs: 61 }]);
    await books.store.write((tx) => {
      awaitSecond(tx, { messageId: id, operator: "orange", route: "direct", dueMs: 90 });
      applyFacts(tx, [facts.undelivered(id)], 70);
    });
    expect([due(1000).length, isSecondUnderWay(books.store.read, id)]).toEqual([0, true]);
    expect(statusOf()).toBe("SENT");
    await books.store.write((tx) => {
      endSecond(tx, id);
      applyFacts(tx, [{ kind: "second_over", messageId: id }], 80);
    });
    expect([isSecondUnderWay(books.store.read, id), listBegunSeconds(books.store.read)]).toEqual([false, []]);
    expect(statusOf()).toBe("FAILED");
  });
});
