import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { readyUrl } from "./appliance.ts";
import { type Going, run, scratch, start } from "./executable.ts";

type Json = Record<string, unknown>;

const MESSAGES = 2000;
const KILLS = 3;

const place = scratch();
const told = new Map<string, { body: string; times: number }>();
let config = "";
let account = "";
let apiKey = "";
let url = "";
let operator: Going;
let server: Going;
let secret = "";
let onTold = () => {};
let wrong = 0;

/** Every fiftieth request is answered 500. */
let requests = 0;
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
  fetch: async (request) => {
    const body = await request.text();
    requests += 1;
    if (requests % 50 === 0) return new Response("not now", { status: 500 });
    const id = request.headers.get("webhook-id") ?? "";
    try {
      new Webhook(secret).verify(body, Object.fromEntries(request.headers));
    } catch {
      wrong += 1;
    }
    const known = told.get(id);
    if (known && known.body !== body) wrong += 1;
    told.set(id, { body, times: (known?.times ?? 0) + 1 });
    onTold();
    return new Response(null, { status: 204 });
  },
});

function admin(...words: string[]): Json {
  const answer = JSON.parse(run(...words, "--config", config, "--json").stdout) as { data?: Json };
  return answer.data ?? {};
}

/** The same while the receiver here goes on. */
async function adminMeanwhile(...words: string[]): Promise<Json> {
  const command = start(...words, "--config", config, "--json");
  await command.ended;
  return (JSON.parse(command.stdout()) as { data: Json }).data;
}

async function serve(): Promise<void> {
  server = start("serve", "--config", config);
  await server.until((output) => output.stderr().includes('"ready"'));
  url = readyUrl(server);
}

const api = async (path: string, body: unknown, key = "") => {
  const answer = await fetch(`${url}/public/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      ...(key === "" ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Json }).data;
};

const untilTold = (count: number) =>
  new Promise<void>((resolve) => {
    onTold = () => {
      if (told.size >= count) resolve();
    };
    onTold();
  });

beforeAll(async () => {
  operator = start(
    "smsc",
    "--port",
    "0",
    "--json",
    "--strict",
    "--receipt-delay-ms",
    "0",
    "--receipt-jitter-ms",
    "0",
  );
  await operator.until((output) => output.stdout().includes('"listening"'));
  const port = operator.events()[0]?.port;
  const authority = place.file("ca.pem", TEST_AUTHORITY);
  config = place.file(
    "config.toml",
    `
[server]
listen = "127.0.0.1:0"
[storage]
directory = "${place.path}/data"
[webhooks]
allow_private_targets = true
ca_file = "${authority}"
retry_seconds = [1, 1, 1, 1, 1, 1]
probe_seconds = [1]
[operators.orange]
prefixes = ["22605"]
price = 15
receipts = false
[[operators.orange.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
window = 100
throughput = 1000
`,
  );
  account = String(admin("account", "create", "--name", "Faso", "--billing", "prepaid").account_id);
  apiKey = String(admin("key", "create", account, "--name", "e2e", "--scopes", "all").api_key);
  admin("wallet", "topup", account, "1000000", "--reference", "cash");
  admin("sender", "request", account, "ACME");
  admin("sender", "approve", account, "ACME");
  admin("sender", "register", account, "ACME", "--operator", "orange");
  await serve();
});

afterAll(async () => {
  server.signal("SIGKILL");
  operator.signal("SIGKILL");
  await receiver.stop(true);
  place.remove();
});

test("kill -9 in the middle loses no event, and repeats keep their id and their body", async () => {
  expect(server.stderr()).toContain("webhooks.allow_private_targets");
  const webhook = await api("/webhooks", { url: `https://127.0.0.1:${receiver.port}/in?token=hush` });
  secret = String(webhook.secret);
  await api(
    "/batches",
    {
      sender: "ACME",
      body: "Bonjour {n}",
      message_class: "TRANSACTIONAL",
      recipients: Array.from({ length: MESSAGES }, (_, n) => ({
        msisdn: `05${String(n).padStart(6, "0")}`,
        attributes: { n },
      })),
    },
    "one",
  );
  for (let kill = 1; kill <= KILLS; kill++) {
    await untilTold(Math.floor((MESSAGES * kill) / (KILLS + 2)));
    server.signal("SIGKILL");
    await server.ended;
    await serve();
  }
  await untilTold(MESSAGES + 1);
  const events = [...told.values()].map(({ body }) => JSON.parse(body) as { type: string; data: Json });
  expect(new Set(events.map(({ data }) => data.message_id)).size).toBe(MESSAGES + 1);
  expect(events.filter(({ type }) => type === "BATCH_SETTLED").length).toBe(1);
  expect([told.size, wrong]).toEqual([MESSAGES + 1, 0]);

  const shown = admin("webhook", "show", String(webhook.webhook_id));
  expect(shown).toMatchObject({ status: "ENABLED" });
  expect((shown.attempts as Json[]).length).toBeGreaterThan(0);
  requests = 0;
  const byServer = await adminMeanwhile("webhook", "test", String(webhook.webhook_id));
  const byClient = await api(`/webhooks/${webhook.webhook_id}/test`, {});
  server.signal("SIGTERM");
  expect(await server.ended).toBe(0);
  const withoutServer = await adminMeanwhile("webhook", "test", String(webhook.webhook_id));
  expect([byServer, byClient, withoutServer].map(({ outcome }) => outcome)).toEqual(
    Array(3).fill("delivered"),
  );
  expect([told.size, wrong]).toEqual([MESSAGES + 4, 0]);
  expect(server.stderr()).not.toContain("hush");
  expect(server.stderr()).not.toContain(secret.slice(6, 30));
});
