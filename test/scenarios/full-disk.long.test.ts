import { afterEach, beforeEach, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { type Client, type Stage, stage } from "./stage.ts";

const MEGABYTE = 1024 * 1024;
const AMPLE = 10_000 * MEGABYTE;

let freeBytes = AMPLE;
let whole: Stage;
let client: Client;
beforeEach(async () => {
  freeBytes = AMPLE;
  whole = await stage({ ...systemPlatform, spaceOf: () => ({ freeBytes, totalBytes: 2 * AMPLE }) });
  client = await whole.client();
});
afterEach(() => whole.close());

/** So much is free from now on, and it has been noticed. */
async function have(megabytes: number): Promise<void> {
  freeBytes = megabytes * MEGABYTE;
  await whole.clock.advance(1000);
}

async function post(key: string, body: string) {
  const response = await fetch(`${whole.url()}/public/v1/batches`, {
    method: "POST",
    headers: {
      "x-api-key": client.apiKey,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      sender: "ACME",
      body,
      message_class: "TRANSACTIONAL",
      recipients: [{ msisdn: "70123456" }],
    }),
  });
  const { code, data } = (await response.json()) as { code?: string; data?: { batch_id: string } };
  const { headers, status } = response;
  return {
    answer: [status, code ?? "accepted", headers.get("retry-after"), headers.get("idempotency-replayed")],
    batchId: data?.batch_id ?? "",
  };
}

const told = () => whole.log().filter(({ message }) => message.startsWith("the disk"));
const diskCheck = async () => {
  const { data } = JSON.parse((await whole.page("/health")).body) as {
    data: { checks: { name: string; status: string; detail: string }[] };
  };
  return data.checks.find(({ name }) => name === "disk");
};

test("below the reserve a new submission is refused and its key released; one that was accepted is answered as it was", async () => {
  expect((await post("before", "Un")).answer).toEqual([202, "accepted", null, null]);
  await have(255);
  expect((await post("meanwhile", "Deux")).answer).toEqual([503, "STORAGE_FULL", "30", null]);
  expect((await post("before", "Un")).answer).toEqual([202, "accepted", null, "true"]);
  expect(await whole.page("/health/ready")).toMatchObject({ status: 503 });
  expect(await diskCheck()).toMatchObject({ status: "down" });
  await have(257);
  expect(await whole.page("/health/ready")).toMatchObject({ status: 200 });
  expect(await diskCheck()).toMatchObject({ status: "degraded" });
  expect((await post("meanwhile", "Deux")).answer).toEqual([202, "accepted", null, null]);
});

test("below half of the reserve receipts and commands are still written, nothing leaves, and it goes on by itself", async () => {
  whole.smsc.change({ ...PLAIN, receiptDelayMs: 60_000 });
  const { batchId } = await post("left before", "Un");
  await client.until(batchId, ({ counts }) => counts.sent === 1);
  const scheduled_at = new Date(whole.clock.nowMs() + 120_000).toISOString();
  const waits = await client.submit({ recipients: [{ msisdn: "70123457" }], scheduled_at });
  await have(127);
  await whole.clock.advance(180_000);
  expect(await client.batch(batchId)).toMatchObject({ counts: { delivered: 1 } });
  const topUp = { ACCOUNT: client.accountId, AMOUNT: "100", reference: "more" };
  expect(await whole.admin("wallet topup", topUp)).toMatchObject({ topup: 100 });
  expect(await client.batch(waits.batch_id)).toMatchObject({ status: "QUEUED", counts: { submitted: 0 } });
  await have(129);
  await client.until(waits.batch_id, ({ counts }) => counts.sent === 1);
});

test("between the reserve and half of it what was accepted leaves", async () => {
  const scheduled_at = new Date(whole.clock.nowMs() + 120_000).toISOString();
  const { batch_id } = await client.submit({ recipients: [{ msisdn: "70123457" }], scheduled_at });
  await have(129);
  await client.until(batch_id, ({ counts }) => counts.delivered === 1);
});

test("the log has one line a minute, and one when there is room again", async () => {
  await have(100);
  await whole.clock.advance(150_000);
  await have(10_000);
  const lines = told();
  expect(lines.map(({ level }) => level)).toEqual(["error", "error", "error", "info"]);
  expect(lines[0]).toMatchObject({ free_megabytes: 100, reserve_megabytes: 256 });
});

test("without a reserve it goes on to the last megabyte", async () => {
  const now = whole.settings.now();
  const storage = { ...now.storage, reserve_megabytes: 0 };
  expect(whole.settings.replace({ ...now, storage })).toEqual([]);
  await have(2);
  const { answer, batchId } = await post("little", "Un");
  expect(answer[0]).toBe(202);
  await client.until(batchId, ({ counts }) => counts.delivered === 1);
  await have(0);
  expect((await post("nothing", "Deux")).answer).toEqual([503, "STORAGE_FULL", "30", null]);
});
