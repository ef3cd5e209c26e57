import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedFrom, type Json, poll } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const RECIPIENTS = 100_000;
const PRICES = { "74": 15, "70": 12 } as const;
const BODY = "Bonjour {nom}, votre solde est de {solde} FCFA.";
const NAMES = ["Awa", "Zœ", "a".repeat(200), "œ".repeat(80), ""] as const;

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  // The operators are away, so that what was accepted stays as it was accepted.
  bendre = await appliance({ operators: { orange: "away", moov: "away" }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Campagne", { money: 10_000_000 });
});
afterAll(() => bendre?.close());

type Expected = { accepted: number; segments: number; amount: number; rejections: Json[] };

/** 100,000 recipients with attributes, every thousandth of three kinds at fault, and what must become of them. */
function campaign(): { recipients: Json[]; expected: Expected } {
  const expected: Expected = { accepted: 0, segments: 0, amount: 0, rejections: [] };
  const recipients = Array.from({ length: RECIPIENTS }, (_, index): Json => {
    const range = index % 2 === 0 ? "74" : "70";
    const number = (place: number) => `${place % 2 === 0 ? "74" : "70"}${String(place).padStart(6, "0")}`;
    const reject = (msisdn: string, normal: string | null, reason_code: string): Json => {
      expected.rejections.push({ index, msisdn: normal, reason_code });
      return { msisdn };
    };
    if (index % 1000 === 1) return reject("12", null, "INVALID_MSISDN");
    if (index % 1000 === 2)
      return reject(number(index - 2), `+226${number(index - 2)}`, "DUPLICATE_IN_BATCH");
    const abroad = `+3361${String(index).padStart(7, "0")}`;
    if (index % 1000 === 3) return reject(abroad, abroad, "UNROUTABLE_PREFIX");
    const attributes = { nom: NAMES[index % NAMES.length], solde: index };
    const text = BODY.replace("{nom}", String(attributes.nom)).replace("{solde}", String(index));
    const [single, part] = text.includes("œ") ? [70, 67] : [160, 153];
    const segments = text.length <= single ? 1 : Math.ceil(text.length / part);
    expected.accepted += 1;
    expected.segments += segments;
    expected.amount += segments * PRICES[range];
    return { msisdn: number(index), attributes };
  });
  return { recipients, expected };
}

/** How many messages the database holds, seen or not. */
function staged(): number {
  const db = new Database(join(bendre.directory, "bendre.db"), { readonly: true });
  try {
    return Number(db.query<{ n: number }, []>("SELECT count(*) AS n FROM messages").get()?.n);
  } finally {
    db.close();
  }
}

const live = async () => (await fetch(`${bendre.url()}/health/live`)).status;

describe("a batch of 100,000", () => {
  const { recipients, expected } = campaign();
  const batch = { sender: "ACME", body: BODY, message_class: "TRANSACTIONAL", recipients };
  let batchId: unknown;

  // Keeps: public-api 2.2.9, 2.2.10, 3.1.1, 8.1, 8.2
  test("is answered at once with zeros, which mean not yet computed", async () => {
    const { status, data } = await tenant.api.post("campaign", batch);
    expect([status, data]).toEqual([
      202,
      {
        batch_id: expect.any(String),
        status: "VALIDATING",
        accepted: 0,
        rejected: 0,
        rejections: [],
        reserved_amount: 0,
        currency: "XOF",
        total_segments: 0,
        warnings: [],
        is_sandbox: false,
      },
    ]);
    batchId = data.batch_id;
  });

  test("goes on after a kill and after a stop in the middle of its validation, and nobody sees half of it", async () => {
    await poll(staged, (count) => count >= 5_000);
    expect(await live()).toBe(200);
    await bendre.end("SIGKILL");
    await bendre.start();
    const { data } = await tenant.api.get(`/batches/${String(batchId)}`);
    expect(data).toMatchObject({ status: "VALIDATING", accepted: 0, rejected: 0, counts: { total: 0 } });
    expect((await feedFrom(tenant.api, "2026-01-01T00:00:00Z")).length).toBe(0);
    await poll(staged, (count) => count >= 12_000);
    expect(await bendre.end("SIGTERM")).toBe(0);
    await bendre.start();
  });

  // Keeps: public-api 2.2.11, 2.2.14, 3.1.4
  test("is QUEUED in the end, each figure and each rejection as counted apart", async () => {
    const queued = await tenant.api.batchUntil(batchId, ({ status }) => status !== "VALIDATING");
    expect(queued).toMatchObject({
      status: "QUEUED",
      accepted: expected.accepted,
      rejected: expected.rejections.length,
      total_segments: expected.segments,
      reserved_amount: expected.amount,
      counts: { total: expected.accepted, queued: expected.accepted, submitted: 0 },
      failure: null,
    });
    expect(queued.rejections).toEqual(expected.rejections);
    const { data: balance } = await tenant.api.get("/account/balance");
    expect(balance).toMatchObject({ balance: 10_000_000, reserved: expected.amount });
    await bendre.ask("ledger check", {});
  });

  test("has every accepted recipient once, in the feed as in the database", async () => {
    const messages = await feedFrom(tenant.api, "2026-01-01T00:00:00Z", `&batch_id=${String(batchId)}`);
    const faulty = new Set(expected.rejections.map(({ index }) => index));
    const places = messages.map(({ index }) => Number(index)).sort((a, b) => a - b);
    expect(places).toEqual(recipients.map((_, index) => index).filter((index) => !faulty.has(index)));
    expect(staged()).toBe(expected.accepted);
  });

  // Keeps: public-api 3.1.10
  test("is cancelled by its client, and a kill in the middle of that leaves nothing waiting", async () => {
    const { status, data } = await tenant.api.ask(`/batches/${String(batchId)}/cancel`, { method: "POST" });
    expect([status, data.status, typeof data.cancel_requested_at]).toEqual([202, "QUEUED", "string"]);
    await bendre.end("SIGKILL");
    await bendre.start();
    const ended = await tenant.api.ended(batchId);
    expect(ended).toMatchObject({
      status: "CANCELLED",
      cancel_requested_at: data.cancel_requested_at,
      counts: { submitted: 0, cancelled: expected.accepted },
      charged_amount: 0,
      released_amount: expected.amount,
    });
  });

  test("is called off again by a command, which finds everything given back", async () => {
    const cancelled = await bendre.ask("batch cancel", { BATCH: String(batchId), reason: "mauvaise liste" });
    expect(cancelled).toMatchObject({
      status: "CANCELLED",
      charged_amount: 0,
      released_amount: expected.amount,
      rejections_by_reason: { INVALID_MSISDN: 100, DUPLICATE_IN_BATCH: 100, UNROUTABLE_PREFIX: 100 },
    });
    const { data: balance } = await tenant.api.get("/account/balance");
    expect(balance).toMatchObject({ balance: 10_000_000, reserved: 0, spendable: 10_000_000 });
    await bendre.ask("ledger check", {});
  });
});

describe("a batch of 100,000 of whom nobody has a number", () => {
  // Keeps: public-api 2.2.14, 3.1.13
  test("is REJECTED, and its fetch streams every rejection while the server answers others", async () => {
    const recipients = Array.from({ length: RECIPIENTS }, () => ({ msisdn: "12", attributes: { a: "b" } }));
    const { data } = await tenant.api.post("nobody", {
      sender: "ACME",
      body: "{a}",
      message_class: "TRANSACTIONAL",
      recipients,
    });
    expect(data.status).toBe("VALIDATING");
    await poll(
      async () => (await bendre.ask("batch show", { BATCH: String(data.batch_id) })).status,
      (status) => status !== "VALIDATING",
    );

    const answer = await fetch(`${bendre.url()}/public/v1/batches/${String(data.batch_id)}`, {
      headers: { "x-api-key": tenant.apiKey },
    });
    expect(answer.headers.get("transfer-encoding")).toBe("chunked");
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body!) {
      if (chunks.length < 20) expect(await live()).toBe(200);
      chunks.push(chunk);
    }
    expect(chunks.length).toBeGreaterThan(1);
    const { data: batch } = JSON.parse(Buffer.concat(chunks).toString()) as { data: Json };
    expect(batch).toMatchObject({
      status: "REJECTED",
      accepted: 0,
      rejected: RECIPIENTS,
      reserved_amount: 0,
    });
    const rejections = batch.rejections as Json[];
    expect(rejections).toEqual(
      recipients.map((_, index) => ({ index, msisdn: null, reason_code: "INVALID_MSISDN" })),
    );
  });
});
