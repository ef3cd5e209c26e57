import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { walletAdjust, walletShow, walletTopUp } from "../../src/admin/wallets.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

describe("paying in", () => {
  test("a reference counts once: the same amount is harmless, another is refused", async () => {
    expect(granted(await walletTopUp(fixture.context, account, 5000, "r1")).balance).toBe(5000);
    expect(granted(await walletTopUp(fixture.context, account, 5000, "r1")).balance).toBe(5000);
    expect(codeOf(await walletTopUp(fixture.context, account, 4999, "r1"))).toBe("REFERENCE_REUSED");
    expect(granted(walletShow(fixture.context, account)).balance).toBe(5000);
    expect(fixture.audited().filter((entry) => entry === "awa: wallet topup")).toHaveLength(1);
  });

  test.each([0, -1, 0.5, Number.NaN, 1e15])("%d XOF is no top-up", async (amount) => {
    expect(codeOf(await walletTopUp(fixture.context, account, amount, "r1"))).toBe("INVALID_AMOUNT");
  });

  test("a top-up needs a reference", async () => {
    expect(codeOf(await walletTopUp(fixture.context, account, 1, "  "))).toBe("INVALID_REFERENCE");
  });
});

test("an adjustment may put a prepaid wallet in debit, but not be nothing", async () => {
  expect(granted(await walletAdjust(fixture.context, account, -300, "refund"))).toMatchObject({
    balance: -300,
    spendable: 0,
  });
  expect(codeOf(await walletAdjust(fixture.context, account, 0, "none"))).toBe("INVALID_AMOUNT");
});
