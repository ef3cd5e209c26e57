import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

const SUBMISSION_FIELDS = [
  ...["batch_id", "status", "accepted", "rejected", "rejections"],
  ...["reserved_amount", "currency", "total_segments", "warnings", "is_sandbox"],
].sort();
const FETCH_FIELDS = [
  ...["batch_id", "status", "accepted", "rejected", "rejections", "sender", "channel", "message_class"],
  ...["scheduled_at", "created_at", "counts"],
];

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  bendre = await appliance({ operators: { orange: BRISK, moov: BRISK }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Pharmacie");
});
afterAll(() => bendre?.close());

const batchOf = (body: string, recipients: readonly unknown[], rest: Json = {}) => ({
  sender: "ACME",
  body,
  message_class: "TRANSACTIONAL",
  recipients,
  ...rest,
});

describe("a submission", () => {
  const submitted = batchOf("Bonjour {nom}, votre solde est de {solde} FCFA.", [
    { msisdn: "74100001", attributes: { nom: "Awa", solde: 1500 } },
    { msisdn: "+226 70 10 00 02", attributes: { nom: "Zoé", solde: "1 500" } },
    { msisdn: "00226 76 10 00 03", attributes: { nom: "œ" } },
    { msisdn: "74100001", attributes: { nom: "encore" } },
    { msisdn: "+33612345678" },
    { msisdn: "pas un numéro" },
  ]);
  let batchId: unknown;

  // Keeps: public-api 0.1, 0.2, 0.3, 1.6, 1.7, 2.2.1, 2.2.3, 2.2.4, 2.2.5, 2.2.6, 2.2.7, 2.2.8, 2.3.1, 2.3.2, 4.1.4, 4.1.5, 7.31
  test("is answered 202 with exactly the promised fields, each figure counted apart", async () => {
    const { status, headers, body, data } = await tenant.api.post("mixed", submitted);
    batchId = data.batch_id;
    expect([status, headers.get("content-type"), Object.keys(body)]).toEqual([
      202,
      "application/json",
      ["data"],
    ]);
    expect(Object.keys(data).sort()).toEqual(SUBMISSION_FIELDS);
    expect(data).toEqual({
      batch_id: expect.stringMatching(ULID),
      status: "QUEUED",
      accepted: 3,
      rejected: 3,
      rejections: [
        { index: 3, msisdn: "+22674100001", reason_code: "DUPLICATE_IN_BATCH" },
        { index: 4, msisdn: "+33612345678", reason_code: "UNROUTABLE_PREFIX" },
        { index: 5, msisdn: null, reason_code: "INVALID_MSISDN" },
      ],
      // Orange, Moov and Orange, one segment each.
      reserved_amount: 15 + 12 + 15,
      currency: "XOF",
      total_segments: 3,
      is_sandbox: false,
      warnings: [
        {
          code: "MISSING_ATTRIBUTE",
          detail: expect.stringContaining("{solde} has no value for 1 recipient"),
          tag: "solde",
          nearest: null,
          recipients: 1,
        },
      ],
    });
  });

  // Keeps: public-api 1.8, 2.2.13, 2.2.14, 2.2.16, 2.2.17, 3.1.6, 4.2.3
  test("is fetched with every promised field, its rejections in full", async () => {
    const { status, body } = await tenant.api.get(`/batches/${String(batchId)}`);
    expect([status, Object.keys(body)]).toEqual([200, ["data"]]);
    const batch = await tenant.api.ended(batchId);
    expect(Object.keys(batch)).toEqual(expect.arrayContaining(FETCH_FIELDS));
    expect(batch).toMatchObject({
      batch_id: batchId,
      status: "SETTLED",
      accepted: 3,
      rejected: 3,
      sender: "ACME",
      channel: "SMS",
      message_class: "TRANSACTIONAL",
      scheduled_at: null,
      created_at: expect.stringMatching(ZONED),
      counts: { total: 3, queued: 3, submitted: 3, sent: 3, delivered: 3, failed: 0, cancelled: 0 },
      rejections: [{ index: 3 }, { index: 4 }, { index: 5 }],
    });
  });

  // Keeps: public-api 3.1.8, 3.1.13
  test("of which nobody can be reached is REJECTED, and reserves nothing", async () => {
    const before = (await tenant.api.get("/account/balance")).data;
    const { status, data } = await tenant.api.post("nobody", batchOf("x", [{ msisdn: "12" }]));
    expect(status).toBe(202);
    expect(data).toMatchObject({ status: "REJECTED", accepted: 0, rejected: 1, reserved_amount: 0 });
    const { data: after } = await tenant.api.get("/account/balance");
    expect([after.balance, after.reserved]).toEqual([before.balance, before.reserved]);
  });

  // Keeps: public-api 4.1.2, 4.1.9, 4.1.10, 7.4, 7.7
  test("needs an idempotency key of 1 to 255 characters", async () => {
    const send = (headers: Record<string, string>) =>
      tenant.api.ask("/batches", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(batchOf("clé", [{ msisdn: "74100009" }])),
      });
    expect((await send({})).body).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REQUIRED" });
    const tooLong = await send({ "idempotency-key": "k".repeat(256) });
    expect(tooLong.body).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
    expect((await send({ "idempotency-key": "k".repeat(255) })).status).toBe(202);
  });
});

describe("an idempotency key", () => {
  // Keeps: public-api 4.1.6, 4.1.7, 7.14
  test("replays the first 202 byte for byte after the server was stopped and started", async () => {
    const batch = batchOf("Une fois", [{ msisdn: "74100011" }, { msisdn: "12" }]);
    const first = await tenant.api.post("replay", batch);
    await tenant.api.ended(first.data.batch_id);
    expect(await bendre.end("SIGTERM")).toBe(0);
    await bendre.start();

    const { recipients, ...rest } = batch;
    const inAnotherOrder = await tenant.api.post("replay", { recipients, ...rest });
    expect([inAnotherOrder.status, inAnotherOrder.text]).toEqual([202, first.text]);
    expect(inAnotherOrder.headers.get("idempotency-replayed")).toBe("true");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    const other = await tenant.api.post("replay", { ...batch, body: "Une autre" });
    expect(other.body).toMatchObject({ status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
    expect(textsTo("22674100011")).toEqual(["Une fois"]);
  });

  // Keeps: public-api 4.1.8, 7.13
  test("is refused while the first request with it is in flight, and says when to ask again", async () => {
    const nobody = Array.from({ length: 10_000 }, () => ({ msisdn: "12" }));
    const send = () => tenant.api.post("in-flight", batchOf("En vol", nobody));
    const [one, two] = (await Promise.all([send(), send()])).sort((a, b) => a.status - b.status);
    expect([one!.status, two!.status]).toEqual([202, 409]);
    expect(two!.body.code).toBe("REQUEST_IN_PROGRESS");
    expect(two!.headers.get("retry-after")).toBe("1");
    expect((await send()).text).toBe(one!.text);
  });

  // Keeps: public-api 4.1.3
  test("is another one under another API key of the same account", async () => {
    const { api } = bendre.key(tenant.accountId, "--scopes", "all");
    const batch = (body: string) => batchOf(body, [{ msisdn: "74100012" }]);
    const first = await tenant.api.post("shared", batch("De la première"));
    const second = await api.post("shared", batch("De la seconde"));
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.data.batch_id).not.toBe(first.data.batch_id);
  });

  test("leaves both the batch and its answer, or neither, when the server is killed while clients post", async () => {
    const { data: before } = await tenant.api.get("/account/balance");
    const accepted = async () =>
      (await bendre.ask("batch list", { ACCOUNT: tenant.accountId, limit: "1000" })).batches as Json[];
    const earlier = (await accepted()).length;
    const batch = (index: number) =>
      batchOf(`Coupure ${index}`, [{ msisdn: `7420${String(index).padStart(4, "0")}` }]);
    const answers = new Map<number, string>();
    let next = 0;
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) {
        const index = next++;
        const reply = await tenant.api.post(`crash-${index}`, batch(index)).catch(() => null);
        if (reply === null) return;
        answers.set(index, reply.text);
        if (answers.size === 200) await bendre.end("SIGKILL");
      }
    });
    await Promise.all(clients);
    await bendre.start();

    // Every key once more, those that were never answered too: what was answered is answered again.
    for (let index = 0; index < next; index++) {
      const { status, text } = await tenant.api.post(`crash-${index}`, batch(index));
      expect([index, status]).toEqual([index, 202]);
      if (answers.has(index)) expect(text).toBe(answers.get(index)!);
    }
    const all = await accepted();
    expect(all.length - earlier).toBe(next);
    for (const { batch_id } of all) await tenant.api.ended(batch_id);
    const { data: after } = await tenant.api.get("/account/balance");
    expect(Number(before.spendable) - Number(after.spendable)).toBe(15 * next);
    expect(after.reserved).toBe(0);
    await bendre.ask("ledger check", {});
  });
});

/** The texts that a handset of Orange has. */
function textsTo(number: string): unknown[] {
  return bendre
    .seen("orange")
    .filter(({ kind, to }) => kind === "text" && to === number)
    .map(({ text }) => text);
}
