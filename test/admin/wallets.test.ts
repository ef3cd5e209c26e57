import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ledgerCheck } from "../../src/admin/books.ts";
import { walletAdjust, walletShow, walletStatement, walletTopUp } from "../../src/admin/wallets.ts";
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

test("a statement has cause and running balance, and keeps to its stretch of time", async () => {
  granted(await walletTopUp(fixture.context, account, 1000, "r1"));
  await fixture.clock.advance(1000);
  const laterMs = fixture.clock.nowMs();
  granted(await walletAdjust(fixture.context, account, -400, "correction"));
  const whole = granted(walletStatement(fixture.context, account, null, null));
  expect(whole.entries.map(({ kind, change, balance }) => [kind, change, balance])).toEqual([
    ["TOPUP", 1000, 1000],
    ["ADJUSTMENT", -400, 600],
  ]);
  expect(whole.wallet.balance).toBe(600);
  const later = granted(walletStatement(fixture.context, account, laterMs, null)).entries;
  expect(later.map((entry) => entry.balance)).toEqual([600]);
  const earlier = granted(walletStatement(fixture.context, account, null, laterMs)).entries;
  expect(earlier.map((entry) => entry.note)).toEqual(["r1"]);
});

describe("checking the books", () => {
  test("books that agree are counted", async () => {
    granted(await walletTopUp(fixture.context, account, 1000, "r1"));
    expect(granted(await ledgerCheck(fixture.context))).toEqual({ accounts: 1, batches: 0 });
  });

  test("a wallet that differs from its entries is named", async () => {
    granted(await walletTopUp(fixture.context, account, 1000, "r1"));
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET funds = funds + 1"));
    const outcome = await ledgerCheck(fixture.context);
    expect(codeOf(outcome)).toBe("LEDGER_DIFFERENCES");
    expect(JSON.stringify(outcome)).toContain(`account ${account}: funds is 1001 XOF, its entries make 1000`);
  });

  test("a batch that differs from its messages is named", async () => {
    await fixture.context.store.write((tx) =>
      tx.run(
        `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
           created_at, expires_at, charge_on, first_message_id, accepted, unfinished, unsquared, reserved_amount)
         VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 1, 'QUEUED', 'S', 'SMS', 'OTP', 'x', 0, 'UTC', 1, 2, 'accepted',
           1, 1, 1, 1, 15)`,
      ),
    );
    const text = JSON.stringify(await ledgerCheck(fixture.context));
    expect(text).toContain("batch 01ARZ3NDEKTSV4RRFFQ69G5FAV: reserved is 15 XOF, its entries make 0");
    expect(text).toContain("reserved by batches is 15 XOF, its entries make 0");
  });
});
