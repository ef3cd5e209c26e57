import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type BatchFigures,
  type BatchStatus,
  deriveBatchStatus,
} from "../../../src/domain/messages/batch-status.ts";
import { findUnpostedBatches, postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, givenUp, partAccepted, receiptOverdue } from "../../kit/facts.ts";

describe("where its messages take a batch (docs/behaviour.md#states-of-a-batch)", () => {
  const figures = (changes: Partial<BatchFigures>): BatchFigures => ({
    claimed: false,
    unfinished: 1,
    unclosed: 1,
    isCancelling: false,
    ...changes,
  });
  const done = { unfinished: 0, unclosed: 0 };
  // Keeps: behaviour 7.11, 7.14, 7.16, 7.17
  test.each([
    ["QUEUED", figures({}), "QUEUED"],
    ["QUEUED", figures({ claimed: true }), "SENDING"],
    ["QUEUED", figures(done), "SETTLED"],
    ["SENDING", figures({}), "SENDING"],
    ["SENDING", figures({ unclosed: 0 }), "SENDING"],
    ["SENDING", figures(done), "SETTLED"],
    ["SCHEDULED", figures({}), "SCHEDULED"],
    ["SCHEDULED", figures({ isCancelling: true, ...done }), "CANCELLED"],
    ["QUEUED", figures({ isCancelling: true, claimed: true }), "QUEUED"],
    ["SENDING", figures({ isCancelling: true }), "SENDING"],
    ["SENDING", figures({ isCancelling: true, unclosed: 0 }), "CANCELLED"],
  ] as const)("%s with %j is %s", (from, of, to) => {
    expect(deriveBatchStatus(from, of)).toBe(to);
  });

  test("what has ended, or has not begun, stays so whatever its messages do", () => {
    const still: BatchStatus[] = ["STAGING", "VALIDATING", "SETTLED", "REJECTED", "FAILED", "CANCELLED"];
    for (const status of still) {
      for (const isCancelling of [false, true]) {
        expect(deriveBatchStatus(status, figures({ ...done, claimed: true, isCancelling }))).toBe(status);
      }
    }
  });
});

describe("folding a batch's movements into the ledger", () => {
  let books: Books;
  let account: TestAccount;
  beforeEach(async () => {
    books = openBooks();
    account = await books.account({ funds: 1000 });
  });
  afterEach(() => books.close());

  const fold = (id: number) => books.store.write((tx) => postBatchMovements(tx, id, books.clock.nowMs()));
  const postings = (ulid: string) =>
    books.store.read
      .all<{ cause: string; amount: number }>(
        "SELECT cause, amount FROM ledger WHERE kind IN ('CHARGE', 'RELEASE') ORDER BY id",
      )
      .map(({ cause, amount }) => [cause.replace(`batch:${ulid}:`, ""), amount]);
  const send = (id: number) => books.apply(claimed(id), partAccepted(id));

  test("writes one charge and one release for all since the last time, numbered", async () => {
    const batch = await books.batch(account, { segments: [1, 1, 1, 1, 1], price: 10 });
    const [a = 0, b = 0, c = 0, d = 0] = batch.messages;
    await send(a);
    await send(b);
    await fold(batch.id);
    await send(c);
    await books.apply(givenUp(d));
    await fold(batch.id);
    expect(postings(batch.ulid)).toEqual([
      ["charge:1", 20],
      ["charge:2", 10],
      ["release:2", 10],
    ]);
    expect(books.batchRow(batch.id)).toMatchObject({ posted_charged: 30, posted_released: 10, postings: 2 });
  });

  // Keeps: behaviour 5.9
  test("a second time, or with nothing moved, writes nothing", async () => {
    const batch = await books.batch(account, { segments: [1, 1] });
    await fold(batch.id);
    await send(batch.messages[0]!);
    await fold(batch.id);
    await fold(batch.id);
    expect(postings(batch.ulid)).toEqual([["charge:1", 15]]);
  });

  test("a batch that ends posts the rest by itself, and is listed no more", async () => {
    const batch = await books.batch(account, { segments: [1, 1] });
    const [a = 0, b = 0] = batch.messages;
    await send(a);
    expect(findUnpostedBatches(books.store.read, 10)).toEqual([batch.id]);
    await send(b);
    await books.apply(receiptOverdue(a), receiptOverdue(b));
    expect(books.batchRow(batch.id)).toMatchObject({ status: "SETTLED", posted_charged: 30 });
    expect(postings(batch.ulid)).toEqual([["charge:1", 30]]);
    expect(findUnpostedBatches(books.store.read, 10)).toEqual([]);
  });

  test("batches with something to fold are listed the oldest first, as many as asked for", async () => {
    const batches = [await books.batch(account), await books.batch(account), await books.batch(account)];
    for (const batch of [...batches].reverse()) await send(batch.messages[0]!);
    expect(findUnpostedBatches(books.store.read, 2)).toEqual(batches.slice(0, 2).map((batch) => batch.id));
  });

  test("a batch that costs nothing settles without a posting", async () => {
    const batch = await books.batch(account, { price: 0 });
    await send(batch.messages[0]!);
    await books.apply(receiptOverdue(batch.messages[0]!));
    expect(books.batchRow(batch.id).status).toBe("SETTLED");
    expect(postings(batch.ulid)).toEqual([]);
  });
});
