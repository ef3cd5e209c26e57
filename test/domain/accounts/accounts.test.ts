import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  accountById,
  accountByUlid,
  changeAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from "../../../src/domain/accounts/accounts.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = accountsFixture();
});
afterEach(() => fixture.close());

describe("accounts", () => {
  test("a new account is active, may send every class and is found by both ids", async () => {
    const id = await fixture.account({ name: "Banque" });
    const account = accountById(fixture.store.read, id)!;
    expect(account).toMatchObject({
      name: "Banque",
      status: "ACTIVE",
      suspendedReason: null,
      billingMode: "PREPAID",
      creditLimit: 0,
      chargeOn: null,
      classes: ["OTP", "TRANSACTIONAL", "MARKETING"],
      createdAtMs: fixture.clock.nowMs(),
    });
    expect(accountByUlid(fixture.store.read, account.ulid)).toEqual(account);
  });

  test("what is not there is null", () => {
    expect(accountById(fixture.store.read, 1)).toBeNull();
    expect(accountByUlid(fixture.store.read, "01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBeNull();
  });

  test("a change touches what it names and nothing else", async () => {
    const id = await fixture.account({ billingMode: "POSTPAID", creditLimit: 100 });
    const other = await fixture.account({ billingMode: "POSTPAID", creditLimit: 100 });
    const before = accountById(fixture.store.read, id)!;
    await fixture.store.write((tx) =>
      changeAccount(tx, id, { creditLimit: 500, classes: ["MARKETING", "OTP"] }),
    );
    expect(accountById(fixture.store.read, id)).toEqual({
      ...before,
      creditLimit: 500,
      classes: ["OTP", "MARKETING"],
    });
    expect(accountById(fixture.store.read, other)?.creditLimit).toBe(100);
    await fixture.store.write((tx) => changeAccount(tx, id, {}));
    await fixture.store.write((tx) => changeAccount(tx, id, { timezone: "UTC", chargeOn: "delivered" }));
    expect(accountById(fixture.store.read, id)).toMatchObject({
      creditLimit: 500,
      timezone: "UTC",
      chargeOn: "delivered",
    });
  });

  test("rules of its own are kept one by one and given back one by one", async () => {
    const id = await fixture.account();
    const none = {
      recipientsPerMinute: null,
      recipientsPerDay: null,
      marketingHours: null,
      marketingPerDay: null,
      marketingPerWeek: null,
    };
    expect(accountById(fixture.store.read, id)).toMatchObject({ overrides: none, lowBalance: null });
    const rules = {
      recipientsPerMinute: 1,
      recipientsPerDay: 2,
      marketingHours: "09:00-18:00",
      marketingPerDay: 3,
      marketingPerWeek: 4,
    };
    await fixture.store.write((tx) => changeAccount(tx, id, { ...rules, lowBalance: 500 }));
    expect(accountById(fixture.store.read, id)).toMatchObject({ overrides: rules, lowBalance: 500 });
    await fixture.store.write((tx) => changeAccount(tx, id, { recipientsPerDay: null, lowBalance: null }));
    expect(accountById(fixture.store.read, id)).toMatchObject({
      overrides: { ...rules, recipientsPerDay: null },
      lowBalance: null,
    });
  });

  test("suspending keeps the reason, resuming forgets it", async () => {
    const id = await fixture.account();
    await fixture.store.write((tx) => suspendAccount(tx, id, "fraud"));
    expect(accountById(fixture.store.read, id)).toMatchObject({
      status: "SUSPENDED",
      suspendedReason: "fraud",
    });
    await fixture.store.write((tx) => resumeAccount(tx, id));
    expect(accountById(fixture.store.read, id)).toMatchObject({ status: "ACTIVE", suspendedReason: null });
  });

  test("accounts are listed oldest first", async () => {
    await fixture.account({ name: "a" });
    await fixture.account({ name: "b" });
    expect(listAccounts(fixture.store.read).map((account) => account.name)).toEqual(["a", "b"]);
  });
});
