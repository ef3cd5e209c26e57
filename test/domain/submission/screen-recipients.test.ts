import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import { addSuppression, EVERYWHERE } from "../../../src/domain/accounts/suppressions.ts";
import { applyFacts } from "../../../src/domain/messages/apply-facts.ts";
import { keysOfAdministrators } from "../../../src/domain/submission/idempotency.ts";
import type { BatchRequest } from "../../../src/domain/submission/request.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const HOUR_MS = 3_600_000;

let rig: Tenants;
let accountId: number;
beforeEach(async () => {
  rig = tenants(configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })));
  accountId = await rig.account();
});
afterEach(() => rig.close());

const recipients = (...numbers: string[]) => numbers.map((msisdn) => ({ msisdn, attributes: null }));

/** Submits a batch; its rejections as "index reason". */
async function rejections(
  messageClass: MessageClass,
  numbers: string[],
  changes: Partial<BatchRequest> = {},
  account = accountId,
  isByHand = false,
): Promise<string[]> {
  const order = (request: BatchRequest) => {
    const asked = rig.order(account, request);
    return isByHand ? { ...asked, key: { ...asked.key, apiKeyId: keysOfAdministrators(account) } } : asked;
  };
  const answer = await rig.submit(
    order({
      sender: "ACME",
      body: "Bonjour",
      messageClass,
      channel: "SMS",
      recipients: recipients(...numbers),
      textPolicy: null,
      missingAttributes: null,
      otherTags: [],
      scheduledAt: null,
      timezone: null,
      isTest: false,
      clientReference: null,
      template: null,
      ...changes,
    }),
  );
  if (answer.kind === "refused") throw new Error(answer.refusal.code);
  if (answer.kind !== "accepted") throw new Error(answer.kind);
  return answer.batch.rejections.map(({ position, reason }) => `${position} ${reason}`);
}

const rules = (changes: Parameters<typeof changeAccount>[2]) =>
  rig.store.write((tx) => changeAccount(tx, accountId, changes));

const suppress = (owner: number, msisdn: string, messageClass: MessageClass) =>
  rig.store.write((tx) =>
    addSuppression(
      tx,
      { accountId: owner, msisdn, messageClass, source: "ADMIN", note: null },
      rig.clock.nowMs(),
    ),
  );

describe("a recipient who opted out", () => {
  // Keeps: behaviour 4.37
  test("is dropped for that class of that account only", async () => {
    await suppress(accountId, "+22670000001", "MARKETING");
    expect(await rejections("MARKETING", ["70000001", "70000002"])).toEqual(["0 SUPPRESSED"]);
    expect(await rejections("TRANSACTIONAL", ["70000001"], { body: "Votre reçu" })).toEqual([]);
    const other = await rig.account();
    expect(await rejections("MARKETING", ["70000001"], {}, other)).toEqual([]);
  });

  // Keeps: behaviour 4.37
  // Keeps: public-api 2.3.7
  test("of the appliance-wide list is dropped for everybody", async () => {
    await suppress(EVERYWHERE, "+22670000001", "OTP");
    expect(await rejections("OTP", ["70000001"])).toEqual(["0 SUPPRESSED"]);
  });
});

describe("marketing", () => {
  // Keeps: behaviour 4.44
  test("outside permitted hours is dropped, judged at the scheduled time", async () => {
    await rig.clock.advance(12 * HOUR_MS);
    expect(await rejections("MARKETING", ["70000001"])).toEqual(["0 QUIET_HOURS"]);
    expect(await rejections("MARKETING", ["70000001"], { scheduledAt: "2026-03-03T08:00:00Z" })).toEqual([]);
    expect(await rejections("MARKETING", ["70000002"], { scheduledAt: "2026-03-03T07:59:00Z" })).toEqual([
      "0 QUIET_HOURS",
    ]);
    expect(await rejections("OTP", ["70000003"])).toEqual([]);
  });

  // Keeps: behaviour 4.45
  // Keeps: public-api 2.3.11
  test("is judged by the clocks of the account's zone", async () => {
    await rules({ timezone: "Asia/Kathmandu" });
    // 09:00 in Ouagadougou is 14:45 there; five and a half hours later it is 20:15.
    expect(await rejections("MARKETING", ["70000001"])).toEqual([]);
    await rig.clock.advance(5.5 * HOUR_MS);
    expect(await rejections("MARKETING", ["70000002"])).toEqual(["0 QUIET_HOURS"]);
  });

  // Keeps: behaviour 4.47, 4.49
  // Keeps: public-api 2.3.12, 2.3.13
  test("reaches one number twice a day and six times a week, less what was cancelled", async () => {
    const bodies = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const next = () => rejections("MARKETING", ["70000001"], { body: bodies.shift() ?? "" });
    expect(await next()).toEqual([]);
    expect(await next()).toEqual([]);
    expect(await next()).toEqual(["0 FREQUENCY_CAP_DAILY"]);
    await rig.store.write((tx) =>
      applyFacts(
        tx,
        [{ kind: "cancelled", messageId: 1, error: { code: "CANCELLED", operatorCode: null } }],
        rig.clock.nowMs(),
      ),
    );
    expect(await next()).toEqual([]);
    await rules({ marketingPerDay: 0, marketingPerWeek: 2 });
    await rig.clock.advance(24 * HOUR_MS);
    expect(await next()).toEqual(["0 FREQUENCY_CAP_WEEKLY"]);
    await rig.clock.advance(6 * 24 * HOUR_MS);
    expect(await next()).toEqual([]);
  });
});

describe("the same text to the same number", () => {
  // Keeps: behaviour 4.34, 4.36
  test("is dropped for 24 hours, whatever its class, unless the first one failed", async () => {
    expect(await rejections("OTP", ["70000001", "70000002"])).toEqual([]);
    expect(await rejections("TRANSACTIONAL", ["70000001"])).toEqual(["0 DUPLICATE_RECENT_BODY"]);
    await rig.store.write((tx) =>
      applyFacts(
        tx,
        [{ kind: "given_up", messageId: 2, error: { code: "NO_ROUTE", operatorCode: null } }],
        rig.clock.nowMs(),
      ),
    );
    expect(await rejections("OTP", ["70000001", "70000002"])).toEqual(["0 DUPLICATE_RECENT_BODY"]);
    await rig.clock.advance(24 * HOUR_MS);
    expect(await rejections("OTP", ["70000001"])).toEqual([]);
  });

  // Keeps: behaviour 4.34
  test("is what was rendered, not the template", async () => {
    const greet = (name: string) =>
      rejections("OTP", [], {
        body: "Bonjour {n}",
        recipients: [{ msisdn: "70000001", attributes: { n: name } }],
      });
    expect(await greet("Awa")).toEqual([]);
    expect(await greet("Issa")).toEqual([]);
    expect(await greet("Awa")).toEqual(["0 DUPLICATE_RECENT_BODY"]);
  });

  test("is also what rewriting makes of it, either way round, where a person sends", async () => {
    const people = (number: string, body: string) => rejections("OTP", [number], { body }, accountId, true);
    for (const number of ["70000001", "70000002"]) {
      const bodies = ["Bonjour Aïcha, 1 000 F", "Bonjour Aicha, 1 000 F"];
      const [first = "", second = ""] = number.endsWith("1") ? bodies : bodies.toReversed();
      expect(await people(number, first)).toEqual([]);
      expect(await people(number, second)).toEqual(["0 DUPLICATE_RECENT_BODY"]);
      expect(await people(number, "Bonjour Aïcha, 2 000 F")).toEqual([]);
    }
    // A client of the API is held to what it wrote.
    expect(await rejections("OTP", ["70000001"], { body: "Bonjour Aicha, 2 000 F" })).toEqual([]);
    // Of what was purged the key is left.
    await rig.store.write((tx) => tx.run("UPDATE batches SET body = ''"));
    expect(await people("70000002", "Bonjour Aïcha, 1 000 F")).toEqual(["0 DUPLICATE_RECENT_BODY"]);
  });

  test("is no repetition when it was refused for want of money", async () => {
    const poor = await rig.account({ funds: 10 });
    await expect(rejections("OTP", ["70000001"], {}, poor)).rejects.toThrow("INSUFFICIENT_FUNDS");
    await rig.store.write((tx) => tx.run("UPDATE wallets SET funds = 100 WHERE account_id = ?", poor));
    expect(await rejections("OTP", ["70000001"], {}, poor)).toEqual([]);
  });
});

describe("the ceilings of an account", () => {
  // Keeps: behaviour 4.12, 4.51, 4.52, 4.53
  test("cut in order of submission, and only what would have been accepted counts", async () => {
    await rules({ recipientsPerDay: 3 });
    expect(await rejections("OTP", ["70000001", "abc", "70000002", "70000003", "70000004"])).toEqual([
      "1 INVALID_MSISDN",
      "4 RATE_LIMIT_PER_DAY",
    ]);
    await rig.clock.advance(14 * HOUR_MS + 59 * 60_000);
    expect(await rejections("OTP", ["70000005"])).toEqual(["0 RATE_LIMIT_PER_DAY"]);
    await rig.clock.advance(60_000);
    expect(await rejections("OTP", ["70000005"])).toEqual([]);
  });

  // Keeps: behaviour 4.50, 4.53
  test("a minute rolls", async () => {
    await rules({ recipientsPerMinute: 2 });
    expect(await rejections("OTP", ["70000001"])).toEqual([]);
    await rig.clock.advance(30_000);
    expect(await rejections("OTP", ["70000002", "70000003"])).toEqual(["1 RATE_LIMIT_PER_MINUTE"]);
    await rig.clock.advance(30_000);
    expect(await rejections("OTP", ["70000003", "70000004"])).toEqual(["1 RATE_LIMIT_PER_MINUTE"]);
  });

  // Keeps: behaviour 4.51, 4.52
  test("hold across the steps of a large batch and between submissions at the same time", async () => {
    await rules({ recipientsPerDay: 700 });
    const numbers = (from: number) => Array.from({ length: 600 }, (_, index) => String(from + index));
    const both = await Promise.all([
      rejections("OTP", numbers(70_100_000)),
      rejections("OTP", numbers(70_200_000)),
    ]);
    expect(both.flat()).toHaveLength(500);
    expect(rig.count("messages")).toBe(700);
  });
});
