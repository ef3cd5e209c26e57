import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AccountChanges, changeAccount } from "../../src/domain/accounts/accounts.ts";
import { addSuppression } from "../../src/domain/accounts/suppressions.ts";
import { type HttpFixture, httpFixture, submission, submitTo, type Tenant } from "../ingress/api/fixture.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
});
beforeEach(async () => {
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

let keys = 0;
type Rejection = { readonly index: number; readonly msisdn: string | null; readonly reason_code: string };

/** Submits numbers, each batch with a text of its own unless one is given; the rejections of the 202. */
async function rejectionsOf(
  msisdns: readonly string[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<readonly Rejection[]> {
  keys += 1;
  const recipients = msisdns.map((msisdn) => ({ msisdn }));
  const body = submission({ body: `Text ${keys}`, recipients, ...changes });
  const response = await submitTo(fixture, tenant, `rejection-${keys}`, body);
  expect(response.status).toBe(202);
  const { data } = (await response.json()) as {
    data: { accepted: number; rejected: number; rejections: Rejection[] };
  };
  expect([data.accepted + data.rejected, data.rejections.length]).toEqual([msisdns.length, data.rejected]);
  return data.rejections;
}

/** The reason of each recipient that was rejected, by its place. */
const reasonsOf = async (msisdns: readonly string[], changes: Readonly<Record<string, unknown>> = {}) =>
  (await rejectionsOf(msisdns, changes)).map(({ index, reason_code }) => `${index} ${reason_code}`);

const policy = (changes: AccountChanges) =>
  fixture.store.write((tx) => changeAccount(tx, tenant.accountId, changes));

const marketing = (changes: Readonly<Record<string, unknown>> = {}) => ({
  message_class: "MARKETING",
  ...changes,
});

describe("a rejection", () => {
  // Keeps: public-api 2.3.1, 2.3.2, 2.3.3
  test("names the place, the normalised number or null, and the reason, and nothing else", async () => {
    const msisdns = ["70123456", "", "00226 70 12 34 56", "+22625306070", "0022670123456"];
    expect(await rejectionsOf(msisdns)).toEqual([
      { index: 1, msisdn: null, reason_code: "INVALID_MSISDN" },
      { index: 2, msisdn: "+22670123456", reason_code: "DUPLICATE_IN_BATCH" },
      { index: 3, msisdn: "+22625306070", reason_code: "UNROUTABLE_PREFIX" },
      { index: 4, msisdn: "+22670123456", reason_code: "DUPLICATE_IN_BATCH" },
    ]);
  });

  // Keeps: public-api 2.3.4, 2.1.14
  test.each([
    [""],
    ["abc"],
    ["7012345"],
    ["701234567"],
    ["+226"],
    ["+2261"],
    ["70123456 ext 5"],
    ["mon num 70123456"],
    ["70123456,70123457"],
    ["70123456\u0000"],
    ["0612345678"],
  ])("INVALID_MSISDN: %j can't be parsed or is invalid for its region", async (msisdn) => {
    expect(await reasonsOf([msisdn])).toEqual(["0 INVALID_MSISDN"]);
  });

  // Keeps: public-api 2.1.13, 1.3
  test("does not meet a number in any of its local and international forms", async () => {
    for (const msisdn of [
      "70123456",
      "70 12 34 56",
      "70-12-34-56",
      "+22670123456",
      "+226 70 12 34 56",
      "0022670123456",
      "22670123456",
      "(+226) 70.12.34.56",
    ]) {
      expect([msisdn, await rejectionsOf([msisdn])]).toEqual([msisdn, []]);
    }
  });

  // Keeps: public-api 2.3.5
  test("DUPLICATE_IN_BATCH: of a number written in several ways the first is kept", async () => {
    expect(await reasonsOf(["70123457", "+22670123456", "70 12 34 56", "70123457"])).toEqual([
      "2 DUPLICATE_IN_BATCH",
      "3 DUPLICATE_IN_BATCH",
    ]);
  });

  // Keeps: public-api 2.3.6
  test("UNROUTABLE_PREFIX: a good number that no operator of the configuration owns", async () => {
    expect(await reasonsOf(["70123456", "76123456", "+33612345678", "25306070"])).toEqual([
      "1 UNROUTABLE_PREFIX",
      "2 UNROUTABLE_PREFIX",
      "3 UNROUTABLE_PREFIX",
    ]);
  });

  // Keeps: public-api 2.3.7, 2.1.9
  test("SUPPRESSED: who has opted out of one class of messages gets the others", async () => {
    await fixture.store.write((tx) =>
      addSuppression(
        tx,
        {
          accountId: tenant.accountId,
          msisdn: "+22670123456",
          messageClass: "MARKETING",
          source: "ADMIN",
          note: null,
        },
        fixture.clock.nowMs(),
      ),
    );
    const both = ["70123456", "70123457"];
    expect(await reasonsOf(both, marketing())).toEqual(["0 SUPPRESSED"]);
    expect(await reasonsOf(both, { message_class: "TRANSACTIONAL" })).toEqual([]);
    expect(await reasonsOf(both, { message_class: "OTP" })).toEqual([]);
  });

  // Keeps: public-api 2.3.8, 8.10
  test("DUPLICATE_RECENT_BODY: the same rendered text to the same number within 24 hours", async () => {
    const text = { body: "Bonjour {nom}", recipients: [{ msisdn: "70123456", attributes: { nom: "Awa" } }] };
    expect(await reasonsOf(["-"], text)).toEqual([]);
    expect(await reasonsOf(["70123456", "70123457"], { body: "Bonjour Awa" })).toEqual([
      "0 DUPLICATE_RECENT_BODY",
    ]);
    expect(await reasonsOf(["70123456"], { body: "Bonjour Issa" })).toEqual([]);
    await fixture.clock.advance(DAY_MS - 1);
    expect(await reasonsOf(["-"], text)).toEqual(["0 DUPLICATE_RECENT_BODY"]);
    await fixture.clock.advance(1);
    expect(await reasonsOf(["-"], text)).toEqual([]);
  });

  // Keeps: public-api 2.3.9, 8.19, 8.20
  test("RATE_LIMIT_PER_MINUTE: past the recipients of a minute; the rest of the batch goes out", async () => {
    await policy({ recipientsPerMinute: 3 });
    expect(await reasonsOf(["70123451", "70123452"])).toEqual([]);
    expect(await reasonsOf(["70123453", "x", "70123454", "70123455"])).toEqual([
      "1 INVALID_MSISDN",
      "2 RATE_LIMIT_PER_MINUTE",
      "3 RATE_LIMIT_PER_MINUTE",
    ]);
    await fixture.clock.advance(60_000);
    expect(await reasonsOf(["70123454", "70123455", "70123456"])).toEqual([]);
  });

  // Keeps: public-api 2.3.10, 8.19, 8.20
  test("RATE_LIMIT_PER_DAY: past the recipients of a day; the rest of the batch goes out", async () => {
    await policy({ recipientsPerDay: 2 });
    expect(await reasonsOf(["70123451", "70123452", "70123453"])).toEqual(["2 RATE_LIMIT_PER_DAY"]);
    expect(await reasonsOf(["70123453"])).toEqual(["0 RATE_LIMIT_PER_DAY"]);
    await fixture.clock.advance(DAY_MS);
    expect(await reasonsOf(["70123453"])).toEqual([]);
  });

  // Keeps: public-api 2.3.11, 2.1.7, 8.21
  test("QUIET_HOURS: marketing outside the permitted hours, and no other class", async () => {
    const nextDay = new Date(fixture.clock.nowMs() + DAY_MS).toISOString().slice(0, 10);
    await policy({ marketingHours: "08:00-20:00" });
    const at = (time: string) => ({ scheduled_at: `${nextDay}T${time}Z` });
    expect(await reasonsOf(["70123451"], marketing(at("07:59:59")))).toEqual(["0 QUIET_HOURS"]);
    expect(await reasonsOf(["70123451"], marketing(at("08:00:00")))).toEqual([]);
    expect(await reasonsOf(["70123452"], marketing(at("19:59:59")))).toEqual([]);
    expect(await reasonsOf(["70123453"], marketing(at("20:00:00")))).toEqual(["0 QUIET_HOURS"]);
    for (const message_class of ["TRANSACTIONAL", "OTP"])
      expect(await reasonsOf(["70123454"], { message_class, ...at("03:00:00") })).toEqual([]);
    await policy({ marketingHours: "22:00-23:00" });
    expect(await reasonsOf(["70123455"], marketing())).toEqual(["0 QUIET_HOURS"]);
    expect(await reasonsOf(["70123455"], { message_class: "OTP" })).toEqual([]);
  });

  // Keeps: public-api 2.3.12, 2.1.8, 8.21
  test("FREQUENCY_CAP_DAILY: marketing past the day's maximum of a recipient, and no other class", async () => {
    await policy({ marketingPerDay: 1, marketingPerWeek: 0 });
    for (const message_class of ["TRANSACTIONAL", "OTP"])
      for (const _ of [1, 2]) expect(await reasonsOf(["70123451"], { message_class })).toEqual([]);
    expect(await reasonsOf(["70123451"], marketing())).toEqual([]);
    expect(await reasonsOf(["70123451", "70123452"], marketing())).toEqual(["0 FREQUENCY_CAP_DAILY"]);
    await fixture.clock.advance(DAY_MS);
    expect(await reasonsOf(["70123451"], marketing())).toEqual([]);
  });

  // Keeps: public-api 2.3.13, 2.1.8, 8.21
  test("FREQUENCY_CAP_WEEKLY: marketing past the week's maximum of a recipient, and no other class", async () => {
    await policy({ marketingPerDay: 0, marketingPerWeek: 2 });
    const monday = fixture.clock.nowMs() - (fixture.clock.nowMs() % DAY_MS);
    const weekday = (new Date(monday).getUTCDay() + 6) % 7;
    await fixture.clock.advance((7 - weekday) * DAY_MS);
    for (const expected of [[], [], ["0 FREQUENCY_CAP_WEEKLY"]])
      expect(await reasonsOf(["70123451"], marketing())).toEqual(expected);
    expect(await reasonsOf(["70123451"], { message_class: "OTP" })).toEqual([]);
    await fixture.clock.advance(6 * DAY_MS);
    expect(await reasonsOf(["70123451"], marketing())).toEqual(["0 FREQUENCY_CAP_WEEKLY"]);
    await fixture.clock.advance(DAY_MS);
    expect(await reasonsOf(["70123451"], marketing())).toEqual([]);
  });
});

describe("the limit of a key", () => {
  // Keeps: public-api 8.16, 8.18, 8.22, 7.23
  test("fires before anything is parsed and before the account's ceilings, and uses up none of them", async () => {
    const tight = await httpFixture({ api: { requests_per_second: 1, burst: 2 } });
    const client = await tight.tenant();
    await tight.store.write((tx) => changeAccount(tx, client.accountId, { recipientsPerMinute: 2 }));
    const send = (key: string, body: unknown) => submitTo(tight, client, key, body);
    const two = [{ msisdn: "70123451" }, { msisdn: "70123452" }];
    expect((await send("a", "{")).status).toBe(422);
    expect((await send("b", "{")).status).toBe(422);
    for (const body of ["{", submission({ recipients: two }), submission({ recipients: [] })])
      expect((await send("c", body)).status).toBe(429);
    expect(tight.store.read.get("SELECT count(*) AS n FROM batches")).toEqual({ n: 0 });
    await tight.clock.advance(1000);
    const answer = await send("c", submission({ recipients: two }));
    expect(await answer.json()).toMatchObject({ data: { accepted: 2, rejections: [] } });
    const over = [{ msisdn: "70123453" }];
    expect((await send("d", submission({ recipients: over }))).status).toBe(429);
    await tight.clock.advance(1000);
    expect(await (await send("d", submission({ recipients: over }))).json()).toMatchObject({
      data: { accepted: 0, rejections: [{ reason_code: "RATE_LIMIT_PER_MINUTE" }] },
    });
    await tight.close();
  });
});
