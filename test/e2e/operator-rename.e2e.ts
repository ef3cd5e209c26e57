import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, apiOf, type Json, poll } from "./api.ts";
import { BRISK, readyUrl } from "./appliance.ts";
import { type Going, run, scratch, start } from "./executable.ts";

const MESSAGES = 50;
const NOBODY = 1;
const PREFIXES = { old: ["22605"], new: ["22605"], other: ["22601"] } as const;
type Code = keyof typeof PREFIXES;

const place = scratch();
const config = `${place.path}/config.toml`;
let smsc: Going;
let smscPort = 0;
let server: Going | null = null;

beforeAll(async () => {
  smsc = start("smsc", "--port", "0", "--json", ...BRISK);
  await smsc.until((output) => output.stdout().includes('"listening"'));
  smscPort = Number(smsc.events()[0]?.port);
});
afterAll(() => {
  for (const going of [server, smsc]) going?.signal("SIGKILL");
  place.remove();
});

/** Writes the configuration anew, as an administrator does with an editor. */
function configure(ports: Partial<Record<Code, number>>): void {
  const operators = Object.entries(ports).map(
    ([code, port]) => `
[operators.${code}]
prefixes = ${JSON.stringify(PREFIXES[code as Code])}
price = 15
[[operators.${code}.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
throughput = 1000
`,
  );
  const head = `[server]\nlisten = "127.0.0.1:0"\n[storage]\ndirectory = "${place.path}/data"\n`;
  writeFileSync(config, head + operators.join(""));
}

async function serve(): Promise<void> {
  server = start("serve", "--config", config);
  await server.until((output) => output.stderr().includes('"ready"'));
}

async function stop(): Promise<void> {
  server?.signal("SIGTERM");
  expect(await server?.ended).toBe(0);
}

function command(exitCode: number, ...words: string[]): Json {
  const done = run(...words, "--config", config, "--json");
  expect([words.join(" "), done.exitCode, done.stderr]).toEqual([words.join(" "), exitCode, ""]);
  return JSON.parse(done.stdout) as Json;
}
const admin = (...words: string[]) => command(0, ...words).data as Json;

const url = () => readyUrl(server);

/** An account that may send to the old operator, and the batch that waits for it. */
async function waitingBatch(): Promise<{ readonly api: Api; readonly batchId: unknown }> {
  const accountId = String(
    admin("account", "create", "--name", "Faso Shop", "--billing", "prepaid").account_id,
  );
  admin("wallet", "topup", accountId, "100000", "--reference", "cash");
  admin("sender", "request", accountId, "ACME");
  admin("sender", "approve", accountId, "ACME");
  admin("sender", "register", accountId, "ACME", "--operator", "old");
  const { api_key } = admin("key", "create", accountId, "--name", "e2e", "--scopes", "all");
  const api = apiOf(url, String(api_key));
  const recipients = Array.from({ length: MESSAGES }, (_, index) => ({ msisdn: String(5_000_001 + index) }));
  const { status, data } = await api.post("waiting", {
    sender: "ACME",
    body: "Bonjour",
    message_class: "TRANSACTIONAL",
    recipients: recipients.map(({ msisdn }) => ({ msisdn: `0${msisdn}` })),
  });
  expect([status, data.accepted]).toEqual([202, MESSAGES]);
  return { api, batchId: data.batch_id };
}

// Keeps: behaviour 4.56, 4.70
test("an operator that is renamed in the configuration loses nothing: all is told, waits, and leaves by its new code", async () => {
  configure({ old: NOBODY });
  await serve();
  const { api, batchId } = await waitingBatch();
  await stop();

  configure({ other: NOBODY });
  const warned = (admin("config", "check").warnings as Json[]).filter(({ operator }) => operator === "old");
  expect(warned.map(({ code, messages }) => [code, messages])).toEqual([
    ["MESSAGES_WAIT", MESSAGES],
    ["REGISTRATIONS_UNUSED", 0],
  ]);
  command(1, "config", "check", "--strict");
  await serve();
  await server!.until((output) => output.stderr().includes("messages wait for an operator"));
  expect(server!.stderr()).toMatch(/messages wait for an operator.*"operator":"old","messages":50/);
  const health = await poll(
    async () => await (await fetch(`${url()}/health`)).text(),
    (text) => text.includes("wait for old"),
  );
  expect(health).toContain(`${MESSAGES} messages wait for old`);
  expect(command(1, "operator", "rename", "old", "new").error).toMatchObject({ code: "OPERATOR_UNKNOWN" });
  const { data: still } = await api.get(`/batches/${String(batchId)}`);
  expect(still).toMatchObject({ status: "QUEUED", released_amount: 0 });
  await stop();

  configure({ other: NOBODY, new: smscPort });
  await serve();
  expect(admin("operator", "rename", "old", "new")).toMatchObject({
    from: "old",
    to: "new",
    messages: MESSAGES,
    registrations: 1,
    prices: 0,
  });
  const batch = await api.ended(batchId);
  expect(batch).toMatchObject({ status: "SETTLED", charged_amount: MESSAGES * 15, released_amount: 0 });
  expect(batch.counts).toMatchObject({ delivered: MESSAGES, failed: 0 });
  expect(admin("config", "check").warnings).toEqual([]);
  const audited = (admin("audit", "list").entries as Json[]).map(({ action }) => action);
  expect(audited).toContain("operator rename");
});
