import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedFrom, type Json } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  bendre = await appliance({ operators: { orange: BRISK }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Agenda", { money: 10_000 });
});
afterAll(() => bendre?.close());

const scheduled = (msisdn: string, rest: Json) => ({
  sender: "ACME",
  body: "Rendez-vous",
  message_class: "TRANSACTIONAL",
  recipients: [{ msisdn }],
  ...rest,
});

/** So far from now, in UTC, to the second. */
const inMs = (ms: number) => new Date(Math.ceil((Date.now() + ms) / SECOND_MS) * SECOND_MS).toISOString();

describe("a scheduled batch", () => {
  // Keeps: public-api 2.1.18, 2.2.15, 2.2.16, 3.1.3
  test("is SCHEDULED, priced and reserved, its local time read in its timezone and shown with its offset", async () => {
    const local = inMs(2 * DAY_MS).slice(0, 19);
    const { status, data } = await tenant.api.post(
      "local",
      scheduled("74400001", { scheduled_at: local, timezone: "Africa/Lagos" }),
    );
    expect([status, data.status, data.reserved_amount]).toEqual([202, "SCHEDULED", 15]);
    const { data: batch } = await tenant.api.get(`/batches/${String(data.batch_id)}`);
    expect(batch).toMatchObject({ status: "SCHEDULED", scheduled_at: `${local}+01:00` });
    expect(String(batch.created_at)).toMatch(/\+01:00$/);
    expect((await tenant.api.get("/account/balance")).data).toMatchObject({ reserved: 15 });
  });

  // Keeps: public-api 3.1.10
  test("is called off by a command: CANCELLED at once, everything given back, nothing sent", async () => {
    const { data } = await tenant.api.post("off", scheduled("74400002", { scheduled_at: inMs(DAY_MS) }));
    const before = (await tenant.api.get("/account/balance")).data;
    const cancelled = await bendre.ask("batch cancel", { BATCH: String(data.batch_id), reason: "annulé" });
    expect(cancelled).toMatchObject({ status: "CANCELLED", released_amount: 15, charged_amount: 0 });
    const { data: batch } = await tenant.api.get(`/batches/${String(data.batch_id)}`);
    expect(batch).toMatchObject({ status: "CANCELLED", counts: { total: 1, cancelled: 1, submitted: 0 } });
    const { data: after } = await tenant.api.get("/account/balance");
    expect(Number(before.reserved) - Number(after.reserved)).toBe(15);
    const [message] = await feedFrom(tenant.api, inMs(-DAY_MS), `&batch_id=${String(data.batch_id)}`);
    expect(message).toMatchObject({ status: "CANCELLED", is_final: true, error: { code: "CANCELLED" } });
    expect(sentTo("22674400002")).toBe(0);
  });

  test("leaves when it is due and not before, also when the server was started again in between", async () => {
    const due = inMs(2500);
    const { data } = await tenant.api.post("due", scheduled("74400003", { scheduled_at: due }));
    expect(data.status).toBe("SCHEDULED");
    expect(await bendre.end("SIGTERM")).toBe(0);
    await bendre.start();
    const batch = await tenant.api.ended(data.batch_id);
    expect(batch).toMatchObject({ status: "SETTLED", counts: { delivered: 1 } });
    const [message] = await feedFrom(tenant.api, inMs(-DAY_MS), `&batch_id=${String(data.batch_id)}`);
    expect(Date.parse(String(message?.submitted_at))).toBeGreaterThanOrEqual(Date.parse(due));
    expect(sentTo("22674400003")).toBe(1);
  });

  // Keeps: public-api 2.1.17, 7.10, 7.11
  test("must lie in the future, at most 365 days ahead, in a timezone that there is", async () => {
    for (const rest of [
      { scheduled_at: inMs(-60_000) },
      { scheduled_at: inMs(366 * DAY_MS) },
      { scheduled_at: inMs(DAY_MS), timezone: "Africa/Atlantis" },
    ]) {
      const { status, body } = await tenant.api.post("refused", scheduled("74400004", rest));
      expect([rest, status, body.code]).toEqual([rest, 422, "SCHEDULE_INVALID"]);
    }
  });
});

/** How many texts a handset of Orange has. */
function sentTo(number: string): number {
  return bendre.seen("orange").filter(({ kind, to }) => kind === "text" && to === number).length;
}
