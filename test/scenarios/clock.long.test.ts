import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, type Stage, stage } from "./stage.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 3650 * DAY_MS;
const TO = [{ msisdn: "22670000001" }];

let set: Stage;
let client: Client;
beforeEach(async () => {
  set = await stage();
  client = await set.client();
});
afterEach(() => set.close());

const inMinutes = (minutes: number) => new Date(set.clock.nowMs() + minutes * MINUTE_MS).toISOString();
const ACCOUNT = () => ({ ACCOUNT: client.accountId });
const suspend = () => set.admin("account suspend", { ...ACCOUNT(), reason: "unpaid" });
const resume = () => set.admin("account resume", ACCOUNT());
const statusOf = async (batchId: string) => (await client.batch(batchId)).status;
const statement = async (query: Record<string, string> = {}) => {
  const { entries } = await set.admin("wallet statement", { ...ACCOUNT(), ...query });
  return entries as readonly { at: string; kind: string }[];
};
const sent = () => set.smsc.texts.length;
/** Sets the clock, and has it looked at. */
const setBy = async (ms: number) => {
  set.clock.setBy(ms);
  await set.clock.advance(2000);
};
const clockCheck = async () => {
  const { status, body } = await set.page("/health");
  const { checks } = (JSON.parse(body) as { data: { checks: { name: string }[] } }).data;
  return { httpStatus: status, ...checks.find(({ name }) => name === "clock") } as Record<string, unknown>;
};

describe("a clock that jumps ten years ahead", () => {
  // Keeps: behaviour 6.120, 6.121, 6.122
  test("and back after nine minutes leaves no trace in money, feed, schedules or queue", async () => {
    const scheduled = await client.submit({ recipients: TO, scheduled_at: inMinutes(12) });
    const waiting = await client.submit({ recipients: TO, message_class: "OTP" });
    await client.until(waiting.batch_id, ({ counts }) => counts.delivered === 1);
    await suspend();
    await resume();
    const before = sent();

    await setBy(TEN_YEARS_MS);
    expect(await clockCheck()).toMatchObject({ httpStatus: 200, status: "degraded" });
    expect(set.log().filter(({ level }) => level === "error")).toHaveLength(1);
    const during = await client.submit({ recipients: TO, body: "goes on" });
    await client.until(during.batch_id, ({ counts }) => counts.delivered === 1);
    const later = await client.submit({
      recipients: TO,
      body: "later",
      scheduled_at: "2026-03-02T12:00:00Z",
    });
    await set.admin("wallet topup", { ...ACCOUNT(), AMOUNT: "500", reference: "during" });
    await set.clock.advance(9 * MINUTE_MS);
    expect(await statusOf(scheduled.batch_id)).toBe("SCHEDULED");
    expect(await statusOf(later.batch_id)).toBe("SCHEDULED");
    expect(sent()).toBe(before + 1);

    await setBy(-TEN_YEARS_MS);
    expect(await clockCheck()).toMatchObject({ status: "ok" });
    const after = await client.submit({ recipients: TO, body: "afterwards" });
    await client.until(after.batch_id, ({ counts }) => counts.delivered === 1);
    for (const { at } of await statement()) expect(at).toMatch(/^2026-03-02T09:/);
    for (const batchId of [during.batch_id, after.batch_id]) {
      for (const message of await client.messages(batchId)) {
        expect(message.status_changed_at).toMatch(/^2026-03-02T09:/);
        expect(message.created_at).toMatch(/^2026-03-02T09:/);
      }
    }
    await set.clock.advance(3 * MINUTE_MS);
    await client.until(scheduled.batch_id, ({ counts }) => counts.delivered === 1);
    expect(await statusOf(later.batch_id)).toBe("SCHEDULED");
  });

  // Keeps: behaviour 6.121
  test("ends nothing that waits, not even what its own time has come for, and is the time after ten minutes", async () => {
    await suspend();
    await resume();
    const due = await client.submit({ recipients: TO, scheduled_at: inMinutes(5) });
    const far = await client.submit({ recipients: TO, body: "far", scheduled_at: inMinutes(600) });
    await setBy(DAY_MS);
    await set.clock.advance(8 * MINUTE_MS);
    expect(await statusOf(due.batch_id)).toBe("SCHEDULED");
    expect(sent()).toBe(0);
    await set.clock.advance(3 * MINUTE_MS);
    expect(await clockCheck()).toMatchObject({ status: "ok" });
    expect([await statusOf(due.batch_id), await statusOf(far.batch_id)]).toEqual(["CANCELLED", "CANCELLED"]);
    expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
  });

  // Keeps: behaviour 6.121
  test("is the time at once when an administrator accepts it, which the audit tells", async () => {
    await setBy(DAY_MS);
    const accepted = await set.admin("clock accept");
    expect(accepted).toMatchObject({ was: { reason: "jumped" } });
    expect(String(accepted.time)).toMatch(/^2026-03-03T09:/);
    expect(await clockCheck()).toMatchObject({ status: "ok" });
    const { entries } = await set.admin("audit list");
    expect((entries as { action: string; actor: string }[])[0]).toMatchObject({
      action: "clock accept",
      actor: "test",
    });
    expect(await set.admin("clock accept")).toMatchObject({ was: null });
    const { batch_id } = await client.submit({ recipients: TO });
    await client.until(batch_id, ({ counts }) => counts.delivered === 1);
  });
});

describe("a start whose clock is a day behind what is stored", () => {
  beforeEach(async () => {
    const { batch_id } = await client.submit({ recipients: TO, scheduled_at: inMinutes(10) });
    await set.stop();
    set.clock.setBy(-DAY_MS);
    await set.start();
    expect(await statusOf(batch_id)).toBe("SCHEDULED");
  });

  // Keeps: behaviour 6.123, 6.124
  test("accepts and sends nothing, and says so", async () => {
    const ready = await set.page("/health/ready");
    expect(ready.status).toBe(503);
    expect(ready.body).toContain("bendre clock accept");
    expect(await clockCheck()).toMatchObject({ httpStatus: 503, status: "down" });
    await expect(client.submit({ recipients: TO, body: "now" })).rejects.toThrow("SERVICE_UNAVAILABLE");
    await set.clock.advance(12 * MINUTE_MS);
    expect(sent()).toBe(0);
    const { connections } = await set.admin("operator status");
    expect(connections).toEqual([expect.objectContaining({ state: "BOUND" })]);
    expect(set.log().map(({ message }) => message)).toContainEqual(
      expect.stringContaining("the clock is doubted"),
    );
  });

  // Keeps: behaviour 6.124
  test("takes receipts, and dates them by what is stored", async () => {
    await set.clock.advance(1000);
    set.clock.setBy(DAY_MS);
    await set.clock.advance(3000);
    set.smsc.change({ receiptDelayMs: 10_000 });
    const { batch_id } = await client.submit({ recipients: TO, body: "now" });
    await client.until(batch_id, ({ counts }) => counts.sent === 1);
    await set.stop();
    set.clock.setBy(-DAY_MS);
    await set.start();
    expect((await set.page("/health/ready")).status).toBe(503);
    expect((await client.batch(batch_id)).counts.delivered).toBe(0);
    await set.clock.advance(10_000);
    await client.until(batch_id, ({ counts }) => counts.delivered === 1);
    expect((await client.messages(batch_id))[0]?.delivered_at).toMatch(/^2026-03-02T09:/);
  });

  // Keeps: behaviour 6.123
  test("goes on by itself once the clock is set right, and what waited leaves at its time", async () => {
    await set.clock.advance(5 * MINUTE_MS);
    set.clock.setBy(DAY_MS);
    await set.clock.advance(3000);
    expect((await set.page("/health/ready")).status).toBe(200);
    expect(sent()).toBe(0);
    await set.clock.advance(5 * MINUTE_MS);
    while (sent() === 0) await set.clock.advance(100);
    expect(await client.submit({ recipients: TO, body: "now" })).toMatchObject({ accepted: 1 });
  });

  // Keeps: behaviour 6.123
  test("goes on when an administrator accepts it, and so does the next start", async () => {
    expect(await set.admin("clock accept")).toMatchObject({ was: { reason: "behind" } });
    await set.clock.advance(2000);
    const { batch_id } = await client.submit({ recipients: TO, body: "now" });
    await client.until(batch_id, ({ counts }) => counts.delivered === 1);
    expect((await client.messages(batch_id))[0]?.created_at).toMatch(/^2026-03-01T09:/);
    await set.stop();
    await set.start();
    expect((await set.page("/health/ready")).status).toBe(200);
  });
});

describe("a small step of the clock", () => {
  // Keeps: behaviour 6.126
  test("back or forward loses no message that waits or is under way", async () => {
    for (const stepMs of [-30_000, 3 * 3_600_000, -5 * 3_600_000]) {
      const before = await client.submit({ recipients: TO, body: `before ${stepMs}` });
      await setBy(stepMs);
      const after = await client.submit({ recipients: TO, body: `after ${stepMs}` });
      for (const { batch_id } of [before, after]) {
        await client.until(batch_id, ({ counts }) => counts.delivered === 1);
      }
    }
    expect(sent()).toBe(6);
  });

  // Keeps: behaviour 6.126
  test("forward over the time of a scheduled batch sends it, and does not call it too late", async () => {
    const { batch_id } = await client.submit({ recipients: TO, scheduled_at: inMinutes(20) });
    await setBy(3 * 3_600_000);
    await client.until(batch_id, ({ counts }) => counts.delivered === 1);
  });

  // Keeps: behaviour 6.125
  test("that is a night's sleep of the machine is no jump, and what was due in it is too late", async () => {
    const { batch_id } = await client.submit({ recipients: TO, scheduled_at: inMinutes(20) });
    set.clock.sleep(9 * 3_600_000);
    await set.clock.advance(3000);
    expect(await clockCheck()).toMatchObject({ status: "ok" });
    expect(await statusOf(batch_id)).toBe("CANCELLED");
  });
});
