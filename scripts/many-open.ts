/**
 * What an appliance costs that has nothing to do but to wait for receipts: `bun scripts/many-open.ts [batches] [executable]`.
 *
 * Fills a database with batches of one message each, all SENT and without a receipt, and measures on the executable: how long
 * a start takes, the CPU of the idle server, how long its event loop is held, and how much of an old queue is sent while an
 * administrator changes something each second. Read them against a run with 0 batches.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { askServer } from "../src/admin/control-client.ts";
import { fillOpen, fillQueued } from "./many-open/fill.ts";

const open = Number(process.argv[2] ?? 300_000);
const executable = resolve(process.argv[3] ?? "dist/bendre");
const HTTP_PORT = 21_480;
const SMSC_PORT = 21_481;
/** Older than every open batch: what starves when the queue is gone through from its newest end again and again. */
const OLD_QUEUE = 20_000;
const IDLE_MS = 20_000;
const CHANGES_MS = 15_000;

const directory = mkdtempSync(join(tmpdir(), "bendre-many-open-"));
const data = join(directory, "data");
const config = join(directory, "config.toml");
writeFileSync(
  config,
  `
[server]
listen = "127.0.0.1:${HTTP_PORT}"
[storage]
directory = "${data}"
[policy]
marketing_hours = "00:00-24:00"
[operators.bench]
prefixes = ["2267"]
price = 15
[[operators.bench.connections]]
host = "127.0.0.1"
port = ${SMSC_PORT}
system_id = "bench"
password = "bench"
window = 50
throughput = 500
`,
);

const running: { kill: () => void }[] = [];

function admin(...words: string[]): Record<string, string> {
  const run = Bun.spawnSync([executable, ...words, "--config", config, "--json"]);
  const answer = JSON.parse(run.stdout.toString()) as { data?: Record<string, string> };
  if (!answer.data) throw new Error(`${words.join(" ")}: ${run.stdout}${run.stderr}`);
  return answer.data;
}

type Server = { readonly pid: number; readonly readyMs: number; readonly stop: () => Promise<void> };

async function serve(): Promise<Server> {
  const startedAt = performance.now();
  const child = Bun.spawn([executable, "serve", "--config", config], { stdout: "ignore", stderr: "ignore" });
  running.push(child);
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${HTTP_PORT}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) break;
    if (child.exitCode !== null) throw new Error("the server ended");
    await Bun.sleep(5);
  }
  const readyMs = performance.now() - startedAt;
  return {
    pid: child.pid,
    readyMs,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** CPU time of a process so far, in milliseconds (proc(5): utime and stime in hundredths of a second). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Asks for the liveness page again and again for a while; the longest answer and the 99th of a hundred, in milliseconds. */
async function holds(forMs: number): Promise<{ longest: number; p99: number }> {
  const took: number[] = [];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    await (await fetch(`http://127.0.0.1:${HTTP_PORT}/health/live`)).text();
    took.push(performance.now() - askedMs);
    await Bun.sleep(10);
  }
  took.sort((a, b) => a - b);
  return { longest: took.at(-1) ?? 0, p99: took[Math.floor(took.length * 0.99)] ?? 0 };
}

function count(status: string): number {
  const db = new Database(join(data, "bendre.db"), { readonly: true });
  const row = db
    .query<{ n: number }, [string]>("SELECT count(*) AS n FROM messages WHERE batch_id = 1 AND status = ?")
    .get(status);
  db.close();
  return row?.n ?? 0;
}

/** How much of the old queue left in a while, with a change each second or without. */
async function sentOfOldQueue(account: string, isChanging: boolean): Promise<number> {
  const before = count("QUEUED");
  const endMs = performance.now() + CHANGES_MS;
  for (let amount = 100; performance.now() < endMs; amount++) {
    if (isChanging) {
      const args = { ACCOUNT: account, AMOUNT: String(amount), reference: `change-${amount}` };
      await askServer(data, { command: "wallet topup", args, actor: "bench" });
    }
    await Bun.sleep(1000);
  }
  return before - count("QUEUED");
}

const figure = (name: string, value: string): void => console.log(`${name.padEnd(58)}${value.padStart(12)}`);

try {
  const account = admin("account", "create", "--name", "Bench", "--billing", "prepaid").account_id ?? "";
  admin("sender", "request", account, "BENCH");
  admin("sender", "approve", account, "BENCH");
  admin("sender", "register", account, "BENCH", "--operator", "bench");
  fillQueued(join(data, "bendre.db"), OLD_QUEUE);
  fillOpen(join(data, "bendre.db"), open);
  figure("open batches that wait for receipts", String(open));

  // A first start brings the database to the newest schema; the operator is away, so the old queue stays.
  await (await serve()).stop();
  const server = await serve();
  figure("from the start to ready", `${server.readyMs.toFixed(0)} ms`);
  await Bun.sleep(3000);
  const before = cpuMs(server.pid);
  await Bun.sleep(IDLE_MS);
  figure("CPU of the idle server", `${(((cpuMs(server.pid) - before) / IDLE_MS) * 100).toFixed(2)} %`);
  // Long enough to meet what is done once a minute.
  const idle = await holds(65_000);
  figure("longest answer of the idle server in 65 s", `${idle.longest.toFixed(1)} ms`);
  figure("99 of 100 answers", `${idle.p99.toFixed(1)} ms`);

  const smsc = Bun.spawn([executable, "smsc", "--port", String(SMSC_PORT), "--no-receipts", "--quiet"], {
    stdout: "ignore",
    stderr: "ignore",
  });
  running.push(smsc);
  while (count("QUEUED") === OLD_QUEUE) await Bun.sleep(500);
  figure(`sent of the old queue in ${CHANGES_MS / 1000} s`, String(await sentOfOldQueue(account, false)));
  figure("the same, with an administrative change a second", String(await sentOfOldQueue(account, true)));
  await server.stop();
} finally {
  for (const child of running) child.kill();
  rmSync(directory, { recursive: true, force: true });
}
