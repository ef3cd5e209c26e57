import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, type Stage, stage } from "./stage.ts";

const MINUTE_MS = 60_000;
/** So many that nobody has validated them by the time that their 202 arrives. */
const MANY = 20_000;
const many = Array.from({ length: MANY }, (_, index) => ({ msisdn: String(70_000_000 + index) }));

let set: Stage;
let client: Client;
beforeEach(async () => {
  set = await stage();
  client = await set.client();
});
afterEach(() => set.close());

const inMinutes = (minutes: number) => new Date(set.clock.nowMs() + minutes * MINUTE_MS).toISOString();
const suspend = () => set.admin("account suspend", { ACCOUNT: client.accountId, reason: "unpaid" });
const texts = () => set.smsc.texts.length;

describe("a batch that is VALIDATING", () => {
  // Keeps: behaviour 4.61, 4.62, 7.1, 7.3
  test("when the appliance stops is validated by the next start, and nobody counts twice", async () => {
    const { batch_id } = await client.submit({ recipients: many });
    await set.stop();
    await set.start();
    const validated = await client.until(batch_id, ({ status }) => status !== "VALIDATING");
    expect(validated).toMatchObject({ accepted: MANY, reserved_amount: MANY * 15, failure: null });
  });

  // Keeps: behaviour 4.67, 7.6
  test("and was left by a stopped appliance for more than 30 minutes is FAILED, and costs nothing", async () => {
    const { batch_id } = await client.submit({ recipients: many });
    await set.stop();
    await set.clock.advance(30 * MINUTE_MS + 1);
    await set.start();
    const failed = await client.until(batch_id, ({ status }) => status !== "VALIDATING");
    expect(failed).toMatchObject({ status: "FAILED", accepted: 0, rejected: 0, reserved_amount: 0 });
    expect(failed.failure).toEqual({
      code: "VALIDATION_TIMEOUT",
      detail:
        "the batch could not be validated within 30 minutes; to send it, submit it again with a new Idempotency-Key",
    } as never);
    expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
  });

  // Keeps: behaviour 3.31
  test("when its account is suspended becomes FAILED", async () => {
    const { batch_id } = await client.submit({ recipients: many });
    await suspend();
    await set.clock.advance(5000);
    await set.admin("account resume", { ACCOUNT: client.accountId });
    const failed = await client.until(batch_id, ({ status }) => status !== "VALIDATING");
    expect(failed).toMatchObject({
      status: "FAILED",
      failure: {
        code: "ACCOUNT_SUSPENDED",
        detail: "the account is suspended; to send it, submit it again with a new Idempotency-Key",
      },
    });
  });

  // Keeps: behaviour 7.12
  test("and is cancelled in the console becomes CANCELLED, and nothing of it is paid or sent", async () => {
    const { batch_id } = await client.submit({ recipients: many });
    await set.admin("batch cancel", { BATCH: batch_id, reason: "wrong list" });
    const cancelled = await client.until(batch_id, ({ status }) => status !== "VALIDATING");
    expect(cancelled).toMatchObject({ status: "CANCELLED", accepted: 0, failure: null });
    expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
    expect(texts()).toBe(0);
  });
});

describe("a scheduled batch", () => {
  const submit = (minutes: number) =>
    client.submit({ recipients: [{ msisdn: "70000001" }], scheduled_at: inMinutes(minutes) });

  // Keeps: behaviour 7.10
  test("whose time came while the appliance was off leaves up to 30 minutes late, and is CANCELLED after", async () => {
    const [sooner, later] = [
      await submit(10),
      await client.submit({
        recipients: [{ msisdn: "70000002" }],
        scheduled_at: inMinutes(11),
      }),
    ];
    await set.stop();
    await set.clock.advance(40.5 * MINUTE_MS);
    await set.start();
    expect(
      (await client.until(sooner.batch_id, ({ status }) => status === "CANCELLED")).counts,
    ).toMatchObject({
      cancelled: 1,
      submitted: 0,
    });
    await client.until(later.batch_id, ({ status }) => status === "SETTLED");
    expect(set.smsc.texts.map(({ to }) => to)).toEqual(["22670000002"]);
    expect(await client.balance()).toMatchObject({ balance: 1_000_000 - 15, reserved: 0 });
    const [message] = await client.messages(sooner.batch_id);
    expect(message).toMatchObject({ status: "CANCELLED", error: { code: "SCHEDULE_TOO_LATE" }, amount: 0 });
  });

  // Keeps: behaviour 5.16
  test("of an account that is suspended for too long is CANCELLED, and not sent when it is resumed", async () => {
    const { batch_id } = await submit(1);
    await suspend();
    await set.clock.advance(32 * MINUTE_MS);
    await set.admin("account resume", { ACCOUNT: client.accountId });
    await client.until(batch_id, ({ status }) => status === "CANCELLED");
    expect(texts()).toBe(0);
    expect(await client.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
  });

  // Keeps: behaviour 5.15, 7.9
  test("of an account that is resumed in time leaves then", async () => {
    const { batch_id } = await submit(1);
    await suspend();
    await set.clock.advance(20 * MINUTE_MS);
    expect(texts()).toBe(0);
    await set.admin("account resume", { ACCOUNT: client.accountId });
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    expect(texts()).toBe(1);
  });
});

describe("an opt-out between acceptance and claim", () => {
  const scheduled = (messageClass: string, recipients: readonly string[]) =>
    client.submit({
      message_class: messageClass,
      recipients: recipients.map((msisdn) => ({ msisdn })),
      scheduled_at: inMinutes(1),
    });

  // Keeps: behaviour 4.38, 6.4
  test.each([["the account's list"], ["the appliance-wide list"]])(
    "on %s wins: the message is CANCELLED as SUPPRESSED and released, its neighbours are sent",
    async (list) => {
      const { batch_id } = await scheduled("MARKETING", ["70000001", "70000002"]);
      const where = list.startsWith("the account") ? { ACCOUNT: client.accountId } : { everywhere: "" };
      await set.admin("suppression add", { ...where, MSISDN: "70000001", class: "MARKETING" });
      const settled = await client.until(batch_id, ({ status }) => status === "SETTLED");
      expect(settled).toMatchObject({ charged_amount: 15, released_amount: 15 });
      expect(settled.counts).toMatchObject({ total: 2, cancelled: 1, submitted: 1, delivered: 1 });
      const messages = await client.messages(batch_id);
      expect(messages.find(({ index }) => index === 0)).toMatchObject({
        status: "CANCELLED",
        is_final: true,
        amount: 0,
        reserved_amount: 0,
        error: { code: "SUPPRESSED" },
      });
      expect(set.smsc.texts.map(({ to }) => to)).toEqual(["22670000002"]);
    },
  );

  // Keeps: behaviour 4.37, 4.38
  test("counts for its class only", async () => {
    const { batch_id } = await scheduled("OTP", ["70000001"]);
    await set.admin("suppression add", { ACCOUNT: client.accountId, MSISDN: "70000001", class: "MARKETING" });
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    expect(texts()).toBe(1);
  });
});

describe("the feed over a restart", () => {
  const stampsOf = async (batchId: string) =>
    (await client.messages(batchId)).map((message) => String(message.status_changed_at));

  // Keeps: behaviour 6.45, 6.46, 6.50
  test("goes on from the highest stamp there is, although a burst ran ahead of the clock", async () => {
    const began = set.clock.nowMs();
    const burst = await client.submit({ recipients: many.slice(0, 9000), scheduled_at: inMinutes(60) });
    const burstEndMs = began + 9000 / 90;
    await set.stop();
    await set.start();
    const next = await client.submit({ recipients: many.slice(0, 5), scheduled_at: inMinutes(60) });
    expect(set.clock.nowMs()).toBeLessThan(burstEndMs);
    const [before, after] = [await stampsOf(burst.batch_id), await stampsOf(next.batch_id)];
    expect(before[0]).toBe(`${new Date(began).toISOString().slice(0, -1)}000Z`);
    expect(after[0]).toBe(`${new Date(burstEndMs).toISOString().slice(0, -1)}000Z`);
    const all = [...before, ...after];
    expect(all).toEqual([...new Set(all)].sort());
    expect(all.every((stamp) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(stamp))).toBe(true);
  });
});
