/**
 * How long the console's pages wait for their data on a large data directory, and how long the event loop is held for it: every GET route,
 * asked over the executable by somebody who is signed in. `bun run build && bun scripts/console-speed.ts DIR [rounds]`, with a directory
 * that `scripts/large-database.ts` made and `scripts/search-speed.ts` has read once. It fails where a route has no question below.
 */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ROUTES, type RouteName } from "../src/console/server/routes/table.ts";
import { freePort } from "./bench/kit/appliance.ts";
import { configuration } from "./bench/kit/configuration.ts";
import { signedIn } from "./bench/kit/console-people.ts";
import { quantile } from "./bench/kit/goal.ts";
import { start } from "./bench/kit/processes.ts";

type Known = {
  readonly account: string;
  readonly batch: string;
  readonly message: string;
  readonly number: string;
  readonly operator: string;
  readonly sender: string;
};
type Get = Extract<RouteName, `GET ${string}`>;

/** What is asked of each route, as paths below `/console/api`; none of what needs something that a large directory lacks. */
const QUESTIONS: Readonly<Record<Get, (of: Known) => readonly string[]>> = {
  "GET /alarms": () => ["/alarms"],
  "GET /appliance": () => ["/appliance"],
  "GET /appliance/started": () => ["/appliance/started"],
  "GET /appliance/tables": () => ["/appliance/tables"],
  "GET /configuration": () => ["/configuration"],
  "GET /settings": () => ["/settings"],
  "GET /audit": () => ["/audit", "/audit?action=user"],
  "GET /audit.csv": () => ["/audit.csv"],
  "GET /backups": () => ["/backups"],
  "GET /backups/work": () => ["/backups/work"],
  "GET /operators": () => ["/operators"],
  "GET /templates": () => ["/templates"],
  "GET /operators/:code/tests": () => ["/operators/bench/tests"],
  "GET /operators/:code/delivery": () => ["/operators/bench/delivery"],
  "GET /queue": () => ["/queue"],
  "GET /unanswered": () => ["/unanswered"],
  "GET /unmatched": () => ["/unmatched"],
  "GET /messages": ({ account, batch, number, operator, sender }) => [
    "/messages",
    `/messages?number=${number}`,
    "/messages?number=70000000",
    "/messages?reference=nobody-named-it-so",
    `/messages?account=${account}`,
    `/messages?account=${account}&status=FAILED`,
    "/messages?status=FAILED",
    "/messages?status=QUEUED",
    "/messages?error=NO_ROUTE",
    `/messages?operator=${operator}`,
    `/messages?sender=${sender}`,
    "/messages?sender=NOBODY",
    "/messages?class=OTP",
    `/messages?batch=${batch}`,
    `/messages?batch=${batch}&status=FAILED`,
    "/messages?from=3d&to=2d",
  ],
  "GET /left-out": ({ account, number }) => [
    `/left-out?number=${number}`,
    `/left-out?number=70000000&account=${account}`,
  ],
  "GET /messages-with-part": ({ account }) => [
    ...["/messages-with-part?typed=9003", `/messages-with-part?typed=9003&account=${account}`],
  ],
  "GET /left-out/rows": ({ account }) => [
    ...["/left-out/rows?typed=7012345", `/left-out/rows?typed=Awa&account=${account}`],
  ],
  "GET /names": ({ account }) => ["/names", `/names?account=${account}`],
  "GET /messages/:message": ({ message }) => [`/messages/${message}`],
  "GET /batches": ({ account }) => [
    "/batches",
    `/batches?account=${account}`,
    "/batches?status=FAILED",
    "/batches?from=3d&to=2d",
  ],
  "GET /batches/:batch": ({ batch }) => [`/batches/${batch}`],
  "GET /batches/:batch/rejections": ({ batch }) => [`/batches/${batch}/rejections`],
  "GET /batches/:batch/failures": ({ batch }) => [`/batches/${batch}/failures`],
  "GET /batches/:batch/people": ({ batch }) => [`/batches/${batch}/people`],
  "GET /batches/:batch/people.csv": ({ batch }) => [`/batches/${batch}/people.csv`],
  "GET /batches/:batch/report": ({ batch }) => [`/batches/${batch}/report`],
  "GET /batches/:batch/report.csv": ({ batch }) => [`/batches/${batch}/report.csv`],
  "GET /batches/:batch/rows": ({ batch }) => [`/batches/${batch}/rows`, `/batches/${batch}/rows?row=Awa`],
  "GET /batches/:batch/left-out.csv": ({ batch }) => [`/batches/${batch}/left-out.csv`],
  "GET /batches/:batch/again": ({ batch }) => [`/batches/${batch}/again`],
  "GET /inbound": () => ["/inbound", "/inbound?operator=bench"],
  "GET /suppressions": ({ account }) => ["/suppressions", `/suppressions?account=${account}`],
  "GET /suppressions/number": ({ number }) => [`/suppressions/number?number=${number}`],
  "GET /search": ({ number, message, batch }) => [
    `/search?q=${number}`,
    `/search?q=${message}`,
    `/search?q=${batch}`,
    "/search?q=Account",
  ],
  "GET /accounts": () => ["/accounts", "/accounts?search=Account"],
  "GET /accounts/:account": ({ account }) => [`/accounts/${account}`],
  "GET /accounts/:account/waiting": ({ account }) => [`/accounts/${account}/waiting`],
  "GET /accounts/:account/prices": ({ account }) => [`/accounts/${account}/prices`],
  "GET /accounts/:account/prices/history": ({ account }) => [`/accounts/${account}/prices/history`],
  "GET /accounts/:account/wallet": ({ account }) => [`/accounts/${account}/wallet`],
  "GET /accounts/:account/statement": ({ account }) => [`/accounts/${account}/statement`],
  "GET /accounts/:account/statement.csv": ({ account }) => [`/accounts/${account}/statement.csv`],
  "GET /accounts/:account/invoice": ({ account }) => [`/accounts/${account}/invoice`],
  "GET /accounts/:account/invoice.pdf": ({ account }) => [
    `/accounts/${account}/invoice.pdf?from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z`,
  ],
  "GET /books": () => ["/books"],
  "GET /senders/waiting": () => ["/senders/waiting"],
  "GET /accounts/:account/senders": ({ account }) => [`/accounts/${account}/senders`],
  "GET /keys/ending": () => ["/keys/ending"],
  "GET /accounts/:account/keys": ({ account }) => [`/accounts/${account}/keys`],
  "GET /accounts/:account/webhooks": ({ account }) => [`/accounts/${account}/webhooks`],
  "GET /webhooks/:webhook": () => [],
  "GET /smpp": () => ["/smpp"],
  "GET /smpp/:system_id": () => [],
  "GET /send/:account/pauses": ({ account }) => [`/send/${account}/pauses`],
  "GET /send/:account/files/:file": () => [],
  "GET /send/:account/files/:file/left-out.csv": () => [],
  "GET /reports/margin": () =>
    ["route", "account", "operator", "class", "day"].map((by) => `/reports/margin?by=${by}`),
  "GET /reports/delivery": ({ account }) => [
    "/reports/delivery",
    ...["operator", "sender", "class", "account", "error"].map((by) => `/reports/delivery?by=${by}`),
    `/reports/delivery?by=sender&account=${account}`,
    "/reports/delivery?by=day&from=7d",
  ],
  "GET /reports/volume": ({ account }) => [
    "/reports/volume",
    "/reports/volume?span=30d",
    `/reports/volume?account=${account}`,
    `/reports/volume?span=30d&account=${account}`,
  ],
  "GET /reports/margin.csv": () => ["/reports/margin.csv"],
  "GET /reports/delivery.csv": () => ["/reports/delivery.csv"],
  "GET /users": () => ["/users"],
};

const [directory, rounds = "5"] = process.argv.slice(2);
if (directory === undefined) throw new Error("bun scripts/console-speed.ts DIR [rounds]");
const unasked = Object.keys(ROUTES).filter((name) => name.startsWith("GET ") && !(name in QUESTIONS));
if (unasked.length > 0) throw new Error(`no question for ${unasked.join(", ")}`);
const place = mkdtempSync(join(tmpdir(), "bendre-console-speed-"));
const failed = await measure(resolve(directory), Number(rounds)).finally(() =>
  rmSync(place, { recursive: true }),
);
process.exit(failed ? 1 : 0);

/** Whether a question was not answered with 200. */
async function measure(data: string, times: number): Promise<boolean> {
  const known = knownIn(data);
  const port = await freePort();
  const config = join(place, "config.toml");
  writeFileSync(join(place, "ca.pem"), "");
  const settings = configuration({
    directory: place,
    data,
    port,
    centrePort: await freePort(),
    receipts: true,
    smppPort: null,
  });
  writeFileSync(config, settings.replace(/^ca_file = .*$/m, ""));
  const server = await start(["dist/bendre", "serve", "--config", config]);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const cookie = await signedIn(url, ["dist/bendre"], config);
  let failed = false;
  console.log("  median    worst     held      octets  question");
  for (const ask of Object.values(QUESTIONS).flatMap((questions) => questions(known))) {
    const tookMs: number[] = [];
    let [octets, status, heldMs] = [0, 0, 0];
    for (let time = 0; time < times; time++) {
      const watch = watchHolds(url);
      const began = performance.now();
      const answer = await fetch(`${url}/console/api${ask}`, { headers: { cookie } });
      octets = (await answer.arrayBuffer()).byteLength;
      tookMs.push(performance.now() - began);
      heldMs = Math.max(heldMs, await watch());
      status = answer.status;
    }
    failed ||= status !== 200;
    const figures = [quantile(tookMs, 0.5), Math.max(...tookMs), heldMs].map((ms) =>
      `${ms.toFixed(1)} ms`.padStart(10),
    );
    console.log(
      `${figures.join("")}${String(octets).padStart(10)}  ${status === 200 ? "" : `${status} `}${ask}`,
    );
  }
  server.signal("SIGTERM");
  await server.ended;
  return failed;
}

/** Asks for a sign of life every few milliseconds; the longest that one took, once it is called. */
function watchHolds(url: string): () => Promise<number> {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/health/live`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - began);
      await Bun.sleep(1);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return longest;
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(100);
  }
}

/** One of each out of the middle of the directory. */
function knownIn(data: string): Known {
  const db = new Database(join(data, "bendre.db"), { readonly: true });
  const { id } = db.query("SELECT max(id) / 2 AS id FROM messages").get() as { id: number };
  const row = db
    .query(
      `SELECT m.ulid AS message, b.ulid AS batch, a.ulid AS account, substr(m.msisdn, 5) AS number, m.operator, b.sender
       FROM messages m JOIN batches b ON b.id = m.batch_id JOIN accounts a ON a.id = b.account_id WHERE m.id >= ? LIMIT 1`,
    )
    .get(id) as Known;
  db.close();
  return row;
}
