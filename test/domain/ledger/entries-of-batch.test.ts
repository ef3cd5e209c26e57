import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ENTERED_FOR_BATCH, enteredForBatch } from "../../../src/domain/ledger/books-check.ts";
import { type Books, openBooks } from "../../kit/books.ts";
import * as facts from "../../kit/facts.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

describe("the entries of a batch", () => {
  test("are found by their cause, whatever else the account has", () => {
    const plan = books.store.read.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT b.id FROM batches b WHERE (1, 2, 3) IS NOT (${ENTERED_FOR_BATCH})`,
    );
    expect(plan.map(({ detail }) => detail).filter((detail) => /\bl\b/.test(detail))).toEqual([
      "SEARCH l USING INDEX sqlite_autoindex_ledger_1 (cause>? AND cause<?)",
    ]);
  });

  test("are those of no other batch", async () => {
    const account = await books.account();
    const [one, other] = [
      await books.batch(account, { segments: [1, 2], price: 10 }),
      await books.batch(account, { segments: [1], price: 7 }),
    ];
    for (const id of [...one.messages, ...other.messages]) await books.apply(facts.givenUp(id));
    const entered = ({ id, ulid }: { id: number; ulid: string }) =>
      enteredForBatch(books.store.read, { id, ulid, accountId: account.id });
    expect(entered(one)).toEqual({ reserved: 30, charged: 0, released: 30 });
    expect(entered(other)).toEqual({ reserved: 7, charged: 0, released: 7 });
  });
});
