import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adjust, topUp } from "../../../src/domain/ledger/funding.ts";
import { balanceBefore, statement } from "../../../src/domain/ledger/statement.ts";
import { readBalance } from "../../../src/domain/ledger/wallet.ts";
import { postBatchMovements } from "../../../src/domain/messages/batch-totals.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { claimed, givenUp, partAccepted } from "../../kit/facts.ts";

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
  await books.store.write((tx) => postBatchMovements(tx, batch.id, books.clock.nowMs()));
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
    const shown = readBalance(books.store.read, account.id, 0);
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

  test("has each entry at the time it was made, whatever one before it was dated by a clock that ran ahead", async () => {
    const month = (number: number) => Date.UTC(2026, number - 1, 1);
    const ahead = Date.UTC(2036, 0, 1);
    await books.store.write((tx) => {
      const entry = { accountId: account.id, reason: "fee" };
      adjust(tx, { ...entry, id: "B", amount: -1, atMs: ahead });
      adjust(tx, { ...entry, id: "C", amount: -10, atMs: startMs + 2000 });
      adjust(tx, { ...entry, id: "D", amount: -100, atMs: startMs + 1000 });
      adjust(tx, { ...entry, id: "E", amount: -1000, atMs: month(4) });
    });
    const { read } = books.store;
    const opening = (atMs: number) => balanceBefore(read, account.id, atMs, () => undefined);
    const stretch = async (fromMs: number, toMs: number) =>
      statement(read, account.id, { atMs: fromMs, id: 0 }, toMs, await opening(fromMs)).map(
        ({ atMs, balance }) => [new Date(atMs).toISOString().slice(0, 19), balance],
      );
    const march = await stretch(month(3), month(4));
    expect(march.slice(-2)).toEqual([
      ["2026-03-02T09:00:01", 900],
      ["2026-03-02T09:00:02", 890],
    ]);
    expect(await opening(month(4))).toBe(890);
    expect(await stretch(month(4), month(5))).toEqual([["2026-04-01T00:00:00", -110]]);
    expect(await stretch(month(5), ahead)).toEqual([]);
    expect(await opening(Number.MAX_SAFE_INTEGER)).toBe(-111);
  });
});
