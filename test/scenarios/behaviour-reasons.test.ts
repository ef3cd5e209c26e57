import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AccountChanges, changeAccount } from "../../src/domain/accounts/accounts.ts";
import { addSuppression, removeSuppression } from "../../src/domain/accounts/suppressions.ts";
import { type HttpFixture, httpFixture, submission, submitTo, type Tenant } from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
let keys = 0;
beforeAll(async () => {
  fixture = await httpFixture();
});
beforeEach(async () => {
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

/** Submits MARKETING through the door; "index reason" of each rejection. */
async function reasons(
  recipients: readonly (readonly [msisdn: string, text: string])[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  keys += 1;
  const body = submission({
    message_class: "MARKETING",
    body: "{text}",
    recipients: recipients.map(([msisdn, text]) => ({ msisdn, attributes: { text } })),
    ...changes,
  });
  const response = await submitTo(fixture, tenant, `reasons-${keys}`, body);
  expect(response.status).toBe(202);
  const { data } = (await response.json()) as {
    data: { rejections: { index: number; reason_code: string }[] };
  };
  return data.rejections.map(({ index, reason_code }) => `${index} ${reason_code}`);
}

const rules = (changes: AccountChanges) =>
  fixture.store.write((tx) => changeAccount(tx, tenant.accountId, changes));

const suppress = (msisdn: string) =>
  fixture.store.write((tx) =>
    addSuppression(
      tx,
      { accountId: tenant.accountId, msisdn, messageClass: "MARKETING", source: "ADMIN", note: null },
      fixture.clock.nowMs(),
    ),
  );

const FIXED_LINE = "25300000";
/** 256 parts, one more than a message can have; and as many blanks. */
const TOO_LONG = "x".repeat(255 * 153 + 1);
const BLANK = " ".repeat(255 * 153 + 1);

describe("of two reasons that stand side by side the first is told:", () => {
  // Keeps: behaviour 4.2
  test("INVALID_MSISDN, not DUPLICATE_IN_BATCH", async () => {
    expect(
      await reasons([
        ["59123456", "a"],
        ["59123456", "a"],
      ]),
    ).toEqual(["0 INVALID_MSISDN", "1 INVALID_MSISDN"]);
  });

  // Keeps: behaviour 4.3, 4.23
  test("DUPLICATE_IN_BATCH, not UNROUTABLE_PREFIX", async () => {
    expect(
      await reasons([
        [FIXED_LINE, "a"],
        [FIXED_LINE, "a"],
      ]),
    ).toEqual(["0 UNROUTABLE_PREFIX", "1 DUPLICATE_IN_BATCH"]);
  });

  // Keeps: behaviour 4.4
  test("UNROUTABLE_PREFIX, not RENDERED_BODY_EMPTY or TOO_MANY_SEGMENTS", async () => {
    expect(await reasons([[FIXED_LINE, " "]])).toEqual(["0 UNROUTABLE_PREFIX"]);
    expect(await reasons([[FIXED_LINE, TOO_LONG]])).toEqual(["0 UNROUTABLE_PREFIX"]);
  });

  // Keeps: behaviour 4.13, 4.14
  test("RENDERED_BODY_EMPTY, not TOO_MANY_SEGMENTS", async () => {
    expect(
      await reasons([
        ["70000001", BLANK],
        ["70000002", TOO_LONG],
        ["70000003", TOO_LONG.slice(1)],
      ]),
    ).toEqual(["0 RENDERED_BODY_EMPTY", "1 TOO_MANY_SEGMENTS"]);
  });

  // Keeps: behaviour 4.5
  test("RENDERED_BODY_EMPTY and TOO_MANY_SEGMENTS, not SUPPRESSED", async () => {
    await suppress("+22670000001");
    await suppress("+22670000002");
    await suppress("+22670000003");
    expect(
      await reasons([
        ["70000001", ""],
        ["70000002", TOO_LONG],
        ["70000003", "a"],
      ]),
    ).toEqual(["0 RENDERED_BODY_EMPTY", "1 TOO_MANY_SEGMENTS", "2 SUPPRESSED"]);
  });

  // Keeps: behaviour 4.6, 4.7, 4.8, 4.9, 4.10, 4.11
  test("from SUPPRESSED down to RATE_LIMIT_PER_MINUTE, as one after the other is taken away", async () => {
    await rules({
      marketingPerDay: 1,
      marketingPerWeek: 1,
      recipientsPerDay: 1,
      recipientsPerMinute: 1,
      marketingHours: "08:00-20:00",
    });
    expect(await reasons([["70000001", "a"]])).toEqual([]);
    await suppress("+22670000001");
    // The same day, less than 24 hours later, and outside permitted hours.
    const evening = { scheduled_at: "2026-03-02T21:00:00Z" };
    const again = () => reasons([["70000001", "a"]], evening);
    expect(await again()).toEqual(["0 SUPPRESSED"]);
    await fixture.store.write((tx) =>
      removeSuppression(tx, tenant.accountId, "+22670000001", "MARKETING", null),
    );
    expect(await again()).toEqual(["0 QUIET_HOURS"]);
    await rules({ marketingHours: "00:00-24:00" });
    expect(await again()).toEqual(["0 FREQUENCY_CAP_DAILY"]);
    await rules({ marketingPerDay: 0 });
    expect(await again()).toEqual(["0 FREQUENCY_CAP_WEEKLY"]);
    await rules({ marketingPerWeek: 0 });
    expect(await again()).toEqual(["0 DUPLICATE_RECENT_BODY"]);
    expect(await reasons([["70000001", "b"]], evening)).toEqual(["0 RATE_LIMIT_PER_DAY"]);
    await rules({ recipientsPerDay: 0 });
    expect(await reasons([["70000001", "b"]], evening)).toEqual(["0 RATE_LIMIT_PER_MINUTE"]);
    await rules({ recipientsPerMinute: 0 });
    expect(await reasons([["70000001", "b"]], evening)).toEqual([]);
  });
});

describe("an allowance", () => {
  afterEach(() => fixture.clock.advance(60_000));

  // Keeps: behaviour 4.12, 4.53
  test.each([["recipientsPerDay"], ["recipientsPerMinute"]] as const)(
    "of %s is not used up by who is dropped for anything else",
    async (ceiling) => {
      await rules({ marketingPerDay: 1 });
      expect(await reasons([["70000005", "sent before"]])).toEqual([]);
      await fixture.clock.advance(60_000);
      await rules({ [ceiling]: ceiling === "recipientsPerDay" ? 3 : 2 });
      await suppress("+22670000004");
      expect(
        await reasons([
          ["abc", "a"],
          [FIXED_LINE, "a"],
          ["70000001", ""],
          ["70000002", TOO_LONG],
          ["70000004", "a"],
          ["70000005", "a"],
          ["70000006", "a"],
          ["70000006", "a"],
          ["70000007", "a"],
          ["70000008", "a"],
        ]),
      ).toEqual([
        "0 INVALID_MSISDN",
        "1 UNROUTABLE_PREFIX",
        "2 RENDERED_BODY_EMPTY",
        "3 TOO_MANY_SEGMENTS",
        "4 SUPPRESSED",
        "5 FREQUENCY_CAP_DAILY",
        "7 DUPLICATE_IN_BATCH",
        `9 ${ceiling === "recipientsPerDay" ? "RATE_LIMIT_PER_DAY" : "RATE_LIMIT_PER_MINUTE"}`,
      ]);
    },
  );

  // Keeps: behaviour 4.50, 4.51
  test("of 0 is none", async () => {
    await rules({ recipientsPerDay: 0, recipientsPerMinute: 0 });
    const numbers = Array.from({ length: 300 }, (_, index) => [String(70_100_000 + index), "a"] as const);
    expect(await reasons(numbers)).toEqual([]);
  });
});
