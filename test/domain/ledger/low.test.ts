import { afterEach, beforeEach, expect, test } from "vitest";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import { eventsAfter } from "../../../src/domain/events/outbox.ts";
import { adjust, topUp } from "../../../src/domain/ledger/funding.ts";
import { reviewLevel } from "../../../src/domain/ledger/wallet.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { givenUp } from "../../kit/facts.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
  await set({ lowBalance: 500 });
});
afterEach(() => books.close());

const set = (changes: { lowBalance?: number | null; creditLimit?: number }) =>
  books.store.write((tx) => {
    changeAccount(tx, account.id, changes);
    reviewLevel(tx, account.id, books.clock.nowMs());
  });

let used = 0;
const move = (amount: number) =>
  books.store.write((tx) => {
    used += 1;
    adjust(tx, { accountId: account.id, amount, reason: "x", id: String(used), atMs: books.clock.nowMs() });
  });

/** What was told, as the spendable amounts of the events. */
const crossings = () =>
  eventsAfter(books.store.read, account.id, 0, 100).flatMap((event) =>
    event.type === "WALLET_LOW" ? [event.figures.spendable] : [],
  );

// Keeps: behaviour 8.13
test("a wallet that falls below its low balance is told of once, until it had enough again", async () => {
  await move(-500);
  expect(crossings()).toEqual([]);
  await move(-1);
  await move(-100);
  expect(crossings()).toEqual([499]);
  await books.store.write((tx) =>
    topUp(tx, { accountId: account.id, accountUlid: account.ulid, amount: 101, reference: "R", atMs: 1 }),
  );
  expect(crossings()).toEqual([499]);
  await move(-10);
  expect(crossings()).toEqual([499, 490]);
});

test("what is set aside for a batch counts as spent, what is released counts as back", async () => {
  const batch = await books.batch(account, { segments: [6], price: 100 });
  expect(crossings()).toEqual([400]);
  await books.apply(givenUp(batch.messages[0] ?? 0));
  await books.batch(account, { segments: [7], price: 100 });
  expect(crossings()).toEqual([400, 300]);
});

test("the event has the wallet's figures as they stood", async () => {
  await move(-501);
  await move(-400);
  const [event] = eventsAfter(books.store.read, account.id, 0, 100);
  expect(event).toMatchObject({
    type: "WALLET_LOW",
    atMs: books.clock.nowMs(),
    figures: {
      low_balance: 500,
      spendable: 499,
      balance: 499,
      reserved: 0,
      credit_limit: 0,
      currency: "XOF",
    },
  });
});

test("without a low balance nobody is told", async () => {
  await set({ lowBalance: null });
  await move(-1000);
  expect(crossings()).toEqual([]);
});

test("a low balance that is set above what there is tells at once", async () => {
  await set({ lowBalance: 1001 });
  expect(crossings()).toEqual([1000]);
});

test("the headroom of a postpaid account counts, and a lower credit limit can cross the line", async () => {
  const postpaid = await books.account({ funds: 0, billingMode: "POSTPAID", creditLimit: 900 });
  account = postpaid;
  await set({ lowBalance: 500 });
  expect(crossings()).toEqual([]);
  await set({ creditLimit: 499 });
  expect(crossings()).toEqual([499]);
});
