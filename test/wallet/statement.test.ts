import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { foldBatch } from "../../src/messages/batch-totals.ts";
import { adjust, topUp } from "../../src/wallet/funding.ts";
import { statement } from "../../src/wallet/statement.ts";
import { balanceOf } from "../../src/wallet/wallet.ts";
import { type Books, openBooks, type TestAccount } from "../kit/books.ts";
import { claimed, givenUp, partAccepted } from "../kit/facts.ts";

let books: Books;
let account: TestAccount;
let startMs: number;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 1000 });
  startMs = books.clock.nowMs();
});
afterEach(() => books.close());

const lines = (fromMs = 0, toMs = Number.MAX_SAFE_INTEGER) =>
  [...statement(books.store.read, account.id, fromMs, toMs)].map(
    ({ kind, amount, balanceChange, balance }) => [kind, amount, balanceChange, balance],
  );

/** A top-up, a batch of which one message is charged and one released, and a correction, a minute apart. */
async function busyHour(): Promise<void> {
  const other = await books.account({ funds: 77 });
  await books.clock.advance(60_000);
  const batch = await books.batch(account, { segments: [2, 1], price: 100 });
  await books.batch(other, { segments: [1], price: 5 });
  await books.clock.advance(60_000);
  const [first = 0, second = 0] = batch.messages;
  await books.apply(claimed(first), partAccepted(first, 1), partAccepted(first, 2), givenUp(second));
  await books.store.write((tx) => foldBatch(tx, batch.id, books.clock.nowMs()));
  await books.clock.advance(60_000);
  await books.store.write((tx) => {
    topUp(tx, {
      accountId: account.id,
      accountUlid: account.ulid,
      amount: 50,
      reference: "R2",
      atMs: books.clock.nowMs(),
    });
    adjust(tx, { accountId: account.id, amount: -20, reason: "fee", id: "A", atMs: books.clock.nowMs() });
  });
}

describe("a statement", () => {
  test("lists the account's entries in order, with a balance that only charges and money in and out move", async () => {
    await busyHour();
    expect(lines()).toEqual([
      ["TOPUP", 1000, 1000, 1000],
      ["RESERVE", 300, 0, 1000],
      ["CHARGE", 200, -200, 800],
      ["RELEASE", 100, 0, 800],
      ["TOPUP", 50, 50, 850],
      ["ADJUSTMENT", 20, -20, 830],
    ]);
  });

  test("its last balance is the balance of the account once everything is folded", async () => {
    await busyHour();
    const shown = balanceOf(books.store.read, account.id, 0);
    expect(lines().at(-1)?.[3]).toBe(shown.balance);
    expect(shown.reserved).toBe(0);
  });

  test("of a span has the entries from its start to before its end, its balance running from the beginning", async () => {
    await busyHour();
    expect(lines(startMs + 120_000, startMs + 180_000)).toEqual([
      ["CHARGE", 200, -200, 800],
      ["RELEASE", 100, 0, 800],
    ]);
  });

  test("can be left half read and asked for again", async () => {
    await busyHour();
    for (const entry of statement(books.store.read, account.id, 0, Number.MAX_SAFE_INTEGER)) {
      expect(entry.kind).toBe("TOPUP");
      break;
    }
    expect(lines()).toHaveLength(6);
  });
});
