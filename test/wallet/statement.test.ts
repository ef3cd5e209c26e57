import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { foldBatch } from "../../src/messages/batch-totals.ts";
import { adjust, topUp } from "../../src/wallet/funding.ts";
import { balanceBefore, statement } from "../../src/wallet/statement.ts";
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

const lines = async (fromMs = 0, toMs = Number.MAX_SAFE_INTEGER) => {
  const opening = await balanceBefore(books.store.read, account.id, fromMs, () => undefined);
  return statement(books.store.read, account.id, { atMs: fromMs, id: 0 }, toMs, opening).map(
    ({ kind, amount, balanceChange, balance }) => [kind, amount, balanceChange, balance],
  );
};

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
    expect(await lines()).toEqual([
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
    expect((await lines()).at(-1)?.[3]).toBe(shown.balance);
    expect(shown.reserved).toBe(0);
  });

  test("of a span has the entries from its start to before its end, its balance running from the beginning", async () => {
    await busyHour();
    expect(await lines(startMs + 120_000, startMs + 180_000)).toEqual([
      ["CHARGE", 200, -200, 800],
      ["RELEASE", 100, 0, 800],
    ]);
  });

  test("goes on where the last page ended, between entries of one instant too", async () => {
    await busyHour();
    const first = statement(books.store.read, account.id, { atMs: 0, id: 0 }, Number.MAX_SAFE_INTEGER, 0);
    for (const [index, { atMs, id, balance }] of first.entries()) {
      const rest = statement(books.store.read, account.id, { atMs, id }, Number.MAX_SAFE_INTEGER, balance);
      expect(rest).toEqual(first.slice(index + 1));
    }
  });

  test("keeps its order when the clock is set back: an entry is never older than the one before it", async () => {
    await books.store.write((tx) => {
      const late = { accountId: account.id, amount: 1, reason: "late", atMs: startMs + 5000 };
      adjust(tx, { ...late, id: "B" });
      adjust(tx, { ...late, id: "C", atMs: startMs - 5000, reason: "clock set back" });
    });
    const entries = statement(books.store.read, account.id, { atMs: 0, id: 0 }, Number.MAX_SAFE_INTEGER, 0);
    expect(entries.map(({ note, atMs }) => [note, atMs - startMs])).toEqual([
      [expect.any(String), 0],
      ["late", 5000],
      ["clock set back", 5000],
    ]);
  });
});
