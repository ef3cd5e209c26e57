import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listPrices, priceFor, setPrice } from "../../src/accounts/prices.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
let accountId: number;
beforeEach(async () => {
  fixture = accountsFixture();
  accountId = await fixture.account();
});
afterEach(() => fixture.close());

const otp = (operator = "orange") => priceFor(fixture.store.read, accountId, operator, "OTP", 15);

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
});
