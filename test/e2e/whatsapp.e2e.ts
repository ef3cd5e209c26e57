/** The channel WhatsApp as its users meet it: the executable's server, and its stand-in for Meta's Cloud API. */
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, configOf, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { type Going, start } from "./executable.ts";
import { atNight } from "./night.ts";

let bendre: Appliance;
let sim: Going;
let tenant: Tenant;

/** What an endpoint of the client was told. */
const told: Json[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
  fetch: async (request) => {
    told.push((await request.json()) as Json);
    return new Response(null, { status: 204 });
  },
});

const tablesOf = (port: number, authority: string) => `
${NO_RATE_LIMIT}
[webhooks]
allow_private_targets = true
ca_file = "${authority}"
[policy]
marketing_hours = "00:00-24:00"
[whatsapp]
api = "http://127.0.0.1:${port}"
app_secret = "s3cret"
verify_token = "verify"
[whatsapp.numbers.main]
phone_number_id = "100000000000001"
waba_id = "200000000000002"
token = "simulated-token"
throughput = 1000
price = { OTP = 6, TRANSACTIONAL = 5, MARKETING = 21 }
`;

beforeAll(async () => {
  bendre = await appliance({ operators: { moov: "away" } });
  const webhook = `${bendre.url()}/whatsapp/webhook`;
  const flags = ["--webhook", webhook, "--app-secret", "s3cret", "--verify-token", "verify", "--read", "0"];
  sim = start("whatsapp-sim", "--port", "0", "--json", "--control", "--throughput", "100000", ...flags);
  await sim.until((output) => output.stdout().includes('"listening"'));
  const [port] = sim.events().map((event) => Number(event.port));
  // Where Meta calls stays where it is when the server is started again.
  const text = configOf(
    bendre.directory,
    { moov: 1 },
    tablesOf(port ?? 0, bendre.file("ca.pem", TEST_AUTHORITY)),
  );
  writeFileSync(bendre.config, text.replace("127.0.0.1:0", new URL(bendre.url()).host));
  await bendre.ask("config reload", {});
  tenant = await bendre.tenant("Faso Shop");
  await bendre.ask("sender register", { ACCOUNT: tenant.accountId, NAME: "ACME", operator: "whatsapp:main" });
  await bendre.ask("whatsapp sync", {});
  const endpoint = { url: `https://localhost:${receiver.port}/hooks` };
  const headers = { "content-type": "application/json" };
  const { status } = await tenant.api.ask("/webhooks", {
    method: "POST",
    headers,
    body: JSON.stringify(endpoint),
  });
  expect(status).toBe(201);
});
afterAll(() => {
  sim.signal("SIGKILL");
  bendre.close();
  void receiver.stop(true);
});

const postsTo = (msisdn: string) =>
  sim.events().filter(({ kind, to }) => kind === "post" && to === msisdn.replace("+", ""));
/** The template of orders has another status with Meta, which tells it by the webhook; resolves once that is known. */
const becomes = async (status: string) => {
  sim.type(`template commande_prete ${status}`);
  await poll(
    async () => (await bendre.ask("whatsapp template", { list: "list" })).templates as Json[],
    (templates) => templates.some((one) => one.name === "commande_prete" && one.status === status),
  );
};
const balance = async () => Number((await tenant.api.get("/account/balance")).data.balance);

const READY = {
  sender: "ACME",
  channel: "WHATSAPP",
  message_class: "TRANSACTIONAL",
  body: "Bonjour {nom}, votre commande {commande} est prête.",
};
const to = (msisdn: string, commande = 1) => ({ msisdn, attributes: { nom: "Awa", commande } });

describe("a batch of WhatsApp", () => {
  test.each([
    ["OTP", "*{code}* est votre code de vérification.", { code: "1234" }, 6],
    ["TRANSACTIONAL", READY.body, { nom: "Awa", commande: 7 }, 5],
    ["MARKETING", "Bonjour {a}, profitez de {b} dès aujourd'hui chez nous.", { a: "Awa", b: "tout" }, 21],
  ])(
    "of the class %s is delivered and paid for, and its quote was right",
    async (message_class, body, attributes, price) => {
      const before = await balance();
      const msisdn = `+226700010${price.toString().padStart(2, "0")}`;
      const batch = { ...READY, message_class, body, recipients: [{ msisdn, attributes }] };
      const quoted = await tenant.api.ask("/batches/quote", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(batch),
      });
      expect(quoted.data).toMatchObject({ amount: price, encodings: { UTF8: 1 } });
      const { status, data } = await tenant.api.post(`class ${message_class}`, batch);
      expect([status, data.reserved_amount]).toEqual([202, price]);
      const ended = await tenant.api.ended(data.batch_id);
      expect(ended).toMatchObject({
        status: "SETTLED",
        channel: "WHATSAPP",
        counts: { sent: 1, delivered: 1 },
      });
      expect(before - (await balance())).toBe(price);
      const feed = await tenant.api.get(
        `/messages?status_changed_since=2020-01-01T00:00:00Z&batch_id=${String(data.batch_id)}`,
      );
      expect(feed.data.messages).toMatchObject([
        {
          status: "DELIVERED",
          channel: "WHATSAPP",
          operator: "whatsapp:main",
          encoding: "UTF8",
          segments: 1,
          amount: price,
        },
      ]);
      expect(postsTo(msisdn)).toHaveLength(1);
      // Events may come in another order than what they tell of.
      const ofBatch = () =>
        told
          .filter((event) => (event.data as Json).batch_id === data.batch_id)
          .map(({ type, data: of }) => ({ type: String(type), of }))
          .sort((one, other) => other.type.localeCompare(one.type));
      expect(await poll(ofBatch, (events) => events.length === 2)).toMatchObject([
        {
          type: "MESSAGE_TERMINAL",
          of: {
            status: "DELIVERED",
            channel: "WHATSAPP",
            operator: "whatsapp:main",
            encoding: "UTF8",
            amount: price,
          },
        },
        { type: "BATCH_SETTLED", of: { status: "SETTLED", charged_amount: price, released_amount: 0 } },
      ]);
      const again = await tenant.api.post(`class ${message_class}`, batch);
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
      expect(postsTo(msisdn)).toHaveLength(1);
    },
  );

  test("whose body is no template's is told the nearest one and the first difference", async () => {
    const body = "Bonjour {nom}, ta commande {commande} est prête.";
    const { status, body: problem } = await tenant.api.post("differs", {
      ...READY,
      body,
      recipients: [to("+22670000200")],
    });
    expect([status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(problem.errors).toMatchObject([
      {
        path: "/body",
        template: { name: "commande_prete", language: "fr" },
        expected: "Bonjour {{nom}}, votre commande {{comman",
        found: "Bonjour {nom}, ta commande {commande} es",
      },
    ]);
  });

  atNight("of ten thousand recipients and more is validated, sent and squared to the franc", async () => {
    const before = await balance();
    const recipients = Array.from({ length: 10_001 }, (_, at) => to(String(71_000_000 + at), at));
    const { status, data } = await tenant.api.post("large", { ...READY, recipients });
    expect([status, data.status]).toEqual([202, "VALIDATING"]);
    const ended = await tenant.api.ended(data.batch_id);
    expect(ended).toMatchObject({ status: "SETTLED", accepted: 10_001 });
    expect(ended.counts).toMatchObject({ delivered: 10_001, failed: 0 });
    expect(before - (await balance())).toBe(50_005);
    const texts = new Set(sim.events().map(({ kind, text }) => (kind === "post" ? text : null)));
    for (const at of [0, 5000, 10_000])
      expect(texts).toContain(`Bonjour Awa, votre commande ${at} est prête.`);
  });

  atNight("waits while its template is paused, and leaves when it goes on", async () => {
    const scheduled_at = new Date(Date.now() + 2500).toISOString();
    const batch = { ...READY, scheduled_at, recipients: [to("+22670000300")] };
    const { data } = await tenant.api.post("paused", batch);
    await becomes("PAUSED");
    const refused = await tenant.api.post("while paused", { ...READY, recipients: [to("+22670000301")] });
    expect(refused.text).toContain("which cannot be sent: it is paused");
    await tenant.api.batchUntil(data.batch_id, ({ status }) => status === "QUEUED");
    expect(postsTo("+22670000300")).toEqual([]);
    await becomes("APPROVED");
    expect(await tenant.api.ended(data.batch_id)).toMatchObject({
      status: "SETTLED",
      counts: { delivered: 1 },
    });
  });

  test("that is called off before its time costs nothing", async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const batch = { ...READY, scheduled_at, recipients: [to("+22670000400")] };
    const { data } = await tenant.api.post("called off", batch);
    const before = await balance();
    await tenant.api.ask(`/batches/${String(data.batch_id)}/cancel`, { method: "POST" });
    const ended = await tenant.api.ended(data.batch_id);
    expect(ended).toMatchObject({
      status: "CANCELLED",
      reserved_amount: 5,
      released_amount: 5,
      charged_amount: 0,
    });
    expect(await balance()).toBe(before);
  });

  test("survives a crash: what left is settled by its statuses, what may have left waits, and nobody is written to twice", async () => {
    const recipients = Array.from({ length: 500 }, (_, at) => to(String(72_000_000 + at), at));
    const { data } = await tenant.api.post("crash", { ...READY, recipients });
    await sim.until(() => postsTo("+22672000100").length > 0);
    await bendre.end("SIGKILL");
    await bendre.start();
    const statuses = async () => {
      const page = await tenant.api.get(
        `/messages?status_changed_since=2020-01-01T00:00:00Z&limit=500&batch_id=${String(data.batch_id)}`,
      );
      return (page.data.messages as Json[]).map(({ msisdn, status }) => [String(msisdn), status] as const);
    };
    // What was claimed and not posted is in doubt until its validity is over; all else goes on.
    const last = await poll(statuses, (all) =>
      all.every(([to, status]) => status === (postsTo(to).length > 0 ? "DELIVERED" : "SUBMITTED")),
    );
    expect(last).toHaveLength(500);
    const posts = last.map(([to]) => postsTo(to).length);
    expect(Math.max(...posts)).toBe(1);
    const delivered = posts.filter((count) => count === 1).length;
    expect(delivered).toBeGreaterThan(100);
    const batch = await tenant.api.get(`/batches/${String(data.batch_id)}`);
    expect(batch.data).toMatchObject({ counts: { delivered, failed: 0 }, charged_amount: 5 * delivered });
  });
});
