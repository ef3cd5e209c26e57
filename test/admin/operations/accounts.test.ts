import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ACCOUNT_OPERATIONS,
  accountCreate,
  accountSet,
  accountShow,
} from "../../../src/admin/operations/accounts.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

const NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe("creating an account", () => {
  test("it has an empty wallet, the default timezone and an audit entry, and the server has nothing to do with it", async () => {
    const account = granted(
      await accountCreate(fixture.context, {
        name: "  Banque ",
        billing: "POSTPAID",
        creditLimit: 1000,
        timezone: null,
      }),
    );
    expect(account).toMatchObject({
      name: "Banque",
      status: "ACTIVE",
      timezone: "Africa/Ouagadougou",
      billing_mode: "POSTPAID",
      credit_limit: 1000,
      charge_on: null,
      wallet: { balance: 0, reserved: 0, spendable: 1000 },
    });
    expect(granted(accountShow(fixture.context, account.account_id.toLowerCase()))).toEqual(account);
    expect(granted(await run(ACCOUNT_OPERATIONS["account list"], fixture.context, {})).accounts).toEqual([
      account,
    ]);
    expect(fixture.audited()).toEqual(["awa: account create"]);
    expect(fixture.told()).toEqual([]);
  });

  test.each([
    ["INVALID_NAME", { name: " " }],
    ["INVALID_NAME", { name: "x".repeat(201) }],
    ["INVALID_NAME", { name: "a\u001b[31mb" }],
    ["INVALID_TIMEZONE", { timezone: "Africa/Nowhere" }],
    ["CREDIT_LIMIT_NOT_ALLOWED", { billing: "PREPAID" as const, creditLimit: 1 }],
    ["INVALID_AMOUNT", { creditLimit: -1 }],
    ["INVALID_AMOUNT", { creditLimit: 1_000_000_000_001 }],
  ])("%s for %j, and nothing is left behind", async (code, wrong) => {
    const wanted = { name: "a", billing: "POSTPAID" as const, creditLimit: 0, timezone: null, ...wrong };
    expect(codeOf(await accountCreate(fixture.context, wanted))).toBe(code);
    expect(granted(await run(ACCOUNT_OPERATIONS["account list"], fixture.context, {})).accounts).toEqual([]);
    expect(fixture.audited()).toEqual([]);
  });
});

describe("changing an account", () => {
  test("settings change one by one and come back in the answer", async () => {
    const id = await fixture.account("POSTPAID");
    granted(await accountSet(fixture.context, id, { creditLimit: 700, chargeOn: "delivered" }));
    const account = granted(await accountSet(fixture.context, id, { classes: ["OTP"], timezone: "UTC" }));
    expect(account).toMatchObject({
      credit_limit: 700,
      charge_on: "delivered",
      classes: ["OTP"],
      timezone: "UTC",
    });
    expect(granted(await accountSet(fixture.context, id, { chargeOn: null })).charge_on).toBeNull();
  });

  test("what its batches ask for their texts is as promised until it is changed", async () => {
    const id = await fixture.account();
    expect(granted(await accountShow(fixture.context, id))).toMatchObject({
      text_policy: "as_is",
      missing_attributes: "empty",
    });
    expect(granted(await accountSet(fixture.context, id, { textPolicy: "gsm_only" }))).toMatchObject({
      text_policy: "gsm_only",
      missing_attributes: "empty",
    });
  });

  test("rules of its own stand beside what counts in the end, and null gives them back", async () => {
    const id = await fixture.account();
    const rules = { recipientsPerDay: 5, marketingHours: "20:00-06:00", marketingPerDay: 0 };
    const account = granted(await accountSet(fixture.context, id, { ...rules, lowBalance: 1000 }));
    expect(account).toMatchObject({
      recipients_per_minute: null,
      recipients_per_day: 5,
      marketing_hours: "20:00-06:00",
      marketing_per_day: 0,
      marketing_per_week: null,
      low_balance: 1000,
      policy: {
        recipients_per_minute: 0,
        recipients_per_day: 5,
        marketing_hours: "20:00-06:00",
        marketing_per_day: 0,
        marketing_per_week: 6,
      },
    });
    const none = { recipientsPerDay: null, marketingHours: null, lowBalance: null };
    expect(granted(await accountSet(fixture.context, id, none))).toMatchObject({
      recipients_per_day: null,
      low_balance: null,
      policy: { recipients_per_day: 1_000_000, marketing_hours: "08:00-20:00", marketing_per_day: 0 },
    });
    const audit = fixture.context.store.read.all<{ detail: string }>(
      "SELECT detail FROM audit_entries WHERE action = 'account set' ORDER BY id",
    );
    expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([
      { recipients_per_day: 5, marketing_hours: "20:00-06:00", marketing_per_day: 0, low_balance: 1000 },
      { recipients_per_day: null, marketing_hours: null, low_balance: null },
    ]);
  });

  test.each([
    ["INVALID_NUMBER", { recipientsPerMinute: -1 }, '"max":10000000}'],
    ["INVALID_NUMBER", { recipientsPerDay: 1.5 }, "recipients_per_day"],
    ["INVALID_NUMBER", { marketingPerDay: 1001 }, '"max":1000,'],
    ["INVALID_NUMBER", { marketingPerWeek: Number.NaN }, "marketing_per_week"],
    ["INVALID_HOURS", { marketingHours: "8-20" }, "config.expects.hours"],
    ["INVALID_HOURS", { marketingHours: "" }, "config.expects.hours"],
    ["INVALID_AMOUNT", { lowBalance: -1 }, "low_balance"],
  ])("%s for %j, within the bounds of the configuration", async (code, wrong, words) => {
    const id = await fixture.account();
    const before = fixture.audited();
    const outcome = await accountSet(fixture.context, id, { timezone: "UTC", ...wrong });
    expect(codeOf(outcome)).toBe(code);
    expect(JSON.stringify(outcome)).toContain(words);
    expect(granted(accountShow(fixture.context, id)).timezone).toBe("Africa/Ouagadougou");
    expect(fixture.audited()).toEqual(before);
  });

  test("what cannot be is refused and changes nothing", async () => {
    const id = await fixture.account("PREPAID");
    const before = fixture.audited();
    expect(codeOf(await accountSet(fixture.context, NOBODY, { timezone: "UTC" }))).toBe("ACCOUNT_NOT_FOUND");
    expect(codeOf(await accountSet(fixture.context, id, {}))).toBe("NOTHING_TO_CHANGE");
    expect(codeOf(await accountSet(fixture.context, id, { creditLimit: 5 }))).toBe(
      "CREDIT_LIMIT_NOT_ALLOWED",
    );
    expect(codeOf(await accountSet(fixture.context, id, { classes: [] }))).toBe("INVALID_CLASS");
    expect(fixture.audited()).toEqual(before);
  });

  test("suspending needs a reason; resuming an active account changes nothing", async () => {
    const id = await fixture.account();
    expect(
      codeOf(await run(ACCOUNT_OPERATIONS["account suspend"], fixture.context, { account: id, reason: " " })),
    ).toBe("INVALID_REASON");
    expect(
      granted(
        await run(ACCOUNT_OPERATIONS["account suspend"], fixture.context, { account: id, reason: "unpaid" }),
      ),
    ).toMatchObject({
      status: "SUSPENDED",
      suspended_reason: "unpaid",
    });
    for (let time = 0; time < 2; time++) {
      expect(
        granted(await run(ACCOUNT_OPERATIONS["account resume"], fixture.context, { account: id })).status,
      ).toBe("ACTIVE");
    }
    expect(fixture.audited()).toEqual(["awa: account create", "awa: account suspend", "awa: account resume"]);
    expect(fixture.told()).toEqual(["account", "account"]);
  });
});
