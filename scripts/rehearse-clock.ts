/**
 * Rehearses the built executable under a clock that is set: `bun scripts/rehearse-clock.ts`. Needs `bun run build` before, gcc
 * on Linux, and two minutes. A library that is loaded before the executable's own shifts its wall clock by what a file says,
 * while the steady clock goes on.
 *
 * Forward by three days and back, back by 30 seconds under load, and starts with a clock that is hours behind or years ahead:
 * nothing may be lost, sent early or twice, and every entry of the ledger is dated right. Exits 1 if anything is otherwise.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configOf, makeTemplate, SENDER } from "./rehearse/appliance.ts";
import { builtExecutable, scratchDirectory } from "./rehearse/executable.ts";
import { type Going, going } from "./rehearse/going.ts";
import { clockLibrary, shiftedClock } from "./rehearse/shifted-clock.ts";

type Json = Record<string, unknown>;

const executable = builtExecutable();
const directory = scratchDirectory("clock");
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** The scheduled batch leaves this long after the start. */
const SCHEDULE_MS = 30_000;
const LOAD = 2000;

const library = clockLibrary(directory);
if (library === null) throw new Error("gcc is missing");
const { prefix, shiftBy } = shiftedClock(library, join(directory, "shift"));
const shifted = [...prefix, executable];

let failed = 0;
const check = (isRight: boolean, what: string, found: unknown = ""): void => {
  console.log(`${isRight ? "right" : "WRONG"}  ${what}${isRight ? "" : `: ${JSON.stringify(found)}`}`);
  if (!isRight) failed += 1;
};

const template = makeTemplate(executable, directory);
const home = join(directory, "template");
const smsc = going([executable, "smsc", "--json", "--port=0"]);
const { port } = JSON.parse(await smsc.line('"listening"')) as { port: number };
const config = join(home, "config.toml");
writeFileSync(config, configOf(home, port, { name: "clock", smsc: [] }));
mkdirSync(join(directory, "logs"));

const command = (...words: string[]): Json => {
  const run = Bun.spawnSync([...shifted, ...words, "--config", config, "--json"], { cwd: "/" });
  const { data, error } = JSON.parse(run.stdout.toString()) as { data?: Json; error?: Json };
  return data ?? { error };
};

let server: Going = smsc;
let url = "";
let starts = 0;
const start = async (): Promise<void> => {
  server = going([...shifted, "serve", "--config", config]);
  url = String((JSON.parse(await server.line('"url"')) as Json).url);
};
const stop = async (): Promise<void> => {
  const code = await server.stop();
  starts += 1;
  writeFileSync(join(directory, "logs", `${starts}.log`), server.errors.join("\n"));
  check(code === 0, "stopped in order", code);
};

const api = async (
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; data: Json; retryAfter: string | null }> => {
  const headers = { authorization: `Bearer ${template.apiKey}`, ...init.headers };
  const answer = await fetch(`${url}/public/v1${path}`, { ...init, headers });
  const body = (await answer.json()) as Json;
  return {
    status: answer.status,
    data: (body.data ?? body) as Json,
    retryAfter: answer.headers.get("retry-after"),
  };
};
let nextNumber = 70_000_000;
const submission = (count: number, changes: Json = {}) => ({
  sender: SENDER,
  body: "Bonjour",
  message_class: "TRANSACTIONAL",
  recipients: Array.from({ length: count }, () => ({ msisdn: `226${nextNumber++}` })),
  ...changes,
});
const submit = (key: string, body: Json) =>
  api("/batches", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });
const batch = async (batchId: unknown) => (await api(`/batches/${batchId}`)).data;
const delivered = async (batchId: unknown) =>
  Number(((await batch(batchId)).counts as Json | undefined)?.delivered);
const ready = async () => (await fetch(`${url}/health/ready`)).status;
const clockStatus = async () => {
  const { data } = (await (await fetch(`${url}/health`)).json()) as { data: { checks?: Json[] } };
  return data.checks?.find(({ name }) => name === "clock")?.status;
};
const until = async (what: string, isSo: () => Promise<boolean>, seconds = 30): Promise<void> => {
  const untilMs = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > untilMs) return check(false, what);
    await Bun.sleep(200);
  }
  check(true, what);
};
const settled = () => Bun.sleep(2500);
const texts = () => smsc.lines.filter((line) => line.includes('"kind":"text"')).length;

const beganAt = new Date();
await start();
const first = submission(1);
const firstAnswer = await submit("first", first);
check(firstAnswer.status === 202, "a submission is taken", firstAnswer);
const scheduledAt = Date.now() + SCHEDULE_MS;
const scheduled = await submit(
  "scheduled",
  submission(1, { scheduled_at: new Date(scheduledAt).toISOString() }),
);
await until("and delivered", async () => (await delivered(firstAnswer.data.batch_id)) === 1);

console.log("the clock is set forward by three days");
shiftBy(3 * DAY_S);
await settled();
check((await clockStatus()) === "degraded", "it is doubted, and /health says so");
check((await ready()) === 200, "the appliance stays ready");
check(
  server.errors.some((line) => line.includes("the clock is doubted")),
  "the log says so",
);
const during = await submit("during", submission(1, { body: "pendant" }));
await until(
  "what is submitted meanwhile is delivered",
  async () => (await delivered(during.data.batch_id)) === 1,
);
command("wallet", "topup", template.account, "1000", "--reference", "during");
check(
  (await submit("first", first)).data.batch_id === firstAnswer.data.batch_id,
  "an earlier answer is replayed",
);
check((await batch(scheduled.data.batch_id)).status === "SCHEDULED", "what is scheduled waits");

console.log("and back");
shiftBy(0);
await settled();
check((await clockStatus()) === "ok", "it is believed again");
check(Date.now() < scheduledAt && texts() === 2, "nothing left early", { texts: texts() });
await until(
  "what is scheduled leaves at its time",
  async () => (await delivered(scheduled.data.batch_id)) === 1,
  60,
);
check(Date.now() >= scheduledAt, "and not before");

console.log("the clock is set back by 30 seconds under load");
const load = await submit("load", submission(LOAD, { body: "charge" }));
await until("half of it has left", async () => texts() >= LOAD / 2);
shiftBy(-30);
await until("all of it is delivered", async () => (await delivered(load.data.batch_id)) === LOAD, 60);
check(texts() === LOAD + 3, "each text left once", { texts: texts() });
const atBack = await submit("back", submission(1, { body: "apres" }));
await until("and what comes after it", async () => (await delivered(atBack.data.batch_id)) === 1);

console.log("a start with a clock that is two hours behind");
await stop();
shiftBy(-2 * HOUR_S);
await start();
const later = new Date(Date.now() + 5000).toISOString();
check((await ready()) === 503, "it is not ready");
const refused = await submit("refused", submission(1));
check(
  refused.status === 503 && refused.data.code === "SERVICE_UNAVAILABLE" && refused.retryAfter !== null,
  "submissions get 503",
  refused,
);
check((await clockStatus()) === "down", "and /health says why");
const before = texts();
await settled();
check(texts() === before, "nothing is sent");
shiftBy(0);
await until("once the clock is right it is ready", async () => (await ready()) === 200);
const again = await submit("refused", submission(1, { scheduled_at: later }));
check(again.status === 202 || again.data.code === "SCHEDULE_INVALID", "and takes submissions", again);

console.log("a start with a clock that is two years ahead");
await stop();
shiftBy(730 * DAY_S);
await start();
check((await ready()) === 503, "it is not ready");
const accepted = command("clock", "accept");
check((accepted.was as Json | null)?.reason === "ahead", "an administrator accepts it", accepted);
await until("and it is ready", async () => (await ready()) === 200);
await stop();
shiftBy(0);
await start();
check((await ready()) === 503, "set right, the next start finds it behind");
check((command("clock", "accept").was as Json | null)?.reason === "behind", "and it is accepted again");
await until("and it is ready", async () => (await ready()) === 200);

const books = command("ledger", "check");
check(books.error === undefined, "the books agree", books);
const { entries } = command("wallet", "statement", template.account) as { entries: { at: string }[] };
const wrong = entries.filter(
  ({ at }) => Date.parse(at) < beganAt.getTime() - 60_000 || Date.parse(at) > Date.now() + 1000,
);
check(entries.length >= 5 && wrong.length === 0, "every entry of the ledger is dated right", wrong);
await stop();
await smsc.stop();

console.log(failed === 0 ? "all right" : `${failed} wrong; logs are in ${join(directory, "logs")}`);
if (failed === 0) rmSync(directory, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
