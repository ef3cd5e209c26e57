/** Each key that may change while the appliance runs, and what is done next. test/config/live-config.test.ts has those that may not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import type { Config, OperatorConfig } from "../../src/config/config.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { type Batch, type Client, type Stage, stage } from "./stage.ts";

const HOUR_MS = 3_600_000;

let whole: Stage;
let atStart: Config;
let client: Client;
beforeAll(async () => {
  whole = await stage({ ...systemPlatform, spaceOf: () => ({ freeBytes: 1e9, totalBytes: 2e9 }) });
  atStart = whole.settings.now();
});
beforeEach(async () => {
  whole.smsc.change(PLAIN);
  replace(atStart);
  client = await whole.client({ account: { classes: "OTP,TRANSACTIONAL,MARKETING" } });
});
afterAll(() => whole.close());

const replace = (config: Config) => expect(whole.settings.replace(config)).toEqual([]);
/** Changes keys of one table, and nothing else. */
const change = <Table extends keyof Config>(table: Table, keys: Partial<Config[Table]>) =>
  replace({ ...atStart, [table]: { ...atStart[table], ...keys } });
const changeOperator = (keys: Partial<OperatorConfig>) => {
  const { orange } = atStart.operators;
  if (orange) replace({ ...atStart, operators: { orange: { ...orange, ...keys } } });
};

let next = 70_500_000;
const numbers = (count: number) => Array.from({ length: count }, () => ({ msisdn: String(next++) }));
const reasons = ({ rejections }: Batch) => rejections.map(({ reason_code }) => reason_code);
const marketing = (msisdn: string) => client.submit({ message_class: "MARKETING", recipients: [{ msisdn }] });
const sendingTo = (count = 1) => client.submit({ recipients: numbers(count) });
const isOver = ({ status }: Batch) => status === "SETTLED";
const isSent = ({ counts }: Batch) => counts.sent === 1;
const onlyMessage = async (batchId: string) => (await client.messages(batchId))[0];

describe("the next request goes by a change of", () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${whole.url()}/public/v1${path}`, {
      ...init,
      headers: { "x-api-key": client.apiKey, ...init.headers },
    });

  test("api.requests_per_second and api.burst", async () => {
    change("api", { requests_per_second: 1, burst: 2 });
    const answers = [
      await ask("/account/balance"),
      await ask("/account/balance"),
      await ask("/account/balance"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.headers.get("x-ratelimit-limit")).toBe("2");
    change("api", { burst: 50 });
    await whole.clock.advance(1000);
    expect((await ask("/account/balance")).headers.get("x-ratelimit-limit")).toBe("50");
  });

  test("api.max_lookback_hours", async () => {
    const { batch_id } = await sendingTo();
    await client.until(batch_id, isOver);
    await whole.clock.advance(2 * HOUR_MS);
    expect(await client.messages(batch_id)).toHaveLength(1);
    change("api", { max_lookback_hours: 1 });
    expect(await client.messages(batch_id)).toEqual([]);
  });

  test("storage.reserve_megabytes", async () => {
    change("storage", { reserve_megabytes: 1000 });
    await whole.clock.advance(1000);
    await expect(sendingTo()).rejects.toThrow("STORAGE_FULL");
    replace(atStart);
    await whole.clock.advance(1000);
    expect(await sendingTo()).toMatchObject({ accepted: 1 });
  });

  test("storage.unmatched_receipts", async () => {
    change("storage", { unmatched_receipts: 1000 });
    whole.smsc.change({ strayReceipts: 1100, receiptWindow: 0 });
    await sendingTo();
    const isTold = () => JSON.stringify(whole.log()).includes("storage.unmatched_receipts");
    while (!isTold()) await whole.clock.advance(20);
    whole.smsc.change({ strayReceipts: 0 });
  });

  test("webhooks.allow_private_targets", async () => {
    const register = () =>
      ask("/webhooks", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url: "https://127.0.0.1/hook" }),
      });
    expect((await register()).status).toBe(422);
    change("webhooks", { allow_private_targets: true });
    expect((await register()).status).toBe(201);
  });

  test("defaults.timezone", async () => {
    change("defaults", { timezone: "Africa/Abidjan" });
    const created = await whole.admin("account create", { name: "Elsewhere", billing: "prepaid" });
    const shown = await whole.admin("account show", { ACCOUNT: String(created.account_id) });
    expect(shown.timezone).toBe("Africa/Abidjan");
  });
});

describe("the next batch goes by a change of", () => {
  test("defaults.region", async () => {
    expect(reasons(await sendingTo())).toEqual([]);
    change("defaults", { region: "CI" });
    expect(reasons(await sendingTo())).toEqual(["INVALID_MSISDN"]);
  });

  test("policy.recipients_per_minute", async () => {
    change("policy", { recipients_per_minute: 1 });
    expect(reasons(await sendingTo(2))).toEqual(["RATE_LIMIT_PER_MINUTE"]);
  });

  test("policy.recipients_per_day", async () => {
    change("policy", { recipients_per_day: 1 });
    expect(reasons(await sendingTo(2))).toEqual(["RATE_LIMIT_PER_DAY"]);
  });

  test("policy.rejections_per_day", async () => {
    await client.submit({ recipients: [{ msisdn: "1" }] });
    change("policy", { rejections_per_day: 1 });
    await expect(sendingTo()).rejects.toThrow("RATE_LIMITED");
    change("policy", { rejections_per_day: 2 });
    expect(await sendingTo()).toMatchObject({ accepted: 1 });
  });

  test("policy.marketing_hours", async () => {
    change("policy", { marketing_hours: "02:00-02:01" });
    expect(reasons(await marketing("70600001"))).toEqual(["QUIET_HOURS"]);
    change("policy", { marketing_hours: "00:00-24:00" });
    expect(reasons(await marketing("70600001"))).toEqual([]);
  });

  test("policy.marketing_per_day and policy.marketing_per_week", async () => {
    change("policy", { marketing_hours: "00:00-24:00", marketing_per_day: 1 });
    expect(reasons(await marketing("70600002"))).toEqual([]);
    expect(reasons(await marketing("70600002"))).toEqual(["FREQUENCY_CAP_DAILY"]);
    change("policy", { marketing_hours: "00:00-24:00", marketing_per_week: 1 });
    expect(reasons(await marketing("70600002"))).toEqual(["FREQUENCY_CAP_WEEKLY"]);
  });

  test("operators.CODE.price", async () => {
    changeOperator({ price: 40 });
    const { batch_id } = await sendingTo();
    expect(await client.until(batch_id, isOver)).toMatchObject({ charged_amount: 40 });
  });

  test("operators.CODE.prefixes", async () => {
    changeOperator({ prefixes: ["22607"] });
    const { rejections } = await client.submit({
      recipients: [{ msisdn: "70700001" }, { msisdn: "07700001" }],
    });
    expect(rejections).toMatchObject([{ msisdn: "+22670700001", reason_code: "UNROUTABLE_PREFIX" }]);
  });

  test("seller.name, seller.address, seller.tax_numbers, seller.logo, seller.colour, seller.taxes and seller.due_days", async () => {
    const invoice = () => whole.admin("wallet invoice", { ACCOUNT: client.accountId });
    expect(await invoice()).not.toHaveProperty("seller");
    const seller = { name: "Faso SMS", address: ["01 BP 1"], tax_numbers: ["IFU 1"] };
    change("seller", { ...seller, taxes: [{ name: "TVA", percent: 18 }] });
    expect(await invoice()).toMatchObject({ seller, taxes: [{ name: "TVA", percent: 18, amount: 0 }] });
    await whole.admin("account set", { ACCOUNT: client.accountId, billing: "postpaid" });
    const pageOf = async () => (await fetch(`${whole.url()}/docs/en`)).text();
    expect(await pageOf()).not.toContain("#0a7d4f");
    change("seller", { ...seller, due_days: 10, colour: "#0a7d4f", logo: "/nowhere/logo.png" });
    expect(await pageOf()).toContain('<header style="border-top: 4px solid #0a7d4f">');
    expect(await pageOf()).toContain('<img src="/seller-logo"');
    const march = { ACCOUNT: client.accountId, from: "2026-03-01", to: "2026-03-31" };
    expect(await whole.admin("wallet invoice", march)).toMatchObject({ due_on: "2026-04-10" });
  });

  test("billing.charge_on", async () => {
    whole.smsc.change({ receiptDelayMs: HOUR_MS });
    change("billing", { charge_on: "delivered" });
    const { batch_id } = await sendingTo();
    expect(await client.until(batch_id, isSent)).toMatchObject({ charged_amount: 0, reserved_amount: 15 });
  });

  test("delivery.validity_minutes", async () => {
    const { validity_minutes } = atStart.delivery;
    change("delivery", { validity_minutes: { ...validity_minutes, OTP: 3 } });
    whole.smsc.change({ refusePercent: 100, refuseStatus: 0x58 });
    const { batch_id } = await client.submit({ message_class: "OTP", recipients: numbers(1) });
    const submittedMs = whole.clock.nowMs();
    await client.until(batch_id, isOver);
    const minutes = (whole.clock.nowMs() - submittedMs) / 60_000;
    expect([minutes >= 3, minutes < 4]).toEqual([true, true]);
    expect(await onlyMessage(batch_id)).toMatchObject({ status: "FAILED" });
  });
});

describe("the next submit and what comes of it go by a change of", () => {
  test("operators.CODE.connections.throughput", async () => {
    const shown = async () => JSON.stringify(await whole.admin("operator status"));
    expect(await shown()).toContain('"throughput":10000');
    const [connection] = atStart.operators.orange?.connections ?? [];
    if (connection) changeOperator({ connections: [{ ...connection, throughput: 5 }] });
    expect(await shown()).toContain('"throughput":5');
    const { batch_id } = await sendingTo(30);
    const beganMs = whole.clock.nowMs();
    await client.until(batch_id, ({ counts }) => counts.sent === 30);
    const seconds = (whole.clock.nowMs() - beganMs) / 1000;
    expect([seconds >= 5, seconds < 7]).toEqual([true, true]);
  });

  test("operators.CODE.responses", async () => {
    whole.smsc.change({ refusePercent: 100, refuseStatus: 0x58 });
    changeOperator({ responses: { "0x58": "fail" } });
    const { batch_id } = await sendingTo();
    await client.until(batch_id, isOver);
    expect(await onlyMessage(batch_id)).toMatchObject({ status: "FAILED" });
  });

  test("operators.CODE.receipts", async () => {
    whole.smsc.change({ noReceipts: true });
    changeOperator({ receipts: false });
    const { batch_id } = await sendingTo();
    await client.until(batch_id, isOver);
    expect(await onlyMessage(batch_id)).toMatchObject({ status: "SENT", is_final: true });
  });

  test("delivery.receipt_timeout_hours", async () => {
    whole.smsc.change({ noReceipts: true });
    const { batch_id } = await sendingTo();
    await client.until(batch_id, isSent);
    change("delivery", { receipt_timeout_hours: 1 });
    await whole.clock.advance(HOUR_MS + 10_000);
    expect(await client.batch(batch_id)).toMatchObject({ status: "SETTLED" });
  });

  test("delivery.unanswered", async () => {
    whole.smsc.change({ swallowEvery: 1, noReceipts: true });
    const { unanswered } = atStart.delivery;
    change("delivery", { unanswered: { ...unanswered, TRANSACTIONAL: "wait", wait_hours: 1 } });
    const { batch_id } = await sendingTo();
    await whole.clock.advance(HOUR_MS + 60_000);
    expect(await client.batch(batch_id)).toMatchObject({ status: "SETTLED", charged_amount: 0 });
    expect(await onlyMessage(batch_id)).toMatchObject({ status: "FAILED" });
  });

  test("policy.marketing_hours, for what is held already", async () => {
    change("policy", { marketing_hours: "00:00-24:00" });
    const scheduled_at = new Date(whole.clock.nowMs() + 5000).toISOString();
    const { batch_id } = await client.submit({
      message_class: "MARKETING",
      scheduled_at,
      recipients: numbers(1),
    });
    change("policy", { marketing_hours: "02:00-02:01" });
    await whole.clock.advance(60_000);
    expect((await client.batch(batch_id)).counts.sent).toBe(0);
    change("policy", { marketing_hours: "00:00-24:00" });
    await client.until(batch_id, isOver);
  });
});

describe("what clients and callers see goes by a change of", () => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(whole.url() + path, { headers })).text();
  const quickStart = "/docs/en/quick-start";

  test("server.public_url", async () => {
    const serversOf = async () => JSON.parse(await get("/openapi.json")).servers[0].url;
    expect([await serversOf(), await get(quickStart)]).toEqual([
      "/public/v1",
      expect.stringContaining(whole.url()),
    ]);
    change("server", { public_url: "https://sms.pharma.bf" });
    expect(await serversOf()).toBe("https://sms.pharma.bf/public/v1");
    const page = await get(quickStart);
    expect([page.includes("https://sms.pharma.bf"), page.includes(whole.url())]).toEqual([true, false]);
    change("server", { public_url: "" });
    expect(await serversOf()).toBe("/public/v1");
  });

  test("server.trusted_proxies", async () => {
    const headers = { "x-forwarded-for": "10.20.3.4", "x-forwarded-proto": "https" };
    const health = async () => Object.keys(JSON.parse(await get("/health", headers)).data);
    const { host } = new URL(whole.url());
    whole.settings.replace({ ...atStart, console: { ...atStart.console, staff_networks: ["10.20.0.0/16"] } });
    expect([await health(), await get(quickStart, headers)]).toEqual([
      ["status"],
      expect.stringContaining(`http://${host}`),
    ]);
    whole.settings.replace({
      ...whole.settings.now(),
      server: { ...atStart.server, trusted_proxies: ["127.0.0.1"] },
    });
    expect([await health(), await get(quickStart, headers)]).toEqual([
      ["status", "checks"],
      expect.stringContaining(`https://${host}`),
    ]);
  });
});

describe("sandboxes go by a change of", () => {
  test("sandbox.credit, for those that are new", async () => {
    change("sandbox", { credit: 45 });
    expect((await (await whole.inSandbox(client)).balance()).spendable).toBe(45);
  });

  test("sandbox.recipients_per_day", async () => {
    change("sandbox", { recipients_per_day: 2 });
    const tried = await whole.inSandbox(client);
    const recipients = ["70900101", "70900102", "70900103"].map((msisdn) => ({ msisdn }));
    expect(reasons(await tried.submit({ recipients }))).toEqual(["RATE_LIMIT_PER_DAY"]);
  });

  test("sandbox.throughput", async () => {
    const sentInASecond = async () => {
      const tried = await whole.inSandbox(await whole.client());
      const recipients = Array.from({ length: 30 }, (_, n) => ({ msisdn: String(70_900_100 + n) }));
      const { batch_id } = await tried.submit({ recipients });
      await whole.clock.advance(1000);
      const { counts } = await tried.batch(batch_id);
      await tried.until(batch_id, isOver);
      return counts.sent ?? 0;
    };
    expect(await sentInASecond()).toBe(30);
    change("sandbox", { throughput: 10 });
    expect(await sentInASecond()).toBeLessThan(20);
  });
});

describe("clients of Kannel and Jasmin go by a change of", () => {
  const statusOf = async (path: string) => (await fetch(whole.url() + path)).status;

  test("compat.kannel", async () => {
    expect(await statusOf("/cgi-bin/sendsms")).toBe(404);
    change("compat", { kannel: true });
    expect(await statusOf("/cgi-bin/sendsms")).toBe(403);
  });

  test("compat.jasmin", async () => {
    expect(await statusOf("/ping")).toBe(404);
    change("compat", { jasmin: true });
    expect(await statusOf("/ping")).toBe(200);
  });

  test("compat.callback_http", async () => {
    const { accountId } = await whole.client();
    const made = await whole.admin("compat create", { ACCOUNT: accountId, user: "u", sender: "ACME" });
    const asked = async () => {
      const args = { username: "u", password: String(made.password), to: "70000001", text: `${Math.PI}` };
      const query = new URLSearchParams({ ...args, "dlr-url": "http://x.example.bf/", "dlr-mask": "1" });
      return statusOf(`/cgi-bin/sendsms?${query}`);
    };
    change("compat", { kannel: true, callback_http: false });
    expect(await asked()).toBe(400);
    change("compat", { kannel: true, callback_http: true });
    expect(await asked()).toBe(202);
  });
});

test("a change that waits for a restart is told, and the others are in force", () => {
  const server = { ...atStart.server, listen: "127.0.0.1:1" };
  const waiting = whole.settings.replace({ ...atStart, server, log: { ...atStart.log, level: "error" } });
  expect(waiting).toHaveLength(1);
  expect(whole.settings.now().log.level).toBe("error");
});
