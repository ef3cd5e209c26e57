/** A copy with both channels, a fallback and a plan goes on after the machine died: nothing leaves until somebody has decided. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, BRISK, configOf, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { type Going, run, scratch, start } from "./executable.ts";

/** Later than the restore is up: what Meta reports of posts that the copy knows comes while nothing is decided. */
const META_DELAY_MS = 9000;
/** More than a plan of the copy and what follows a status need. */
const UNDECIDED_MS = 4000;
const MESSAGES = 20;

const place = scratch();
let old: Appliance;
let sim: Going;
let tenant: Tenant;
let second: Going | null = null;

beforeAll(async () => {
  old = await appliance({ operators: { orange: BRISK } });
  const webhook = ["--webhook", `${old.url()}/whatsapp/webhook`, "--app-secret", "s3cret"];
  const fate = ["--delay", String(META_DELAY_MS), "--fail", "131026:1:status", "--read", "0"];
  sim = start("whatsapp-sim", "--port", "0", "--json", "--control", ...webhook, ...fate);
  await sim.until((output) => output.stdout().includes('"listening"'));
  const port = Number(printed("listening")[0]?.port);
  const orange = Number(old.seen("orange")[0]?.port);
  const text = configOf(
    old.directory,
    { orange },
    `${NO_RATE_LIMIT}
[whatsapp]
api = "http://127.0.0.1:${port}"
app_secret = "s3cret"
verify_token = "verify"
[whatsapp.numbers.main]
phone_number_id = "100000000000001"
waba_id = "200000000000002"
token = "simulated-token"
price = { OTP = 6, TRANSACTIONAL = 5, MARKETING = 21 }
`,
  );
  writeFileSync(old.config, text.replace("127.0.0.1:0", new URL(old.url()).host));
  await old.ask("config reload", {});
  tenant = await old.tenant("Faso Shop");
  await old.ask("sender register", { ACCOUNT: tenant.accountId, NAME: "ACME", operator: "whatsapp:main" });
  await old.ask("whatsapp sync", {});
});
afterAll(() => {
  second?.signal("SIGKILL");
  sim?.signal("SIGKILL");
  old?.close();
  place.remove();
});

/** What the stand-in for Meta printed of one kind. */
function printed(kind: string): Json[] {
  return sim.events().filter((event) => event.kind === kind);
}

const submits = (): Json[] => old.seen("orange").filter(({ kind }) => kind === "submit");

test("posts whose failure Meta reports, and what was planned, leave by no channel before a decision, and once after it", async () => {
  const sent = {
    sender: "ACME",
    channel: "WHATSAPP",
    message_class: "TRANSACTIONAL",
    body: "Bonjour {nom}, votre commande {commande} est prête.",
    fallback: { channel: "SMS", after_seconds: 3600, body: "ACME : {commande} prete" },
    recipients: Array.from({ length: MESSAGES }, (_, at) => ({
      msisdn: String(74_000_100 + at),
      attributes: { nom: "Awa", commande: at },
    })),
  };
  const { status, data } = await tenant.api.post("posted", sent);
  expect(status).toBe(202);
  const scheduled_at = new Date(Date.now() + META_DELAY_MS).toISOString();
  const planned = await tenant.api.post("planned", {
    sender: "ACME",
    message_class: "TRANSACTIONAL",
    body: "Rappel",
    scheduled_at,
    recipients: [{ msisdn: "74000999" }],
  });
  expect(planned.status).toBe(202);
  await poll(
    () => printed("post").length,
    (count) => count === MESSAGES,
  );
  await tenant.api.batchUntil(data.batch_id, ({ counts }) => Number((counts as Json).sent) === MESSAGES);
  const file = join(place.path, "copy.db");
  await old.ask("backup create", { FILE: file });
  await old.end("SIGKILL");

  const config = join(place.path, "config.toml");
  const directory = join(place.path, "data");
  writeFileSync(config, (await Bun.file(old.config).text()).replace(old.directory, directory));
  const command = (...words: string[]): Json => {
    const done = run(...words, "--config", config, "--json");
    expect([words.join(" "), done.exitCode, done.stderr]).toEqual([words.join(" "), 0, ""]);
    return (JSON.parse(done.stdout) as { data: Json }).data;
  };
  command("backup", "restore", file);
  second = start("serve", "--config", config);
  await second.until((output) => output.stderr().includes('"ready"'));
  await poll(
    () => JSON.stringify(command("operator", "status")),
    (shown) => shown.includes("BOUND"),
  );
  // The statuses come by the webhook, each of a message that has a fallback, and the plan is due.
  const statuses = (): number => printed("told").reduce((sum, event) => sum + Number(event.statuses), 0);
  await poll(statuses, (count) => count >= MESSAGES);
  await Bun.sleep(UNDECIDED_MS);
  expect([printed("post").length, submits().length]).toEqual([MESSAGES, 0]);

  command("backup", "resume", "--waiting", "send");
  await poll(
    () => submits().length,
    (count) => count >= MESSAGES + 1,
  );
  await Bun.sleep(UNDECIDED_MS);
  const reached = submits().map(({ to }) => String(to));
  expect([reached.length, new Set(reached).size, printed("post").length]).toEqual([
    MESSAGES + 1,
    MESSAGES + 1,
    MESSAGES,
  ]);
  expect(command("ledger", "check")).toMatchObject({ accounts: 1 });
});
