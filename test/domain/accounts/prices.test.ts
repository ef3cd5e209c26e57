import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  findPrice,
  listPrices,
  priceChanges,
  priceDifferences,
  setPrice,
  unsetPrice,
} from "../../../src/domain/accounts/prices.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
let accountId: number;
beforeEach(async () => {
  fixture = accountsFixture();
  accountId = await fixture.account();
});
afterEach(() => fixture.close());

const otp = (operator = "orange") => findPrice(fixture.store.read, accountId, operator, "OTP", 15);

describe("prices", () => {
  test("without a price of its own an account pays the operator's", () => {
    expect(otp()).toBe(15);
  });

  test("the price for the class wins over the one for all classes, and that over the operator's", async () => {
    const set = (messageClass: "OTP" | "MARKETING" | null, amount: number) =>
      fixture.store.write((tx) => setPrice(tx, accountId, { operator: "orange", messageClass, amount }, 1));
    await set("MARKETING", 9);
    expect(otp()).toBe(15);
    await set(null, 12);
    expect(otp()).toBe(12);
    await set("OTP", 0);
    expect(otp()).toBe(0);
    expect(otp("moov")).toBe(15);
    await set("OTP", 14);
    expect(otp()).toBe(14);
    expect(listPrices(fixture.store.read, accountId)).toEqual([
      { operator: "orange", messageClass: null, amount: 12 },
      { operator: "orange", messageClass: "MARKETING", amount: 9 },
      { operator: "orange", messageClass: "OTP", amount: 14 },
    ]);
  });

  test("another account's price is not mine", async () => {
    const other = await fixture.account();
    await fixture.store.write((tx) =>
      setPrice(tx, other, { operator: "orange", messageClass: null, amount: 1 }, 1),
    );
    expect(otp()).toBe(15);
  });

  test("a price that is taken away leaves the one behind it, and the history says when", async () => {
    const price = (messageClass: "OTP" | null) => ({ operator: "orange", messageClass });
    await fixture.store.write((tx) => {
      setPrice(tx, accountId, { ...price(null), amount: 12 }, 1);
      setPrice(tx, accountId, { ...price("OTP"), amount: 9 }, 2);
    });
    const unset = (messageClass: "OTP" | null) =>
      fixture.store.write((tx) => unsetPrice(tx, accountId, price(messageClass), 3));
    expect(await unset("OTP")).toBe(true);
    expect(otp()).toBe(12);
    expect(await unset(null)).toBe(true);
    expect(otp()).toBe(15);
    expect(await unset(null)).toBe(false);
    expect(priceChanges(fixture.store.read, accountId, 2).map(({ atMs, amount }) => [atMs, amount])).toEqual([
      [3, null],
      [3, null],
    ]);
    expect(priceDifferences(fixture.store.read)).toEqual([]);
  });

  test("every price that was ever set is kept, the newest first", async () => {
    const other = await fixture.account();
    for (const [atMs, accountOf, amount] of [
      [1, accountId, 12],
      [2, other, 7],
      [3, accountId, 14],
    ] as const) {
      const price = { operator: "orange", messageClass: null, amount };
      await fixture.store.write((tx) => setPrice(tx, accountOf, price, atMs));
    }
    expect(priceChanges(fixture.store.read, accountId, 10)).toEqual([
      { atMs: 3, operator: "orange", messageClass: null, amount: 14 },
      { atMs: 1, operator: "orange", messageClass: null, amount: 12 },
    ]);
    expect(priceChanges(fixture.store.read, accountId, 1)).toHaveLength(1);
  });
});
