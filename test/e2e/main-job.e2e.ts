import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api, Json } from "./api.ts";
import { type Appliance, appliance, type Code } from "./appliance.ts";
import { run } from "./executable.ts";

let bendre: Appliance;
let account = "";
let apiKey = "";
let api: Api;

/** The texts on the handset of a number. */
const handset = (operator: Code, number: string) =>
  bendre.seen(operator).filter((event) => event.kind === "text" && event.to === number);

beforeAll(async () => {
  const idFormat = (format: string) => ["--receipt-delay-ms", "20", "--id-format", format];
  bendre = await appliance({
    operators: { orange: idFormat("hex_response_decimal_receipt"), moov: idFormat("uuid") },
  });
  account = String(
    (await bendre.ask("account create", { name: "Pharmacie", billing: "prepaid" })).account_id,
  );
  ({ api, apiKey } = bendre.key(account, "--scopes", "all"));
});
afterAll(() => bendre?.close());

describe("the executable", () => {
  test("says its version and commit", () => {
    expect(run("--version").stdout).toMatch(/^bendre \d+\.\d+\.\d+ \((?:[0-9a-f]{12}|unknown)\)\n$/);
  });

  test("shows the demo once, with every message delivered", () => {
    const demo = run("demo", "--once");
    expect([demo.exitCode, demo.stderr]).toEqual([0, demo.stderr]);
    expect(demo.stdout).toContain("DELIVERED");
    expect(demo.stdout).not.toMatch(/FAILED|CANCELLED/);
  });

  test("is ready and alive, and carries its documentation", async () => {
    expect((await fetch(`${bendre.url()}/health/ready`)).status).toBe(200);
    expect((await fetch(`${bendre.url()}/health/live`)).status).toBe(200);
    const openapi = (await (await fetch(`${bendre.url()}/openapi.json`)).json()) as Json;
    expect(Object.keys(openapi.paths as Json)).toContain("/batches");
    const page = await (await fetch(`${bendre.url()}/docs`)).text();
    expect(page).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((found) => found[1]);
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) expect((await fetch(bendre.url() + asset)).status).toBe(200);
  });

  test("obeys commands while it runs, at once", async () => {
    await bendre.ask("wallet topup", { ACCOUNT: account, AMOUNT: "5000", reference: "bank-1" });
    await bendre.ask("sender request", { ACCOUNT: account, NAME: "PHARMA" });
    await bendre.ask("sender approve", { ACCOUNT: account, NAME: "PHARMA" });
    expect(
      (
        await api.post("before", {
          sender: "NOBODY",
          body: "x",
          message_class: "OTP",
          recipients: [{ msisdn: "70000000" }],
        })
      ).status,
    ).toBe(422);
    for (const operator of ["orange", "moov"])
      await bendre.ask("sender register", { ACCOUNT: account, NAME: "PHARMA", operator: operator });
    const { data } = await api.get("/sender-ids");
    expect((data.sender_ids as Json[])[0]).toMatchObject({ sender: "PHARMA", is_sendable: true });
    const status = await bendre.ask("operator status", {});
    expect(JSON.stringify(status)).toContain("BOUND");
  });
});

describe("the main job", () => {
  const submission = {
    sender: "PHARMA",
    body: "Bonjour {nom}, ça coûte {prix} FCFA{absent}.",
    message_class: "TRANSACTIONAL",
    recipients: [
      { msisdn: "74123456", attributes: { nom: "Awa", prix: 500 } },
      { msisdn: "0022670123456", attributes: { nom: "Issa", prix: 1500 } },
      { msisdn: "+226 70 12 34 57", attributes: { nom: "Zoé" } },
      { msisdn: "+33612345678" },
      { msisdn: "33612345678" },
      { msisdn: "abc" },
      { msisdn: "70 12 34 56" },
      { msisdn: "25300000" },
      { msisdn: "78123456" },
      { msisdn: "59123456" },
      {
        msisdn: "76000001",
        attributes: { nom: "un nom si long qu'il faut bien deux parties pour le porter" },
      },
    ],
  };
  let batchId: unknown;

  test("a mixed batch gets its 202 with every reason", async () => {
    const { status, data } = await api.post("mixed", submission);
    expect(status).toBe(202);
    expect(data).toMatchObject({
      status: "QUEUED",
      accepted: 4,
      rejected: 7,
      reserved_amount: 69,
      total_segments: 5,
      currency: "XOF",
    });
    expect(data.rejections).toEqual([
      { index: 3, msisdn: "+33612345678", reason_code: "UNROUTABLE_PREFIX" },
      { index: 4, msisdn: null, reason_code: "INVALID_MSISDN" },
      { index: 5, msisdn: null, reason_code: "INVALID_MSISDN" },
      { index: 6, msisdn: "+22670123456", reason_code: "DUPLICATE_IN_BATCH" },
      { index: 7, msisdn: "+22625300000", reason_code: "UNROUTABLE_PREFIX" },
      { index: 8, msisdn: "+22678123456", reason_code: "UNROUTABLE_PREFIX" },
      { index: 9, msisdn: "+22659123456", reason_code: "INVALID_MSISDN" },
    ]);
    batchId = data.batch_id;
  });

  test("the same request again is the same answer, and sends nothing twice", async () => {
    const again = await api.post("mixed", submission);
    expect([again.status, again.data.batch_id]).toEqual([202, batchId]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await api.post("mixed", { ...submission, body: "autre" })).status).toBe(409);
  });

  test("it ends SETTLED with the right counts, each text on the right handset", async () => {
    const batch = await api.ended(batchId);
    expect(batch).toMatchObject({
      status: "SETTLED",
      counts: { total: 4, queued: 4, submitted: 4, sent: 4, delivered: 4, failed: 0, cancelled: 0 },
    });
    const text = (operator: Code, number: string) => handset(operator, number).map((event) => event.text);
    expect(text("orange", "22674123456")).toEqual(["Bonjour Awa, ça coûte 500 FCFA."]);
    expect(text("moov", "22670123456")).toEqual(["Bonjour Issa, ça coûte 1500 FCFA."]);
    expect(text("moov", "22670123457")).toEqual(["Bonjour Zoé, ça coûte  FCFA."]);
    expect(text("orange", "22676000001")).toEqual([
      "Bonjour un nom si long qu'il faut bien deux parties pour le porter, ça coûte  FCFA.",
    ]);
  });

  test("the wallet is right to the franc and the ledger agrees", async () => {
    const { data } = await api.get("/account/balance");
    expect(data).toMatchObject({ balance: 4931, reserved: 0, spendable: 4931 });
    await bendre.ask("ledger check", {});
  });

  test("each outcome an operator can give ends in its state, and only what was accepted is charged", async () => {
    const { data } = await api.post("outcomes", {
      sender: "PHARMA",
      body: "Test",
      message_class: "OTP",
      recipients: [
        "74099001",
        "74099002",
        "74099003",
        "74099005",
        "74099006",
        "74099007",
        "74099008",
        "74099009",
      ].map((msisdn) => ({ msisdn })),
    });
    const batch = await api.ended(data.batch_id);
    expect(batch).toMatchObject({ status: "SETTLED", counts: { total: 8, delivered: 4, failed: 4 } });
    const { data: page } = await api.get(
      `/messages?status_changed_since=2020-01-01T00:00:00Z&batch_id=${data.batch_id}`,
    );
    const ends = new Map((page.messages as Json[]).map((message) => [message.msisdn, message]));
    const errorOf = (number: string) => (ends.get(number)?.error as Json | null)?.code ?? null;
    expect(errorOf("+22674099001")).toBe("UNKNOWN_SUBSCRIBER");
    expect(errorOf("+22674099002")).toBe("EXPIRED_AT_OPERATOR");
    expect(errorOf("+22674099003")).toBe("REJECTED_AT_OPERATOR");
    expect(errorOf("+22674099005")).toBe("INVALID_DESTINATION");
    expect(ends.get("+22674099006")?.status).toBe("DELIVERED");
    expect((await api.get("/account/balance")).data).toMatchObject({ balance: 4931 - 7 * 15, reserved: 0 });
    await bendre.ask("ledger check", {});
  });

  test("SIGTERM unbinds and exits 0, and nothing secret was logged", async () => {
    expect(await bendre.end("SIGTERM")).toBe(0);
    for (const operator of ["orange", "moov"] as const) {
      expect(bendre.seen(operator).some((event) => event.kind === "unbound" || event.kind === "closed")).toBe(
        true,
      );
    }
    const log = bendre.log();
    for (const secret of [apiKey, "ça coûte", '"secret"']) expect(log).not.toContain(secret);
  });
});
