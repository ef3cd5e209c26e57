import { afterEach, beforeEach, expect, test } from "vitest";
import { checkpointWatch } from "../../../src/domain/ledger/checkpoints.ts";
import { topUp } from "../../../src/domain/ledger/funding.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

let references = 0;
const entries = (account: TestAccount, count: number) =>
  books.store.write((tx) => {
    for (let n = 0; n < count; n++) {
      const reference = `r${references++}`;
      topUp(tx, {
        accountId: account.id,
        accountUlid: account.ulid,
        amount: 1,
        reference,
        atMs: books.clock.nowMs(),
      });
    }
  });

test("an account is looked at with its first entry since the start, and then once in 2,500; one without any is not", async () => {
  const [busy, quiet] = [await books.account(), await books.account()];
  const due = checkpointWatch(books.store.read);
  const look = () => due(() => undefined);
  expect(await look()).toEqual([]);
  await entries(busy, 1);
  expect(await look()).toEqual([busy.id]);
  await entries(busy, 2499);
  expect(await look()).toEqual([]);
  await entries(busy, 1);
  expect(await look()).toEqual([busy.id]);
  await entries(busy, 6000);
  await entries(quiet, 1);
  expect(await look()).toEqual([busy.id, quiet.id]);
  expect(await look()).toEqual([]);
});
