/** The package for TypeScript and JavaScript as its user has it: packed by npm, installed, and run by Node against the executable. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage } from "../../scripts/sdk.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { type Appliance, appliance } from "./appliance.ts";

const PROGRAM = `
import { createServer } from "node:https";
import { bendre, isBendreError, verifyWebhook } from "bendre-sdk";

const { BENDRE_URL, BENDRE_KEY, TLS_CERT, TLS_KEY } = process.env;
let cuts = 1;
const client = bendre({
  baseUrl: BENDRE_URL,
  apiKey: BENDRE_KEY,
  // The first answer to a submission is lost on its way.
  fetch: async (url, init) => {
    const answer = await fetch(url, init);
    if (url.endsWith("/batches") && cuts-- > 0) throw new TypeError("the connection broke");
    return answer;
  },
});
const seen = [];
const secrets = new Map();
const server = createServer({ cert: TLS_CERT, key: TLS_KEY }, async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const event = await verifyWebhook(secrets.get("hook"), request.headers, body);
  const forged = await verifyWebhook(secrets.get("hook"), request.headers, body + " ").catch(() => null);
  seen.push([event.type, event.is_sandbox, forged]);
  response.writeHead(204).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const hook = await client.createWebhook({ url: \`https://127.0.0.1:\${server.address().port}/hook\`, events: ["BATCH_SETTLED"] });
secrets.set("hook", hook.secret);

const batch = {
  sender: "TEST",
  body: "Bonjour {name}",
  message_class: "TRANSACTIONAL",
  client_reference: "march",
  recipients: [
    { msisdn: "70123411", attributes: { name: "Awa" }, client_reference: "order-1" },
    { msisdn: "70123412", attributes: { name: "Issa" }, client_reference: "order-2" },
    { msisdn: "12" },
  ],
};
const before = await client.getBalance();
const quote = await client.quoteBatch(batch);
const sent = await client.submitBatch(batch, "march-1");
const again = await client.submitBatch(batch, "march-1");
const refused = await client.submitBatch({ ...batch, body: "Bonsoir" }, "march-1").catch((error) => error);
const tested = await client.testWebhook(hook.webhook_id);
for (;;) {
  const { status } = await client.getBatch(sent.batch_id);
  if (status === "SETTLED" && seen.length >= 2) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const states = async (filter) => {
  const found = [];
  for await (const { message } of client.changes({ since: "2026-01-01T00:00:00Z", limit: 1, ...filter }))
    found.push(message.client_reference + " " + message.status);
  return found.sort();
};
const listed = [];
for await (const one of client.batches({ clientReference: "march" })) listed.push(one.batch_id);
console.log(JSON.stringify({
  isOne: sent.batch_id === again.batch_id && listed.length === 1 && listed[0] === sent.batch_id,
  quoted: quote.amount === sent.reserved_amount,
  spent: before.spendable - (await client.getBalance()).spendable === sent.reserved_amount,
  accepted: sent.accepted,
  rejections: sent.rejections.map(({ reason_code }) => reason_code),
  refused: [isBendreError(refused), refused.code, refused.status, refused.isRetryable],
  delivered: tested.delivered,
  events: seen.map(String).sort(),
  all: await states({}),
  first: await states({ clientReference: "order-1" }),
  senders: (await client.listSenderIds()).map(({ sender }) => sender),
  templates: Array.isArray(await client.listTemplates()),
}));
server.close();
server.closeAllConnections();
`;

const place = mkdtempSync(join(tmpdir(), "bendre-packed-"));
let bendre: Appliance;
beforeAll(async () => {
  const authority = join(place, "authority.pem");
  writeFileSync(authority, TEST_AUTHORITY);
  const settings = `[webhooks]\nallow_private_targets = true\nca_file = "${authority}"`;
  bendre = await appliance({ operators: { orange: "away", moov: "away" }, settings });
});
afterAll(() => {
  bendre?.close();
  rmSync(place, { recursive: true });
});

function ran(cwd: string, env: Record<string, string>, ...words: string[]): string {
  const done = Bun.spawnSync(words, { cwd, env: { ...process.env, ...env }, stdout: "pipe", stderr: "pipe" });
  expect([words.join(" "), done.exitCode, done.stderr.toString()]).toEqual([
    words.join(" "),
    0,
    expect.any(String),
  ]);
  return done.stdout.toString();
}

test("the package that npm packs and installs does the whole job in Node, over a lost answer", async () => {
  const absent = ["npm", "node"].find((tool) => Bun.which(tool) === null);
  if (absent !== undefined) {
    process.stderr.write(`skipped: the package in Node, for there is no ${absent}\n`);
    return;
  }
  await buildPackage(join(place, "sdk"));
  ran(place, {}, "npm", "pack", "--offline", "./sdk");
  const [packed = ""] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  const app = join(place, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{"type":"module"}');
  ran(app, {}, "npm", "install", "--offline", "--no-audit", "--no-fund", `../${packed}`);
  writeFileSync(join(app, "main.mjs"), PROGRAM);
  const { accountId } = await bendre.tenant("Packed");
  const { apiKey } = bendre.key(accountId, "--scopes", "all", "--mode", "test");
  const env = { BENDRE_URL: bendre.url(), BENDRE_KEY: apiKey, TLS_CERT: HOOK_CERTIFICATE, TLS_KEY: HOOK_KEY };
  expect(JSON.parse(ran(app, env, "node", "main.mjs"))).toEqual({
    isOne: true,
    quoted: true,
    spent: true,
    accepted: 2,
    rejections: ["INVALID_MSISDN"],
    refused: [true, "IDEMPOTENCY_KEY_REUSED", 409, false],
    delivered: true,
    events: ["BATCH_SETTLED,true,", "WEBHOOK_TEST,true,"],
    all: ["order-1 DELIVERED", "order-2 DELIVERED"],
    first: ["order-1 DELIVERED"],
    senders: ["TEST", "ACME"],
    templates: true,
  });
});
