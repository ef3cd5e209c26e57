import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountSet } from "../../../src/admin/operations/accounts.ts";
import { WALLET_OPERATIONS, walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { eventsAfter } from "../../../src/domain/events/outbox.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

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
    expect(granted(await run(WALLET_OPERATIONS["wallet show"], fixture.context, { account }))).toMatchObject({
      account_id: account,
      account: "Faso Shop",
      balance: 5000,
    });
    expect(fixture.audited().filter((entry) => entry === "awa: wallet topup")).toHaveLength(1);
  });

  test("the answer says whose wallet, what, and that a reference was counted before", async () => {
    const first = granted(await walletTopUp(fixture.context, account, 5000, "r1"));
    const countedAt = first.as_of;
    expect(first).toMatchObject({
      topup: 5000,
      reference: "r1",
      already_counted_at: null,
      note: null,
      account_id: account,
      account: "Faso Shop",
      balance: 5000,
    });
    await fixture.clock.advance(86_400_000);
    expect(granted(await walletTopUp(fixture.context, account, 5000, "r1"))).toMatchObject({
      already_counted_at: countedAt,
      note: phrase("cli.counted_already", { at: Date.parse(countedAt) }),
      balance: 5000,
    });
    const other = await walletTopUp(fixture.context, account, 4999, "r1");
    expect(other.ok ? "" : english(other.refusal.detail)).toContain(
      `5000 XOF to Faso Shop, counted on ${countedAt}`,
    );
    const down = granted(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
        account,
        amount: -500,
        reason: "mistake",
      }),
    );
    expect(down).toMatchObject({ adjustment: -500, reason: "mistake", account: "Faso Shop", balance: 4500 });
  });

  test.each([0, -1, 0.5, Number.NaN, 1e15])("%d XOF is no top-up", async (amount) => {
    expect(codeOf(await walletTopUp(fixture.context, account, amount, "r1"))).toBe("INVALID_AMOUNT");
  });

  test("a top-up needs a reference", async () => {
    expect(codeOf(await walletTopUp(fixture.context, account, 1, "  "))).toBe("INVALID_REFERENCE");
  });
});

test("an adjustment may put a prepaid wallet in debit, but not be nothing", async () => {
  expect(
    granted(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, {
        account,
        amount: -300,
        reason: "refund",
      }),
    ),
  ).toMatchObject({
    balance: -300,
    spendable: 0,
  });
  expect(
    codeOf(
      await run(WALLET_OPERATIONS["wallet adjust"], fixture.context, { account, amount: 0, reason: "none" }),
    ),
  ).toBe("INVALID_AMOUNT");
});

test("a low balance that is set above what the wallet has counts as crossed at once", async () => {
  const crossings = () =>
    eventsAfter(fixture.context.store.read, 1, 0, 10).flatMap((event) =>
      event.type === "WALLET_LOW" ? [[event.figures.spendable, event.figures.low_balance]] : [],
    );
  granted(await walletTopUp(fixture.context, account, 500, "r1"));
  granted(await accountSet(fixture.context, account, { lowBalance: 500 }));
  expect(crossings()).toEqual([]);
  granted(await accountSet(fixture.context, account, { lowBalance: 501 }));
  granted(await accountSet(fixture.context, account, { lowBalance: 502 }));
  expect(crossings()).toEqual([[500, 501]]);
});

test("an adjustment that is named counts once; under the same name, with the other sign too, another one is refused", async () => {
  const { context } = fixture;
  granted(await walletTopUp(context, account, 5000, "r1"));
  for (const _ of [1, 2])
    expect(
      granted(
        await run(WALLET_OPERATIONS["wallet adjust"], context, {
          account,
          amount: 700,
          reason: "gift",
          reference: "form-1",
        }),
      ).balance,
    ).toBe(5700);
  for (const other of [-700, 701]) {
    const refused = await run(WALLET_OPERATIONS["wallet adjust"], context, {
      account,
      amount: other,
      reason: "gift",
      reference: "form-1",
    });
    expect(codeOf(refused)).toBe("REFERENCE_REUSED");
    expect(refused.ok ? "" : english(refused.refusal.detail)).toContain("another amount: 700 XOF");
  }
  for (const _ of [1, 2])
    expect(
      granted(
        await run(WALLET_OPERATIONS["wallet adjust"], context, {
          account,
          amount: -700,
          reason: "back",
          reference: "form-2",
        }),
      ).balance,
    ).toBe(5000);
  const back = await run(WALLET_OPERATIONS["wallet adjust"], context, {
    account,
    amount: 700,
    reason: "back",
    reference: "form-2",
  });
  expect(back.ok ? "" : english(back.refusal.detail)).toContain("another amount: -700 XOF");
});
