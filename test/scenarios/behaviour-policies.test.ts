import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AccountChanges, changeAccount } from "../../src/domain/accounts/accounts.ts";
import type { MessageClass } from "../../src/domain/accounts/message-class.ts";
import { applyFacts } from "../../src/domain/messages/apply-facts.ts";
import type { Fact } from "../../src/domain/messages/facts.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { cancelled, claimed, givenUp, partAccepted, undelivered } from "../kit/facts.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";

const HOUR_MS = 3_600_000;
const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let accountId: number;
let texts = 0;
beforeEach(async () => {
  rig = tenants(CONFIG);
  accountId = await rig.account();
});
afterEach(() => rig.close());

const rules = (changes: AccountChanges) => rig.store.write((tx) => changeAccount(tx, accountId, changes));

type Planned = { readonly at?: string; readonly text?: string; readonly msisdn?: string };

/** Submits one message, with a text of its own unless one is given; the reason it is dropped for, or null. */
async function reasonFor(messageClass: MessageClass, planned: Planned = {}): Promise<string | null> {
  texts += 1;
  const { at = null, text = `Text ${texts}`, msisdn = "70000001" } = planned;
  const changes = { body: text, scheduledAt: at };
  const batchId = await rig.send(accountId, messageClass, [msisdn], changes);
  const rejection = rig.store.read.get<{ reason: string }>(
    "SELECT reason FROM rejections WHERE batch_id = ?",
    batchId,
  );
  return rejection?.reason ?? null;
}

const apply = (...facts: Fact[]) => rig.store.write((tx) => applyFacts(tx, facts, rig.clock.nowMs()));
const lastMessage = () => rig.store.read.get<{ id: number }>("SELECT max(id) AS id FROM messages")?.id ?? 0;

describe("quiet hours", () => {
  // Keeps: behaviour 4.44, 4.45
  test.each([
    // Clocks in Paris are put forward on 29 March 2026 at 02:00 and back on 25 October at 03:00.
    ["Europe/Paris", "08:00-20:00", "2026-03-28T06:59:59.999Z", "QUIET_HOURS"],
    ["Europe/Paris", "08:00-20:00", "2026-03-28T07:00:00Z", null],
    ["Europe/Paris", "08:00-20:00", "2026-03-29T05:59:59.999Z", "QUIET_HOURS"],
    ["Europe/Paris", "08:00-20:00", "2026-03-29T06:00:00Z", null],
    ["Europe/Paris", "08:00-20:00", "2026-10-25T18:59:59.999Z", null],
    ["Europe/Paris", "08:00-20:00", "2026-10-25T19:00:00Z", "QUIET_HOURS"],
    // Over midnight.
    ["Africa/Ouagadougou", "20:00-06:00", "2026-03-03T19:59:59Z", "QUIET_HOURS"],
    ["Africa/Ouagadougou", "20:00-06:00", "2026-03-03T20:00:00Z", null],
    ["Africa/Ouagadougou", "20:00-06:00", "2026-03-04T00:00:00Z", null],
    ["Africa/Ouagadougou", "20:00-06:00", "2026-03-04T05:59:59.999Z", null],
    ["Africa/Ouagadougou", "20:00-06:00", "2026-03-04T06:00:00Z", "QUIET_HOURS"],
    // An hour that is not there, and one that is there twice.
    ["Europe/Paris", "02:00-03:00", "2026-03-29T00:59:59Z", "QUIET_HOURS"],
    ["Europe/Paris", "02:00-03:00", "2026-03-29T01:00:00Z", "QUIET_HOURS"],
    ["Europe/Paris", "02:00-03:00", "2026-10-25T00:30:00Z", null],
    ["Europe/Paris", "02:00-03:00", "2026-10-25T01:30:00Z", null],
    ["Europe/Paris", "02:00-03:00", "2026-10-25T02:00:00Z", "QUIET_HOURS"],
    ["Asia/Kathmandu", "08:00-20:00", "2026-03-03T02:14:59Z", "QUIET_HOURS"],
    ["Asia/Kathmandu", "08:00-20:00", "2026-03-03T02:15:00Z", null],
  ])("of an account in %s that may send at %s meet %s with %s", async (timezone, hours, at, reason) => {
    await rules({ timezone, marketingHours: hours });
    expect(await reasonFor("MARKETING", { at })).toBe(reason);
    expect(await reasonFor("TRANSACTIONAL", { at })).toBeNull();
  });

  // Keeps: behaviour 4.45
  test("are the account's, whatever timezone the batch names for its schedule", async () => {
    const local = { scheduledAt: "2026-03-03T09:00:00", timezone: "America/New_York" };
    // 09:00 in New York is 14:00 in Ouagadougou; 16:00 there is 21:00 here.
    const at = (scheduledAt: string) =>
      rig.send(accountId, "MARKETING", ["70000001"], { ...local, scheduledAt });
    expect(rig.batch(await at("2026-03-03T09:00:00")).accepted).toBe(1);
    expect(rig.batch(await at("2026-03-03T16:00:00")).accepted).toBe(0);
  });
});

describe("the caps of a recipient", () => {
  // Keeps: behaviour 4.47, 4.48
  test("count by planned time in the calendar day of the account's zone", async () => {
    await rules({ timezone: "Europe/Paris", marketingHours: "00:00-24:00", marketingPerDay: 1 });
    // The 29th of March has 23 hours there: from 23:00Z the day before to 22:00Z.
    expect(await reasonFor("MARKETING", { at: "2026-03-28T23:00:00Z" })).toBeNull();
    expect(await reasonFor("MARKETING", { at: "2026-03-29T21:59:59Z" })).toBe("FREQUENCY_CAP_DAILY");
    expect(await reasonFor("MARKETING", { at: "2026-03-29T22:00:00Z" })).toBeNull();
    expect(await reasonFor("MARKETING", { at: "2026-03-28T22:59:59Z" })).toBeNull();
  });

  // Keeps: behaviour 4.47, 4.48
  test("count by planned time in the ISO week of the account's zone", async () => {
    await rules({
      timezone: "Europe/Paris",
      marketingHours: "00:00-24:00",
      marketingPerDay: 0,
      marketingPerWeek: 2,
    });
    // The week of Monday 23 March begins at 23:00Z on Sunday and ends at 22:00Z on Sunday, an hour short.
    expect(await reasonFor("MARKETING", { at: "2026-03-22T23:00:00Z" })).toBeNull();
    expect(await reasonFor("MARKETING", { at: "2026-03-29T21:59:59Z" })).toBeNull();
    expect(await reasonFor("MARKETING", { at: "2026-03-25T12:00:00Z" })).toBe("FREQUENCY_CAP_WEEKLY");
    expect(await reasonFor("MARKETING", { at: "2026-03-22T22:59:59Z" })).toBeNull();
    expect(await reasonFor("MARKETING", { at: "2026-03-29T22:00:00Z" })).toBeNull();
  });

  // Keeps: behaviour 4.47
  test("count marketing alone, of that account and that number", async () => {
    await rules({ marketingPerDay: 1 });
    expect(await reasonFor("TRANSACTIONAL")).toBeNull();
    expect(await reasonFor("OTP")).toBeNull();
    expect(await reasonFor("MARKETING")).toBeNull();
    expect(await reasonFor("MARKETING", { msisdn: "70000002" })).toBeNull();
    const other = await rig.account();
    expect(rig.batch(await rig.send(other, "MARKETING", ["70000001"])).accepted).toBe(1);
    expect(await reasonFor("MARKETING")).toBe("FREQUENCY_CAP_DAILY");
  });

  // Keeps: behaviour 4.49
  test.each([
    ["cancelled", (id: number) => [cancelled(id)]],
    ["failed before it was sent", (id: number) => [givenUp(id)]],
    ["failed by its receipt", (id: number) => [claimed(id), partAccepted(id), undelivered(id)]],
  ])("do not count a message that %s", async (_how, facts) => {
    await rules({ marketingPerDay: 1 });
    expect(await reasonFor("MARKETING")).toBeNull();
    await apply(...facts(lastMessage()));
    expect(await reasonFor("MARKETING")).toBeNull();
    expect(await reasonFor("MARKETING")).toBe("FREQUENCY_CAP_DAILY");
  });
});

describe("the same text to the same number", () => {
  const again = (at?: string) => reasonFor("OTP", { text: "Votre code", ...(at ? { at } : {}) });

  // Keeps: behaviour 4.34, 4.35
  test("is told by planned times less than 24 hours apart, before and after, whenever it was submitted", async () => {
    expect(await again("2026-03-10T12:00:00Z")).toBeNull();
    expect(await again("2026-03-11T11:59:59.999Z")).toBe("DUPLICATE_RECENT_BODY");
    expect(await again("2026-03-09T12:00:00.001Z")).toBe("DUPLICATE_RECENT_BODY");
    // Submitted at the same moment, and planned far enough from it.
    expect(await again("2026-03-11T12:00:00Z")).toBeNull();
    expect(await again("2026-03-09T12:00:00Z")).toBeNull();
    expect(await again()).toBeNull();
  });

  // Keeps: behaviour 4.35
  test("without a schedule is planned for its acceptance", async () => {
    expect(await again()).toBeNull();
    expect(await again("2026-03-03T08:59:59.999Z")).toBe("DUPLICATE_RECENT_BODY");
    expect(await again("2026-03-03T09:00:00Z")).toBeNull();
    await rig.clock.advance(24 * HOUR_MS - 1);
    expect(await again()).toBe("DUPLICATE_RECENT_BODY");
  });

  // Keeps: behaviour 4.36
  test.each([
    ["was cancelled", (id: number) => [cancelled(id)]],
    ["failed before it was sent", (id: number) => [givenUp(id)]],
    ["failed by its receipt", (id: number) => [claimed(id), partAccepted(id), undelivered(id)]],
  ])("may go again when the first %s", async (_how, facts) => {
    expect(await again()).toBeNull();
    expect(await again()).toBe("DUPLICATE_RECENT_BODY");
    await apply(...facts(lastMessage()));
    expect(await again()).toBeNull();
    expect(await again()).toBe("DUPLICATE_RECENT_BODY");
  });

  // Keeps: behaviour 4.28, 4.34
  test("is the same however its accents were composed", async () => {
    expect(await reasonFor("OTP", { text: "Reçu à midi" })).toBeNull();
    const apart = "Reçu à midi".normalize("NFD");
    expect(await reasonFor("OTP", { text: apart })).toBe("DUPLICATE_RECENT_BODY");
  });
});

describe("the ceiling of a day", () => {
  // Keeps: behaviour 4.51, 4.52
  test("is the calendar day of the account's zone at acceptance, whatever the schedule says", async () => {
    await rules({ timezone: "Asia/Kathmandu", recipientsPerDay: 1 });
    expect(await reasonFor("OTP", { at: "2026-03-10T12:00:00Z" })).toBeNull();
    expect(await reasonFor("OTP")).toBe("RATE_LIMIT_PER_DAY");
    // Midnight in Kathmandu is 18:15Z.
    await rig.clock.advance(9.25 * HOUR_MS - 1);
    expect(await reasonFor("OTP", { at: "2026-03-12T12:00:00Z" })).toBe("RATE_LIMIT_PER_DAY");
    await rig.clock.advance(1);
    expect(await reasonFor("OTP", { at: "2026-03-13T12:00:00Z" })).toBeNull();
  });

  // Keeps: behaviour 4.52
  test("counts what was accepted, also when it failed or was cancelled later", async () => {
    await rules({ recipientsPerDay: 1 });
    expect(await reasonFor("OTP")).toBeNull();
    await apply(cancelled(lastMessage()));
    expect(await reasonFor("OTP")).toBe("RATE_LIMIT_PER_DAY");
  });
});
