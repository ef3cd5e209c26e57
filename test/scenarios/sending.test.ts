import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { type Stage, stage } from "./stage.ts";

const MINUTE_MS = 60_000;

let whole: Stage;
beforeAll(async () => {
  whole = await stage();
});
beforeEach(() => whole.smsc.change(PLAIN));
afterAll(() => whole.close());

let next = 70_000_000;
/** Recipients that no other test writes to. */
const numbers = (count: number) => Array.from({ length: count }, () => ({ msisdn: String(next++) }));
const handsets = (recipients: readonly { msisdn: string }[]) =>
  whole.smsc.texts.filter(({ to }) => recipients.some(({ msisdn }) => to.endsWith(msisdn)));
const inSeconds = (seconds: number) => new Date(whole.clock.nowMs() + seconds * 1000).toISOString();

const ENDED = (batch: { status: string }) =>
  ["SETTLED", "REJECTED", "FAILED", "CANCELLED"].includes(batch.status);

describe("an accepted batch", () => {
  // Keeps: public-api 1.1, 1.4, 1.5, 1.8, 3.1.4, 3.1.5, 3.1.6, 3.1.7, 3.2.1, 2.2.17
  test("is QUEUED, SENDING while in flight, and SETTLED when every message is over and the money squared", async () => {
    whole.smsc.change({ receiptDelayMs: 60_000 });
    const client = await whole.client({ funds: 1000 });
    const recipients = numbers(3);
    const { batch_id, status } = await client.submit({ body: "Bonjour", recipients });
    expect(status).toBe("QUEUED");
    const inFlight = await client.until(batch_id, ({ counts }) => counts.sent === 3);
    expect(inFlight.status).toBe("SENDING");
    const reached = { total: 3, queued: 3, submitted: 3, sent: 3, delivered: 0, failed: 0, cancelled: 0 };
    expect(inFlight.counts).toEqual(reached);
    expect(handsets(recipients)).toEqual([]);
    const settled = await client.until(batch_id, ENDED);
    expect(settled).toMatchObject({
      status: "SETTLED",
      reserved_amount: 45,
      charged_amount: 45,
      released_amount: 0,
    });
    expect(settled.counts).toEqual({ ...reached, delivered: 3 });
    expect(handsets(recipients).map(({ from, text }) => [from, text])).toEqual([
      ["ACME", "Bonjour"],
      ["ACME", "Bonjour"],
      ["ACME", "Bonjour"],
    ]);
    expect(await client.balance()).toMatchObject({ balance: 955, reserved: 0, spendable: 955 });
    for (const message of await client.messages(batch_id))
      expect(message).toMatchObject({ status: "DELIVERED", is_final: true, amount: 15, reserved_amount: 0 });
  });

  // Keeps: public-api 3.1.6, 3.2.1
  test("has what could not be sent refunded by the time it is SETTLED", async () => {
    const client = await whole.client({ funds: 1000 });
    const recipients = [{ msisdn: "70199005" }, { msisdn: "70199001" }, ...numbers(1)];
    const { batch_id } = await client.submit({ recipients });
    const settled = await client.until(batch_id, ENDED);
    expect(settled).toMatchObject({
      status: "SETTLED",
      reserved_amount: 45,
      charged_amount: 30,
      released_amount: 15,
    });
    expect(settled.counts).toEqual({
      total: 3,
      queued: 3,
      submitted: 3,
      sent: 2,
      delivered: 1,
      failed: 2,
      cancelled: 0,
    });
    expect(await client.balance()).toMatchObject({ balance: 970, reserved: 0 });
  });

  // Keeps: public-api 2.1.22, 2.1.21
  test("is billed and delivered when it is a test, too", async () => {
    const client = await whole.client({ funds: 1000 });
    const recipients = numbers(1);
    const { batch_id } = await client.submit({ recipients, is_test: true });
    const settled = await client.until(batch_id, ENDED);
    expect(settled).toMatchObject({ status: "SETTLED", is_test: true, charged_amount: 15 });
    expect(handsets(recipients).length).toBe(1);
    expect(await client.balance()).toMatchObject({ balance: 985 });
  });

  // Keeps: public-api 2.5.2, 2.5.3, 2.5.1
  test("takes a postpaid account below zero, towards its credit limit", async () => {
    const client = await whole.client({ account: { billing: "postpaid", "credit-limit": "40" }, funds: 0 });
    expect(await client.balance()).toMatchObject({ balance: 0, spendable: 40 });
    const { batch_id } = await client.submit({ recipients: numbers(2) });
    // Set aside or charged already, it can't be spent again.
    expect(await client.balance()).toMatchObject({ spendable: 10 });
    await client.until(batch_id, ENDED);
    expect(await client.balance()).toMatchObject({ balance: -30, reserved: 0, spendable: 10 });
    await expect(client.submit({ recipients: numbers(1) })).rejects.toThrow("CREDIT_LIMIT_EXCEEDED");
  });
});

// Keeps: public-api 2.6.3, 2.6.5, 2.1.2
test("a sender that is approved and registered nowhere fails every message, and costs nothing", async () => {
  const client = await whole.client({ funds: 1000, isRegistered: false });
  const recipients = numbers(2);
  const { batch_id, accepted } = await client.submit({ recipients });
  expect(accepted).toBe(2);
  const settled = await client.until(batch_id, ENDED);
  expect(settled).toMatchObject({ status: "SETTLED", charged_amount: 0, released_amount: 30 });
  expect(settled.counts).toMatchObject({ total: 2, sent: 0, failed: 2 });
  for (const message of await client.messages(batch_id))
    expect(message).toMatchObject({ status: "FAILED", error: { code: "SENDER_NOT_REGISTERED" } });
  expect(handsets(recipients)).toEqual([]);
  expect(await client.balance()).toMatchObject({ balance: 1000, reserved: 0 });
  await whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: "orange" });
  const second = await client.submit({ recipients });
  expect((await client.until(second.batch_id, ENDED)).counts).toMatchObject({ delivered: 2, failed: 0 });
});

describe("a scheduled batch", () => {
  // Keeps: public-api 3.1.3, 2.1.17
  test("is priced and reserved at once, and sent at its time and not before", async () => {
    const client = await whole.client({ funds: 1000 });
    const recipients = numbers(2);
    const { batch_id, status } = await client.submit({ recipients, scheduled_at: inSeconds(60) });
    expect(status).toBe("SCHEDULED");
    expect(await client.balance()).toMatchObject({ balance: 1000, reserved: 30 });
    await whole.clock.advance(59_000);
    expect((await client.batch(batch_id)).status).toBe("SCHEDULED");
    expect(handsets(recipients)).toEqual([]);
    expect((await client.until(batch_id, ENDED)).counts).toMatchObject({ delivered: 2 });
  });

  // Keeps: public-api 3.1.12, 8.4, 3.1.10
  test("that would leave more than 30 minutes late is CANCELLED and refunded, not sent", async () => {
    const client = await whole.client({ funds: 1000 });
    const [late, inTime] = [numbers(2), numbers(2)];
    const tooLate = await client.submit({ recipients: late, scheduled_at: inSeconds(60) });
    const lateEnough = await client.submit({ recipients: inTime, scheduled_at: inSeconds(65) });
    await whole.stop();
    await whole.clock.advance(31 * MINUTE_MS + 1);
    await whole.start();
    const sent = await client.until(lateEnough.batch_id, ENDED);
    expect(sent).toMatchObject({ status: "SETTLED", counts: { delivered: 2 } });
    const cancelled = await client.until(tooLate.batch_id, ENDED);
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      charged_amount: 0,
      released_amount: 30,
      counts: { submitted: 0, cancelled: 2 },
    });
    expect([handsets(late).length, handsets(inTime).length]).toEqual([0, 2]);
    expect(await client.balance()).toMatchObject({ balance: 970, reserved: 0 });
  });
});

describe("a batch that is cancelled", () => {
  // Keeps: public-api 3.1.10
  test("before sending is CANCELLED and refunded whole", async () => {
    const client = await whole.client({ funds: 1000 });
    const recipients = numbers(2);
    const { batch_id } = await client.submit({ recipients, scheduled_at: inSeconds(60) });
    await whole.admin("batch cancel", { BATCH: batch_id, reason: "a mistake" });
    const cancelled = await client.until(batch_id, ENDED);
    expect(cancelled).toMatchObject({ status: "CANCELLED", released_amount: 30, counts: { cancelled: 2 } });
    expect(await client.balance()).toMatchObject({ balance: 1000, reserved: 0 });
    await whole.clock.advance(120_000);
    expect(handsets(recipients)).toEqual([]);
    expect((await client.batch(batch_id)).status).toBe("CANCELLED");
  });

  // Keeps: public-api 3.1.10, 3.1.7
  test("during sending is CANCELLED with what had not left refunded, though receipts are still to come", async () => {
    whole.smsc.change({ responseDelayMs: 5000, receiptDelayMs: 60_000 });
    const client = await whole.client({ funds: 10_000 });
    const recipients = numbers(150);
    const { batch_id } = await client.submit({ recipients });
    const window = await client.until(batch_id, ({ counts }) => counts.submitted === 100);
    expect(window.status).toBe("SENDING");
    await whole.admin("batch cancel", { BATCH: batch_id, reason: "a mistake" });
    const cancelled = await client.until(batch_id, ENDED);
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      charged_amount: 1500,
      released_amount: 750,
      counts: { submitted: 100, sent: 100, delivered: 0, cancelled: 50 },
    });
    expect(await client.balance()).toMatchObject({ balance: 8500, reserved: 0 });
    const later = await client.until(batch_id, ({ counts }) => counts.delivered === 100);
    expect(later.status).toBe("CANCELLED");
  });
});
