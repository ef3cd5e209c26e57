import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mayReserve, reserve } from "../../../src/domain/ledger/reservations.ts";
import { readWallet, type Wallet } from "../../../src/domain/ledger/wallet.ts";
import { type Books, openBooks } from "../../kit/books.ts";

const wallet = (
  billingMode: Wallet["billingMode"],
  funds: number,
  reserved = 0,
  creditLimit = 0,
): Wallet => ({
  billingMode,
  creditLimit,
  funds,
  reserved,
});

const answer = (of: Wallet, amount: number) => {
  const outcome = mayReserve(of, amount);
  return outcome.ok ? "yes" : outcome.refusal.code;
};

describe("what a wallet may set aside", () => {
  test.each([
    ["prepaid: all it has", wallet("PREPAID", 100), 100, "yes"],
    ["prepaid: one franc more", wallet("PREPAID", 100), 101, "INSUFFICIENT_FUNDS"],
    [
      "prepaid: what is set aside already is not there again",
      wallet("PREPAID", 0, 500),
      1,
      "INSUFFICIENT_FUNDS",
    ],
    ["prepaid: nothing from nothing", wallet("PREPAID", 0), 0, "yes"],
    ["prepaid: balance below zero", wallet("PREPAID", -1), 1, "WALLET_IN_DEBIT"],
    ["prepaid: balance below zero, whatever the price", wallet("PREPAID", -30, 20), 0, "WALLET_IN_DEBIT"],
    ["prepaid: funds below zero and balance not", wallet("PREPAID", -10, 10), 1, "INSUFFICIENT_FUNDS"],
    ["postpaid: down to the credit limit", wallet("POSTPAID", 0, 0, 100), 100, "yes"],
    ["postpaid: one franc beneath it", wallet("POSTPAID", 0, 0, 100), 101, "CREDIT_LIMIT_EXCEEDED"],
    [
      "postpaid: what is set aside counts against it",
      wallet("POSTPAID", -60, 60, 100),
      41,
      "CREDIT_LIMIT_EXCEEDED",
    ],
    ["postpaid: below zero by design", wallet("POSTPAID", -60, 60, 100), 40, "yes"],
    ["postpaid: money paid in counts too", wallet("POSTPAID", 50, 0, 100), 150, "yes"],
  ] as const)("%s", (_, of, amount, expected) => {
    expect(answer(of, amount)).toBe(expected);
  });
});

describe("setting money aside", () => {
  let books: Books;
  beforeEach(() => {
    books = openBooks();
  });
  afterEach(() => books.close());

  const take = (accountId: number, amount: number, batchUlid = "B1") =>
    books.store.write((tx) =>
      reserve(tx, {
        accountId,
        wallet: readWallet(tx, accountId),
        batchId: 1,
        batchUlid,
        amount,
        atMs: books.clock.nowMs(),
      }),
    );

  test("moves it from funds to reserved, with one posting that names the batch", async () => {
    const { id } = await books.account({ funds: 100 });
    await take(id, 30);
    expect(readWallet(books.store.read, id)).toMatchObject({ funds: 70, reserved: 30 });
    expect(
      books.store.read.all(
        "SELECT kind, debit, credit, amount, cause, batch_id, created_at FROM ledger WHERE kind = 'RESERVE'",
      ),
    ).toEqual([
      {
        kind: "RESERVE",
        debit: "FUNDS",
        credit: "RESERVED",
        amount: 30,
        cause: "batch:B1:reserve",
        batch_id: 1,
        created_at: books.clock.nowMs(),
      },
    ]);
  });

  test("of a batch that costs nothing leaves no posting", async () => {
    const { id } = await books.account({ funds: 0 });
    await take(id, 0);
    expect(books.store.read.all("SELECT * FROM ledger")).toEqual([]);
  });

  test("without having asked the wallet is a bug, and nothing moves", async () => {
    const { id } = await books.account({ funds: 100 });
    expect(await take(id, 101).catch((error: Error) => error.name)).toBe("BugError");
    expect(readWallet(books.store.read, id)).toMatchObject({ funds: 100, reserved: 0 });
  });

  // Keeps: behaviour 5.9
  test("twice for one batch never takes the money twice", async () => {
    const { id } = await books.account({ funds: 100 });
    await take(id, 30);
    await take(id, 30).catch(() => {});
    expect(readWallet(books.store.read, id)).toMatchObject({ funds: 70, reserved: 30 });
  });
});
