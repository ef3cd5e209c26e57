import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { adjust, topUp } from "../../../src/domain/ledger/funding.ts";
import { readWallet } from "../../../src/domain/ledger/wallet.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";

let books: Books;
let account: TestAccount;
beforeEach(async () => {
  books = openBooks();
  account = await books.account({ funds: 0 });
});
afterEach(() => books.close());

const pay = (amount: number, reference: string, to = account) =>
  books.store.write(
    (tx) => topUp(tx, { accountId: to.id, accountUlid: to.ulid, amount, reference, atMs: 7 }).kind,
  );
const correct = (amount: number, id: string) =>
  books.store.write((tx) => adjust(tx, { accountId: account.id, amount, reason: "mistyped", id, atMs: 8 }));
const funds = (of = account) => readWallet(books.store.read, of.id).funds;
const entries = () =>
  books.store.read.all("SELECT kind, debit, credit, amount, cause, note FROM ledger ORDER BY id");

describe("a top-up", () => {
  test("pays in, with one posting that carries its reference", async () => {
    expect(await pay(5000, "OM-77")).toBe("posted");
    expect(funds()).toBe(5000);
    expect(entries()).toEqual([
      {
        kind: "TOPUP",
        debit: "CASH",
        credit: "FUNDS",
        amount: 5000,
        cause: `topup:${account.ulid}:OM-77`,
        note: "OM-77",
      },
    ]);
  });

  // Keeps: behaviour 5.9
  test("with a reference used already and the same amount succeeds and changes nothing", async () => {
    await pay(5000, "OM-77");
    expect(await pay(5000, "OM-77")).toBe("already");
    expect([funds(), entries().length]).toEqual([5000, 1]);
  });

  test("with a reference used already and another amount is a conflict and changes nothing", async () => {
    await pay(5000, "OM-77");
    expect(await pay(6000, "OM-77")).toBe("conflict");
    expect([funds(), entries().length]).toEqual([5000, 1]);
  });

  test("asked for twice at the same time pays in once", async () => {
    expect(await Promise.all([pay(5000, "OM-77"), pay(5000, "OM-77")])).toEqual(["posted", "already"]);
    expect(funds()).toBe(5000);
  });

  test("of another account may carry the same reference", async () => {
    const other = await books.account({ funds: 0 });
    await pay(5000, "OM-77");
    expect(await pay(1, "OM-77", other)).toBe("posted");
    expect([funds(), funds(other)]).toEqual([5000, 1]);
  });

  test("of nothing, or less, can't be posted", async () => {
    for (const amount of [0, -5]) {
      expect(await pay(amount, "OM-77").catch((error: Error) => error.name)).toBe("SQLiteError");
    }
    expect([funds(), entries().length]).toEqual([0, 0]);
  });
});

describe("an adjustment", () => {
  test("gives or takes, each as a posting of its own that says why", async () => {
    await correct(300, "A1");
    await correct(-500, "A2");
    expect(funds()).toBe(-200);
    expect(entries()).toEqual([
      {
        kind: "ADJUSTMENT",
        debit: "CASH",
        credit: "FUNDS",
        amount: 300,
        cause: "adjustment:A1",
        note: "mistyped",
      },
      {
        kind: "ADJUSTMENT",
        debit: "FUNDS",
        credit: "CASH",
        amount: 500,
        cause: "adjustment:A2",
        note: "mistyped",
      },
    ]);
  });
});

describe("the same adjustment again", () => {
  test("changes nothing", async () => {
    await correct(300, "A1");
    await correct(300, "A1");
    expect([funds(), entries().length]).toEqual([300, 1]);
  });
});

describe("the ledger", () => {
  test("only grows: no row is changed or removed, not even by hand", async () => {
    await pay(5000, "OM-77");
    const before = books.store.read.all("SELECT * FROM ledger");
    for (const sql of [
      "UPDATE ledger SET amount = 1",
      "UPDATE ledger SET note = 'x'",
      "DELETE FROM ledger",
      "INSERT OR REPLACE INTO ledger SELECT * FROM ledger",
    ]) {
      const changed = books.store.write((tx) => tx.run(sql));
      expect([sql, await changed.catch((error: Error) => error.message)]).toEqual([
        sql,
        "the ledger only grows",
      ]);
    }
    expect(books.store.read.all("SELECT * FROM ledger")).toEqual(before);
  });

  test("refuses a posting from a book to itself", async () => {
    const sql = `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, created_at)
      VALUES (1, 'TOPUP', 'FUNDS', 'FUNDS', 5, 'x', 0)`;
    expect(await books.store.write((tx) => tx.run(sql)).catch((error: Error) => error.name)).toBe(
      "SQLiteError",
    );
  });
});
