import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import {
  acceptedParts,
  findNextQueuePlace,
  isSendable,
  nextDueMs,
  readQueuedBatch,
  readQueuedMessages,
  readWaitingMessages,
  TOP_OF_QUEUE,
} from "../../../src/domain/messages/queue.ts";
import { partsByRemoteKey, readRecipient } from "../../../src/domain/messages/segments.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, notWritten, partAccepted, postponed, refusedForGood } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
let now: number;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
  now = books.clock.nowMs();
});
afterEach(() => books.close());

const lane = (batchId: number) => ({ batchId, operator: "orange" });
const due = (batchId: number, atMs = now, limit = 10) =>
  readQueuedMessages(books.store.read, lane(batchId), atMs, limit).map(({ id }) => id);

describe("what waits to be sent", () => {
  test("batches that may be sent from: neither scheduled, nor called off, nor ended", async () => {
    const [first, second] = [await books.batch(account), await books.batch(account)];
    const scheduled = await books.batch(account, { scheduledAt: now + 1000 });
    const off = await books.batch(account);
    await books.store.write((tx) => requestCancellation(tx, off.id, "CANCELLED", null, now));
    const ended = await books.batch(account);
    await books.apply(claimed(ended.messages[0]!), refusedForGood(ended.messages[0]!));
    const all = [first, second, scheduled, off, ended];
    expect(all.map(({ id }) => isSendable(books.store.read, id))).toEqual([true, true, false, false, false]);
    expect(all.map(({ id }) => readQueuedBatch(books.store.read, id).length)).toEqual([1, 1, 0, 0, 0]);
  });

  test("the queue has a place for each batch and operator with messages in it, the newest first, and none for what left", async () => {
    const [first, left] = [await books.batch(account, { segments: [1, 1, 1] }), await books.batch(account)];
    const last = await books.batch(account);
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'moov' WHERE id = ?", first.messages[1]!);
    });
    await books.apply(claimed(left.messages[0]!), partAccepted(left.messages[0]!));
    const places: string[] = [];
    for (
      let at = findNextQueuePlace(books.store.read, TOP_OF_QUEUE);
      at;
      at = findNextQueuePlace(books.store.read, at)
    ) {
      places.push(`${at.batchId} ${at.operator}`);
    }
    expect(places).toEqual([`${last.id} orange`, `${first.id} orange`, `${first.id} moov`]);
  });

  test("a batch is told once for each operator its messages wait for", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1] });
    await books.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'moov' WHERE id = ?", batch.messages[1]!);
    });
    expect(readQueuedBatch(books.store.read, batch.id)).toMatchObject([
      { batchId: batch.id, operator: "moov", accountId: account.id, sender: "ACME", body: "Bonjour" },
      { batchId: batch.id, operator: "orange", messageClass: "TRANSACTIONAL", expiresAt: now + 86_400_000 },
    ]);
    await books.apply(claimed(batch.messages[1]!));
    expect(readQueuedBatch(books.store.read, batch.id).map(({ operator }) => operator)).toEqual(["orange"]);
  });

  test("messages come in order of submission; one that was not written goes ahead, a postponed one waits its time", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1, 1] });
    const [a = 0, b = 0, c = 0, d = 0] = batch.messages;
    expect(due(batch.id)).toEqual([a, b, c, d]);
    expect(due(batch.id, now, 2)).toEqual([a, b]);
    expect(due(batch.id, now - 1)).toEqual([]);
    await books.apply(claimed(a), claimed(c), claimed(d), notWritten(c), postponed(a, now + 1000));
    expect(due(batch.id)).toEqual([c, b]);
    expect(nextDueMs(books.store.read, lane(batch.id), now)).toBe(now + 1000);
    expect(due(batch.id, now + 1000)).toEqual([c, b, a]);
    expect(nextDueMs(books.store.read, lane(batch.id), now + 1000)).toBeNull();
    expect(readWaitingMessages(books.store.read, lane(batch.id), 10)).toEqual([
      { id: c, operatorCode: null },
      { id: b, operatorCode: null },
      { id: a, operatorCode: "0x58" },
    ]);
  });
});

describe("accepted segments", () => {
  test("of a message are told once, under however many ids; by an id, each message that carries it", async () => {
    const batch = await books.batch(account, { segments: [3, 1] });
    const [id = 0, other = 0] = batch.messages;
    await books.apply(
      claimed(id),
      claimed(other),
      partAccepted(id, 1, "A"),
      partAccepted(id, 1, "B"),
      partAccepted(id, 3, "C"),
      partAccepted(other, 1, "A"),
    );
    expect(acceptedParts(books.store.read, id)).toEqual(new Set([1, 3]));
    expect(partsByRemoteKey(books.store.read, ["orange"], "A")).toMatchObject([
      { messageId: id, part: 1, remoteId: "A", remoteKey: "A", msisdn: "+22670000000", isOpen: true },
      { messageId: other, part: 1, remoteId: "A", remoteKey: "A", msisdn: "+22670000001", isOpen: true },
    ]);
    expect(partsByRemoteKey(books.store.read, ["moov"], "A")).toEqual([]);
    expect(readRecipient(books.store.read, other)).toBe("+22670000001");
  });

  test("are looked at up to a bound where an operator uses an id again and again: the newest of them", async () => {
    const { messages } = await books.batch(account, { segments: Array.from({ length: 520 }, () => 1) });
    await books.apply(...messages.flatMap((id) => [claimed(id), partAccepted(id, 1, "A")]));
    const found = partsByRemoteKey(books.store.read, ["orange"], "A").map(({ messageId }) => messageId);
    expect(found).toEqual(messages.slice(-512));
  });
});
