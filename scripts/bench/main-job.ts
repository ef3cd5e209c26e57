/**
 * The main job end to end in one run: a bulk, single requests, and endpoints that are told of both. `bun run bench 50000 10000 1`: so
 * many messages, single requests, endpoints.
 *
 * The simulated operator, the receiver and the clients here share the machine's cores, so read ratios between runs, never absolutes.
 * Every figure includes real durability (synchronous = FULL).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_AUTHORITY } from "../../test/kit/certificates.ts";
import { freePort } from "./kit/appliance.ts";
import { start } from "./kit/processes.ts";
import type { Told } from "./receiver.ts";

const messages = Number(process.argv[2] ?? 50_000);
const singles = Number(process.argv[3] ?? 10_000);
/** Endpoints that are told of every message and batch meanwhile, by a receiver in a process of its own. */
const webhooks = Number(process.argv[4] ?? 0);
const RECIPIENTS_A_BATCH = 10_000;
const CLIENTS = 32;

const [HTTP_PORT, SMSC_PORT] = [await freePort(), await freePort()];
const directory = mkdtempSync(join(tmpdir(), "bendre-bench-"));
const config = join(directory, "config.toml");
writeFileSync(join(directory, "ca.pem"), TEST_AUTHORITY);
writeFileSync(
  config,
  `
[server]
listen = "127.0.0.1:${HTTP_PORT}"
[storage]
directory = "${join(directory, "data")}"
[api]
requests_per_second = 100000
burst = 1000000
[webhooks]
allow_private_targets = true
ca_file = "${join(directory, "ca.pem")}"
[operators.bench]
prefixes = ["2267"]
price = 15
[[operators.bench.connections]]
host = "127.0.0.1"
port = ${SMSC_PORT}
system_id = "bench"
password = "bench"
window = 100
throughput = 100000
`,
);

const bun = process.execPath;
const quiet = { stdout: "ignore", stderr: "inherit" } as const;

function admin(...words: string[]): Record<string, string> {
  const run = Bun.spawnSync([bun, "src/main.ts", ...words, "--config", config, "--json"]);
  const answer = JSON.parse(run.stdout.toString()) as { data: Record<string, string> };
  return answer.data;
}

const smsc = Bun.spawn(
  [
    bun,
    "src/main.ts",
    "smsc",
    "--port",
    String(SMSC_PORT),
    "--quiet",
    "--receipt-delay-ms",
    "0",
    "--receipt-jitter-ms",
    "0",
  ],
  quiet,
);
const account = admin("account", "create", "--name", "Bench", "--billing", "prepaid").account_id ?? "";
admin("wallet", "topup", account, "100000000", "--reference", "bench");
admin("sender", "request", account, "BENCH");
admin("sender", "approve", account, "BENCH");
admin("sender", "register", account, "BENCH", "--operator", "bench");
const key = admin("key", "create", account, "--name", "bench", "--scopes", "all").api_key ?? "";

const server = Bun.spawn([bun, "scripts/bench/server.ts", config], { stdout: "pipe", stderr: "inherit" });
const output = server.stdout.getReader();
await output.read();

const base = `http://127.0.0.1:${HTTP_PORT}/public/v1`;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

async function post(idempotencyKey: string, body: string): Promise<string> {
  const answer = await fetch(`${base}/batches`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": idempotencyKey },
    body,
  });
  if (answer.status !== 202)
    throw new Error(`POST /batches answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { batch_id: string } }).data.batch_id;
}

async function settled(batchId: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${base}/batches/${batchId}`, { headers });
    const { data } = (await answer.json()) as { data: { status: string } };
    if (data.status === "SETTLED") return;
    await Bun.sleep(25);
  }
}

const submission = (first: number, count: number, messageClass: string) =>
  JSON.stringify({
    sender: "BENCH",
    body: `Bonjour {nom}, votre ${messageClass === "OTP" ? "code" : "commande"} est disponible au comptoir.`,
    message_class: messageClass,
    recipients: Array.from({ length: count }, (_, index) => ({
      msisdn: `7${String(first + index).padStart(7, "0")}`,
      attributes: { nom: `Awa ${first + index}` },
    })),
  });

async function bulk(): Promise<void> {
  const bodies: string[] = [];
  for (let first = 0; first < messages; first += RECIPIENTS_A_BATCH) {
    bodies.push(submission(first, Math.min(RECIPIENTS_A_BATCH, messages - first), "TRANSACTIONAL"));
  }
  const began = performance.now();
  const batches: string[] = [];
  for (const [index, body] of bodies.entries()) batches.push(await post(`bulk-${index}`, body));
  const acceptedMs = performance.now() - began;
  for (const batch of batches) await settled(batch);
  const endMs = performance.now() - began;
  report("bulk: first byte of the first POST to the last receipt durably applied", {
    messages,
    accepted_per_second: Math.round((messages / acceptedMs) * 1000),
    messages_per_second: Math.round((messages / endMs) * 1000),
  });
}

async function single(): Promise<void> {
  const latencies: number[] = [];
  let next = 0;
  let last = "";
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < singles) {
        const number = next++;
        const body = submission(number, 1, "OTP");
        const sentAt = performance.now();
        last = await post(`single-${number}`, body);
        latencies.push(performance.now() - sentAt);
      }
    }),
  );
  const ms = performance.now() - began;
  await settled(last);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) =>
    Math.round((latencies[Math.floor(latencies.length * share)] ?? 0) * 10) / 10;
  report(`single: one recipient a request, each a paid batch, ${CLIENTS} keep-alive clients`, {
    requests: singles,
    requests_per_second: Math.round((singles / ms) * 1000),
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
  });
}

/** Waits until every endpoint was told of every message and every batch. */
async function allTold(sentMs: number): Promise<void> {
  if (webhooks === 0) return;
  const batches = Math.ceil(messages / RECIPIENTS_A_BATCH) + singles;
  const events = webhooks * (messages + singles + batches);
  const began = performance.now();
  let counts = { different: 0, repeats: 0 };
  let whileSending: number | null = null;
  while (counts.different < events) {
    counts = (await receiver.ask("told")) as Told;
    whileSending ??= counts.different;
    await Bun.sleep(50);
  }
  const afterMs = performance.now() - began;
  report(`webhooks: ${webhooks} endpoints, HTTPS, each told of every message and batch`, {
    events,
    told_while_sending: whileSending ?? 0,
    told_after_sending_per_second: Math.round(((events - (whileSending ?? 0)) / afterMs) * 1000),
    repeats: counts.repeats,
    sending_ms: Math.round(sentMs),
    afterwards_ms: Math.round(afterMs),
  });
}

function report(what: string, figures: Record<string, number>): void {
  console.log(`${what}\n  ${JSON.stringify(figures)}`);
}

await Bun.sleep(1500);
const receiver = await start([bun, "scripts/bench/receiver.ts"], { talks: true });
const { port: hookPort } = receiver.first as { port: number };
for (let number = 0; number < webhooks; number++) {
  const url = `https://127.0.0.1:${hookPort}/${number}`;
  const answer = await fetch(`${base}/webhooks`, { method: "POST", headers, body: JSON.stringify({ url }) });
  if (answer.status !== 201) throw new Error(`POST /webhooks answered ${answer.status}`);
}
server.kill("SIGUSR2");
const beganAt = performance.now();
await bulk();
await single();
await allTold(performance.now() - beganAt);
server.kill("SIGTERM");
let tail = "";
for (let part = await output.read(); !part.done; part = await output.read())
  tail += new TextDecoder().decode(part.value);
console.log(`server, both runs\n  ${tail.trim()}`);
smsc.kill();
receiver.signal("SIGTERM");
rmSync(directory, { recursive: true, force: true });
