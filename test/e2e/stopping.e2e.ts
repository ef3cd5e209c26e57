import { Database } from "bun:sqlite";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { start } from "./executable.ts";

/** What the configuration's window lets be under way on a connection. */
const WINDOW = 100;
const TEXTS = 900;

let bendre: Appliance;
let tenant: Tenant;

/** Takes every connection and says nothing on it. */
const receiver = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
const receiverPort = () => (receiver.address() as AddressInfo).port;

beforeAll(async () => {
  bendre = await appliance({
    operators: {
      // Reads nothing any more from its tenth submit on: it answers neither submits nor the unbind.
      orange: [...BRISK, "--stall-after", "10"],
      moov: [...BRISK, "--response-delay-ms", "150"],
    },
    settings: `${NO_RATE_LIMIT}
[policy]
marketing_hours = "00:00-24:00"
[webhooks]
allow_private_targets = true`,
  });
  tenant = await bendre.tenant("Pharmacie");
});
afterAll(() => {
  bendre?.close();
  receiver.close();
});

const numbers = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: `${prefix}${String(index).padStart(6, "0")}` }));
const post = (key: string, message_class: string, recipients: object[], more: object = {}) =>
  tenant.api.post(key, { sender: "ACME", body: "Bonjour", message_class, recipients, ...more });
const texts = () => bendre.seen("moov").filter(({ kind }) => kind === "text");

function dial(bytes: string) {
  const socket = connect(Number(new URL(bendre.url()).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(bytes);
  return { closed: new Promise<void>((resolve) => socket.on("close", () => resolve())) };
}

describe("stopping while everything hangs at once", () => {
  test("ends in order within ten seconds, claims nothing from the signal on, and sends nobody twice", async () => {
    const webhook = await tenant.api.ask("/webhooks", {
      method: "POST",
      body: JSON.stringify({ url: `https://127.0.0.1:${receiverPort()}/in` }),
      headers: { "content-type": "application/json" },
    });
    const queued = await post("slow", "TRANSACTIONAL", numbers("70", TEXTS));
    expect(queued.status).toBe(202);
    const owed = await post("owed", "MARKETING", numbers("74", 40));
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const large = await post("large", "MARKETING", numbers("71", 12_000), { scheduled_at: later });
    expect(large.data.status).toBe("VALIDATING");
    await tenant.api.batchUntil(owed.data.batch_id, ({ counts }) => Number((counts as Json).submitted) >= 10);
    await poll(
      () => texts().length,
      (count) => count > WINDOW,
    );
    const key = tenant.apiKey;
    const head = dial("GET /public/v1/acc");
    const body = dial(
      `POST /public/v1/batches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: drip\r\n` +
        'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"sender":',
    );
    const command = start(
      "webhook",
      "test",
      String(webhook.data.webhook_id),
      "--config",
      bendre.config,
      "--json",
    );
    await Bun.sleep(500);

    const before = texts().length;
    const from = performance.now();
    const ended = bendre.end("SIGTERM");
    expect([await command.ended, command.stdout()]).toEqual([1, expect.stringContaining('"STOPPING"')]);
    // Written submits are still waited for: who asks meanwhile is told so, at once.
    const late = start("ledger", "check", "--config", bendre.config, "--json");
    expect([await late.ended, late.stdout()]).toEqual([1, expect.stringContaining('"STOPPING"')]);
    expect(await ended).toBe(0);
    expect(performance.now() - from).toBeLessThan(10_000);
    await Promise.all([head.closed, body.closed]);
    expect(texts().length - before).toBeLessThanOrEqual(2 * WINDOW);
    expect(texts().length).toBeLessThan(TEXTS);

    await bendre.start();
    expect((await tenant.api.ended(queued.data.batch_id)).counts).toMatchObject({ delivered: TEXTS });
    const addressed = texts().map(({ to }) => to);
    expect(addressed.length).toBe(new Set(addressed).size);
    const stands = await tenant.api.batchUntil(large.data.batch_id, ({ status }) => status !== "VALIDATING");
    expect(stands).toMatchObject({ status: "SCHEDULED", accepted: 12_000 });
    expect((await tenant.api.get(`/batches/${String(owed.data.batch_id)}`)).status).toBe(200);
  });

  test("a second signal ends it at once, with 1", async () => {
    dial("GET /public/v1/acc");
    const from = performance.now();
    const ended = bendre.end("SIGTERM");
    await poll(
      () => bendre.log(),
      (log) => log.trimEnd().split("\n").slice(-3).join().includes('"stopping"'),
    );
    await bendre.end("SIGTERM");
    expect(await ended).toBe(1);
    expect(performance.now() - from).toBeLessThan(1500);
  });
});

/** Messages in the database of the running server, seen or not. */
function stagedMessages(directory: string): number {
  const db = new Database(join(directory, "bendre.db"), { readonly: true });
  try {
    return Number(db.query<{ n: number }, []>("SELECT count(*) AS n FROM messages").get()?.n);
  } finally {
    db.close();
  }
}

describe("stopping while a large submission is written", () => {
  /** As many as are answered for at once. */
  const RECIPIENTS = 10_000;
  let idle: Appliance;
  beforeAll(async () => {
    idle = await appliance({ operators: { moov: "away" }, settings: NO_RATE_LIMIT });
  });
  afterAll(() => idle?.close());

  test("refuses it for the moment, ends in order, and has nothing of it after the next start", async () => {
    const { accountId, api } = await idle.tenant("Campagne");
    const batch = { sender: "ACME", body: "Bonjour", message_class: "TRANSACTIONAL" };
    const submit = () => api.post("large", { ...batch, recipients: numbers("70", RECIPIENTS) });
    const answered = submit().catch(() => "closed" as const);
    await poll(
      () => stagedMessages(idle.directory),
      (count) => count > 0,
    );
    const from = performance.now();
    expect(await idle.end("SIGTERM")).toBe(0);
    expect(performance.now() - from).toBeLessThan(10_000);
    const answer = await answered;
    if (answer !== "closed") {
      expect([answer.status, answer.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    }
    expect(idle.log()).not.toContain('"level":"error"');

    await idle.start();
    expect((await api.get("/account/balance")).data).toMatchObject({ reserved: 0 });
    expect(idle.admin("batch", "list", accountId)).toMatchObject({ batches: [] });
    expect(await submit()).toMatchObject({ status: 202, data: { accepted: RECIPIENTS } });
    expect(stagedMessages(idle.directory)).toBe(RECIPIENTS);
  });
});

describe.each([["smsc"], ["whatsapp-sim"]])("%s that takes commands", (name) => {
  test("ends at the first signal, while what is typed into it stays open", async () => {
    const simulator = start(name, "--port", "0", "--control", "--json");
    await simulator.until((output) => output.stdout().includes('"listening"'));
    simulator.type("dance");
    await simulator.until((output) => output.stderr().includes("dance"));
    simulator.signal("SIGINT");
    expect(await simulator.ended).toBe(0);
    expect(simulator.stderr()).not.toContain("Error");
  });
});
