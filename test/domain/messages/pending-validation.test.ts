import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "../../../src/db/writer.ts";
import { eventsAfter } from "../../../src/domain/events/outbox.ts";
import { batchObject, batchView, findBatch, warningsText } from "../../../src/domain/messages/batches.ts";
import { requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import { feedPage } from "../../../src/domain/messages/feed.ts";
import {
  cancelValidating,
  dropSubmitted,
  failBatch,
  insertSubmitted,
  isCalledOff,
  nextValidating,
  openValidating,
  submittedPiece,
} from "../../../src/domain/messages/pending-validation.ts";
import { readQueuedBatch } from "../../../src/domain/messages/queue.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account();
});
afterEach(() => books.close());

/** A batch that waits to be validated, some of its messages staged already. */
async function validating() {
  const batch = await books.batch(account, { segments: [1, 1], isStaged: true, staysClosed: true });
  await books.store.write((tx) => openValidating(tx, batch.id));
  return { ...batch, accountId: account.id };
}
const inTx = <T>(work: (tx: Tx) => T) => books.store.write(work);
const told = () => eventsAfter(books.store.read, account.id, 0, 9).map(({ type, atMs }) => ({ type, atMs }));
const shown = (ulid: string) => batchObject(findBatch(books.store.read, account.id, ulid)!);

describe("a batch that is validated after its 202", () => {
  test("is there with zeros, and nothing of it is in the feed or on its way", async () => {
    const batch = await validating();
    expect(shown(batch.ulid)).toMatchObject({
      status: "VALIDATING",
      accepted: 0,
      rejected: 0,
      reserved_amount: 0,
    });
    const query = { accountId: account.id, sinceUs: 0, limit: 10, batchUlid: batch.ulid };
    expect(feedPage(books.store.read, query)).toEqual({ messages: [], nextUs: 0, hasMore: false });
    expect(readQueuedBatch(books.store.read, batch.id)).toEqual([]);
  });

  test("is validated in the order of submission", async () => {
    const [first, second] = [await validating(), await validating()];
    expect(nextValidating(books.store.read, 0)).toMatchObject({
      id: first.id,
      ulid: first.ulid,
      isTest: false,
    });
    await inTx((tx) => failBatch(tx, first, { code: "INSUFFICIENT_FUNDS", detail: said("too dear") }, 5));
    expect(nextValidating(books.store.read, account.id)?.id).toBe(second.id);
  });

  // Keeps: behaviour 4.61
  test("keeps its recipients as they were submitted, in pieces, until they are dropped", async () => {
    const batch = await validating();
    const pieces = [
      [{ msisdn: "70 12 34 56", attributes: { name: "Awa" } }],
      [{ msisdn: "x", attributes: null }],
    ];
    await inTx((tx) => {
      for (const [piece, recipients] of pieces.entries())
        insertSubmitted(tx, batch.id, piece, JSON.stringify(recipients));
    });
    expect([0, 1, 2].map((piece) => submittedPiece(books.store.read, batch.id, piece))).toEqual([
      ...pieces,
      null,
    ]);
    expect([
      await inTx((tx) => dropSubmitted(tx, batch.id, 1)),
      await inTx((tx) => dropSubmitted(tx, batch.id, 9)),
    ]).toEqual([1, 1]);
    expect(submittedPiece(books.store.read, batch.id, 0)).toBeNull();
  });

  // Keeps: behaviour 8.13
  test("that fails says why, ends, and is not failed a second time", async () => {
    const batch = await validating();
    const detail = phrase("message.batch.failed", { why: phrase("refusal.VALIDATION_TIMEOUT") });
    await inTx((tx) => failBatch(tx, batch, { code: "VALIDATION_TIMEOUT", detail }, 5));
    await inTx((tx) => failBatch(tx, batch, { code: "INTERNAL_ERROR", detail: said("late") }, 6));
    expect(shown(batch.ulid)).toMatchObject({
      status: "FAILED",
      failure: { code: "VALIDATION_TIMEOUT", detail: english(detail) },
    });
    const row = findBatch(books.store.read, account.id, batch.ulid)!;
    expect(batchView(row).failure).toEqual({ code: "VALIDATION_TIMEOUT", detail });
    expect(books.batchRow(batch.id).ended_at).toBe(5);
    expect(told()).toEqual([{ type: "BATCH_FAILED", atMs: 5 }]);
  });

  test("says what a former version kept of it as that said it", async () => {
    const batch = await validating();
    await inTx((tx) => failBatch(tx, batch, { code: "INTERNAL_ERROR", detail: said("late") }, 5));
    await inTx((tx) =>
      tx.run(
        "UPDATE batches SET failure_detail = 'too dear', warnings = ? WHERE id = ?",
        JSON.stringify([{ code: "LONG_TEXT", detail: "1 text(s)", tag: "" }]),
        batch.id,
      ),
    );
    const row = findBatch(books.store.read, account.id, batch.ulid)!;
    expect(batchObject(row).failure).toEqual({ code: "INTERNAL_ERROR", detail: "too dear" });
    expect(warningsText(row)).toBe('[{"code":"LONG_TEXT","detail":"1 text(s)","tag":""}]');
  });

  test("that was called off is ended by its validation", async () => {
    const batch = await validating();
    expect(isCalledOff(books.store.read, batch.id)).toBe(false);
    expect(await inTx((tx) => requestCancellation(tx, batch.id, "CANCELLED", null, 7))).toBe(true);
    expect(isCalledOff(books.store.read, batch.id)).toBe(true);
    expect(books.batchRow(batch.id).status).toBe("VALIDATING");
    await inTx((tx) => cancelValidating(tx, batch, 8));
    expect(books.batchRow(batch.id)).toMatchObject({ status: "CANCELLED", ended_at: 8 });
    expect(told()).toEqual([{ type: "BATCH_CANCELLED", atMs: 8 }]);
  });
});
