import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { type Appliance, appliance, type Tenant } from "./appliance.ts";

const MAX_BYTES = 50_000;
const PROBLEM_FIELDS = [
  "type",
  "title",
  "status",
  "code",
  "detail",
  "is_retryable",
  "request_id",
  "is_sandbox",
];

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  const settings = `[api]\nrequests_per_second = 10000\nburst = 100000\nmax_body_bytes = ${MAX_BYTES}`;
  bendre = await appliance({ operators: { orange: "away" }, settings });
  tenant = await bendre.tenant("Maladroite", { money: 1000 });
});
afterAll(() => bendre?.close());

const batch = (rest: Json = {}) => ({
  sender: "ACME",
  body: "Bonjour",
  message_class: "OTP",
  recipients: [{ msisdn: "74700001" }],
  ...rest,
});

/** Posts a body as it is; each time under an idempotency key of its own. */
let posts = 0;
const postRaw = (body: NonNullable<RequestInit["body"]>, headers: Record<string, string> = {}) =>
  tenant.api.ask("/batches", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": `raw-${posts++}`, ...headers },
    body,
  });

const inChunks = (text: string) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < text.length; at += 10_000) {
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 10_000)));
      }
      controller.close();
    },
  });

describe("an error", () => {
  // Keeps: public-api 7.1, 7.2
  test("has the members of the error schema and nothing else, with the request id of its header", async () => {
    const { status, headers, body } = await tenant.api.get("/nothing/here");
    expect([status, headers.get("content-type"), Object.keys(body)]).toEqual([
      404,
      "application/json",
      PROBLEM_FIELDS,
    ]);
    expect(body.request_id).toBe(String(headers.get("x-request-id")));
    const page = await fetch(new URL(String(body.type), bendre.url()));
    expect(await page.text()).toContain('id="not-found"');
  });

  // Keeps: public-api 7.6
  test("for a wrong method is 422 with the methods that there are", async () => {
    for (const [method, path, allowed] of [
      ["PUT", "/batches", "GET, POST"],
      ["DELETE", "/batches", "GET, POST"],
      ["POST", "/messages", "GET"],
      ["PUT", "/account/balance", "GET"],
      ["PATCH", "/sender-ids", "GET"],
    ]) {
      const { status, headers, body } = await tenant.api.ask(String(path), { method: String(method) });
      expect([method, path, status, body.code]).toEqual([method, path, 422, "VALIDATION_FAILED"]);
      expect(headers.get("allow")).toContain(String(allowed));
    }
  });

  // Keeps: public-api 7.22, 9.1, 9.3
  test("for another version is 400, with a key and without", async () => {
    for (const path of ["/public/v2/batches", "/public/v0/account/balance", "/public/v99"]) {
      for (const headers of [{}, { authorization: `Bearer ${tenant.apiKey}` }]) {
        const answer = await fetch(bendre.url() + path, { headers });
        expect([answer.status, ((await answer.json()) as Json).code]).toEqual([400, "UNSUPPORTED_VERSION"]);
      }
    }
  });
});

describe("a body that is refused", () => {
  const json = JSON.stringify(batch());
  const tooLong = JSON.stringify(batch({ body: "x".repeat(MAX_BYTES) }));
  const badUtf8 = Buffer.concat([Buffer.from('{"sender":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]);

  // Keeps: public-api 7.3, 7.6
  test.each([
    ["another content type", () => postRaw(json, { "content-type": "text/xml" })],
    ["a form", () => postRaw("sender=ACME", { "content-type": "application/x-www-form-urlencoded" })],
    ["another charset", () => postRaw(json, { "content-type": "application/json; charset=utf-16" })],
    ["a content encoding", () => postRaw(Bun.gzipSync(json), { "content-encoding": "gzip" })],
    ["nothing", () => postRaw("")],
    ["half a JSON text", () => postRaw(json.slice(0, -1))],
    ["two JSON texts", () => postRaw(json + json)],
    ["what is not UTF-8", () => postRaw(badUtf8)],
    ["brackets without end", () => postRaw("[".repeat(40_000))],
    ["more bytes than the limit, declared", () => postRaw(tooLong)],
    ["more bytes than the limit, counted", () => postRaw(inChunks(tooLong))],
    ["a list", () => postRaw("[]")],
    ["a misspelt field", () => postRaw(JSON.stringify(batch({ schedule_at: "2030-01-01T00:00:00Z" })))],
    ["a number for a text", () => postRaw(JSON.stringify(batch({ body: 5 })))],
    ["a recipient that is a text", () => postRaw(JSON.stringify(batch({ recipients: ["74700001"] })))],
    [
      "an attribute that is a list",
      () => postRaw(JSON.stringify(batch({ recipients: [{ msisdn: "74700001", attributes: { a: [] } }] }))),
    ],
  ])("%s is 422 VALIDATION_FAILED, in words, as JSON", async (_what, send) => {
    const { status, headers, body } = await send();
    expect([status, headers.get("content-type"), body.code]).toEqual([
      422,
      "application/json",
      "VALIDATION_FAILED",
    ]);
    expect(String(body.detail).length).toBeGreaterThan(10);
  });

  test("that is right but comes in chunks is accepted", async () => {
    expect((await postRaw(inChunks(json))).status).toBe(202);
  });

  // Keeps: public-api 7.3
  test("has its faults named where they are, 20 at most", async () => {
    const recipients = [{ msisdn: "74700001" }, ...Array.from({ length: 30 }, () => ({ msisdn: 7 }))];
    const { body } = await postRaw(JSON.stringify(batch({ recipients })));
    const errors = body.errors as { path: string; message: string }[];
    expect(errors.length).toBe(20);
    expect(errors[0]?.path).toBe("/recipients/1/msisdn");
    const faults = (await postRaw(JSON.stringify({ sender: "ACME", extra: 1 }))).body.errors as Json[];
    expect(faults.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["/body", "/message_class", "/recipients", "/extra"]),
    );
  });

  // Keeps: public-api 7.8, 7.9, 7.12
  test.each([
    ["BATCH_EMPTY", { recipients: [] }],
    ["BATCH_BODY_EMPTY", { body: " \n\t " }],
    ["SENDER_NOT_APPROVED", { sender: "NOBODY" }],
  ])("for its meaning has the code %s", async (code, rest) => {
    expect((await postRaw(JSON.stringify(batch(rest)))).body).toMatchObject({ status: 422, code });
  });
});

describe("a batch that can't be paid", () => {
  // Keeps: public-api 7.15, 7.16, 7.17
  test("is 402 with the reason, and its key may be used again once there is money", async () => {
    const poor = await bendre.tenant("Sans le sou", { money: 10 });
    expect((await poor.api.post("pay", batch())).body).toMatchObject({
      status: 402,
      code: "INSUFFICIENT_FUNDS",
    });
    await bendre.ask("wallet adjust", { ACCOUNT: poor.accountId, AMOUNT: "-50", reason: "erreur" });
    expect((await poor.api.post("pay", batch())).body).toMatchObject({ code: "WALLET_IN_DEBIT" });
    await bendre.ask("wallet topup", { ACCOUNT: poor.accountId, AMOUNT: "100", reference: "second" });
    expect((await poor.api.post("pay", batch())).status).toBe(202);

    const later = await bendre.tenant("Postpayée", { money: 0, billing: "postpaid" });
    expect((await later.api.post("pay", batch())).body).toMatchObject({ code: "CREDIT_LIMIT_EXCEEDED" });
    await bendre.ask("account set", { ACCOUNT: later.accountId, "credit-limit": "15" });
    expect((await later.api.post("pay", batch())).status).toBe(202);
    expect((await later.api.get("/account/balance")).data).toMatchObject({
      billing_mode: "POSTPAID",
      balance: 0,
      reserved: 15,
      credit_limit: 15,
      spendable: 0,
    });
  });
});
