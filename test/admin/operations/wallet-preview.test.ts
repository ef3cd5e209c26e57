import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WALLET_OPERATIONS, walletPreview, walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const balance = async () =>
  granted(await run(WALLET_OPERATIONS["wallet show"], fixture.context, { account })).balance;

describe("what a movement would make of a wallet", () => {
  test("is told with whose it is, and changes nothing", async () => {
    const { context } = fixture;
    granted(await walletTopUp(context, account, 1000, "r1"));
    const topUp = { kind: "topup", amount: 500, reference: "r2" } as const;
    expect(granted(walletPreview(context, account, topUp))).toMatchObject({
      account: "Faso Shop",
      balance_before: 1000,
      balance_after: 1500,
      spendable_before: 1000,
      spendable_after: 1500,
      already_counted_at: null,
    });
    expect(granted(walletPreview(context, account, { kind: "adjustment", amount: -1500 }))).toMatchObject({
      balance_before: 1000,
      balance_after: -500,
      spendable_after: 0,
    });
    expect(await balance()).toBe(1000);
  });

  test("is what comes of it", async () => {
    const { context } = fixture;
    const told = granted(walletPreview(context, account, { kind: "topup", amount: 750, reference: "r" }));
    const done = granted(await walletTopUp(context, account, 750, "r"));
    expect([done.balance, done.spendable]).toEqual([told.balance_after, told.spendable_after]);
  });

  test("says that a reference was counted, and refuses what the movement would refuse", async () => {
    const { context } = fixture;
    granted(await walletTopUp(context, account, 1000, "r1"));
    const again = granted(walletPreview(context, account, { kind: "topup", amount: 1000, reference: "r1" }));
    expect(again).toMatchObject({ balance_after: 1000 });
    expect(again.already_counted_at).not.toBeNull();
    const refusal = (amount: number, reference: string) =>
      codeOf(walletPreview(context, account, { kind: "topup", amount, reference }));
    expect(refusal(999, "r1")).toBe("REFERENCE_REUSED");
    expect(refusal(0, "r2")).toBe("INVALID_AMOUNT");
    expect(refusal(1, " ")).toBe("INVALID_REFERENCE");
    expect(codeOf(walletPreview(context, account, { kind: "adjustment", amount: 0 }))).toBe("INVALID_AMOUNT");
  });
});

test("an adjustment that has a name counts once, and its name stands for one amount", async () => {
  const { context } = fixture;
  granted(
    await run(WALLET_OPERATIONS["wallet adjust"], context, {
      account,
      amount: -300,
      reason: "mistake",
      reference: "form-1",
    }),
  );
  granted(
    await run(WALLET_OPERATIONS["wallet adjust"], context, {
      account,
      amount: -300,
      reason: "mistake",
      reference: "form-1",
    }),
  );
  expect(await balance()).toBe(-300);
  expect(
    codeOf(
      await run(WALLET_OPERATIONS["wallet adjust"], context, {
        account,
        amount: -400,
        reason: "mistake",
        reference: "form-1",
      }),
    ),
  ).toBe("REFERENCE_REUSED");
  granted(
    await run(WALLET_OPERATIONS["wallet adjust"], context, { account, amount: -300, reason: "mistake" }),
  );
  expect(await balance()).toBe(-600);
  expect(fixture.audited().filter((entry) => entry === "awa: wallet adjust")).toHaveLength(2);
  const other = await fixture.account();
  granted(
    await run(WALLET_OPERATIONS["wallet adjust"], context, {
      account: other,
      amount: 50,
      reason: "another account, the same name",
      reference: "form-1",
    }),
  );
  expect(granted(await run(WALLET_OPERATIONS["wallet show"], context, { account: other })).balance).toBe(50);
});
