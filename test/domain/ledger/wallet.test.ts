import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adjust } from "../../../src/domain/ledger/funding.ts";
import { moveWallet, readBalance, readWallet } from "../../../src/domain/ledger/wallet.ts";
import { type Books, openBooks } from "../../kit/books.ts";

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const balance = (accountId: number) => readBalance(books.store.read, accountId, books.clock.nowMs());

describe("the balance object", () => {
  // Keeps: behaviour 5.1
  test("has exactly the promised fields; spendable is balance plus credit limit less what is reserved", async () => {
    const account = await books.account({ billingMode: "POSTPAID", creditLimit: 1000, funds: 200 });
    await books.batch(account, { segments: [2, 1], price: 100 });
    expect(balance(account.id)).toEqual({
      billing_mode: "POSTPAID",
      currency: "XOF",
      balance: 200,
      reserved: 300,
      credit_limit: 1000,
      spendable: 900,
      as_of: "2026-03-02T09:00:00.000Z",
      is_sandbox: false,
    });
  });

  // Keeps: behaviour 5.1
  test("of a prepaid account has no credit, and setting aside leaves its balance as it is", async () => {
    const account = await books.account({ funds: 500 });
    await books.batch(account, { segments: [1], price: 120 });
    expect(balance(account.id)).toMatchObject({
      balance: 500,
      reserved: 120,
      credit_limit: 0,
      spendable: 380,
    });
  });

  // Keeps: behaviour 5.1
  test("spendable is never shown below zero", async () => {
    const account = await books.account({ funds: 100 });
    await books.store.write((tx) =>
      adjust(tx, { accountId: account.id, amount: -400, reason: "chargeback", id: "A", atMs: 0 }),
    );
    expect(balance(account.id)).toMatchObject({ balance: -300, reserved: 0, spendable: 0 });
  });

  test("of an account without a wallet is a bug", () => {
    expect(() => readWallet(books.store.read, 99)).toThrow("account 99 has a wallet");
  });
});

describe("a wallet", () => {
  test("can't hold less than nothing in reserve", async () => {
    const account = await books.account({ funds: 100 });
    const taken = books.store.write((tx) => moveWallet(tx, account.id, 1, -1, 0));
    expect(await taken.catch((error: Error) => error.name)).toBe("SQLiteError");
    expect(readWallet(books.store.read, account.id)).toMatchObject({ funds: 100, reserved: 0 });
  });

  test("that is not there can't be moved", async () => {
    const moved = books.store.write((tx) => moveWallet(tx, 99, 1, 0, 0));
    expect(await moved.catch((error: Error) => error.name)).toBe("BugError");
  });
});
