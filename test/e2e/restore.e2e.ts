/** A machine dies under load, and a copy of it goes on in another directory: what left after the copy was made is not sent again. */
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf, type Json, poll } from "./api.ts";
import { type Appliance, appliance, readyUrl, type Tenant } from "./appliance.ts";
import { type Going, run, scratch, start } from "./executable.ts";

const MESSAGES = 600;

const place = scratch();
let old: Appliance;
let tenant: Tenant;
let second: Going | null = null;
beforeAll(async () => {
  // A window of 100 that is answered after a second: the batch takes six.
  old = await appliance({
    operators: { orange: ["--response-delay-ms", "1000", "--receipt-delay-ms", "300"] },
  });
  tenant = await old.tenant("Faso Shop");
});
afterAll(() => {
  second?.signal("SIGKILL");
  old?.close();
  place.remove();
});

/** How many texts each handset has. */
function texts(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, to } of old.seen("orange")) {
    if (kind === "text") counts.set(String(to), (counts.get(String(to)) ?? 0) + 1);
  }
  return counts;
}

/** How many submit_sm the operator has had. */
const submitted = () => old.seen("orange").filter(({ kind }) => kind === "submit").length;

/** How many messages of a copy were accepted by the operator, and had no receipt yet. */
function acceptedIn(file: string): number {
  const copy = new Database(file, { readonly: true });
  const row = copy.query<{ n: number }, []>("SELECT count(*) AS n FROM messages WHERE status = 'SENT'").get();
  copy.close();
  return row?.n ?? 0;
}

/** How many messages of a batch are at their end. */
function ended(counts: unknown): number {
  const { delivered = 0, failed = 0 } = counts as Record<string, number>;
  return delivered + failed;
}

/** The same, once the operator has told of all that the dead machine had written. */
async function settled(): Promise<number> {
  for (let before = -1; ; ) {
    const now = submitted();
    if (now === before) return now;
    before = now;
    await Bun.sleep(1500);
  }
}

test("a restore in another directory sends nothing of its own accord, and no more twice than was with the operator", async () => {
  const recipients = Array.from({ length: MESSAGES }, (_, n) => ({ msisdn: String(74_500_000 + n) }));
  const { data } = await tenant.api.post("campaign", {
    sender: "ACME",
    body: "Bonjour",
    message_class: "TRANSACTIONAL",
    recipients,
  });
  await poll(
    () => texts().size,
    (size) => size >= 100,
  );
  const file = join(place.path, "copy.db");
  old.admin("backup", "create", file);
  const inCopy = texts().size;
  const accepted = acceptedIn(file);
  await poll(
    () => texts().size,
    (size) => size >= inCopy + 150,
  );
  await old.end("SIGKILL");
  const left = await settled();

  const config = join(place.path, "config.toml");
  const directory = join(place.path, "data");
  writeFileSync(config, (await Bun.file(old.config).text()).replace(old.directory, directory));
  const command = (...words: string[]) => {
    const done = run(...words, "--config", config, "--json");
    expect([words.join(" "), done.exitCode, done.stderr]).toEqual([words.join(" "), 0, ""]);
    return (JSON.parse(done.stdout) as { data: Json }).data;
  };
  expect(command("backup", "restore", file)).toMatchObject({ directory, replaced: null });
  second = start("serve", "--config", config);
  await second.until((output) => output.stderr().includes('"ready"'));
  const url = readyUrl(second);
  const api = apiOf(() => url, tenant.apiKey);

  const refused = await api.post("another", {
    sender: "ACME",
    body: "x",
    message_class: "OTP",
    recipients: [{ msisdn: "74599999" }],
  });
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    503,
    "RESTORING",
    "60",
  ]);
  await poll(
    () => JSON.stringify(command("operator", "status")),
    (status) => status.includes("BOUND"),
  );
  // Several times what the old machine needed for a hundred.
  await Bun.sleep(3000);
  expect(submitted()).toBe(left);

  const held = command("backup", "resume").counts as { kind: string; messages: number }[];
  const waiting = held.find(({ kind }) => kind === "waiting")?.messages ?? 0;
  const inFlight = held.find(({ kind }) => kind === "in_flight")?.messages ?? 0;
  expect(waiting).toBeGreaterThan(100);
  expect(inFlight).toBeLessThanOrEqual(100);
  command("backup", "resume", "--waiting", "give-up");
  // What the operator had accepted in the copy waits for its receipt, which the dead machine may have had, or which comes now.
  const batch = await poll(
    async () => (await api.get(`/batches/${String(data.batch_id)}`)).body.data as Json,
    ({ counts }) => ended(counts) >= MESSAGES - accepted,
  );
  expect([ended(batch.counts), batch.status]).toEqual([
    ended(batch.counts),
    ended(batch.counts) === MESSAGES ? "SETTLED" : "SENDING",
  ]);
  const twice = [...texts().values()].filter((count) => count > 1).length;
  expect(twice).toBeLessThanOrEqual(inFlight);
  expect(Math.max(...texts().values())).toBeLessThanOrEqual(2);
  expect(command("ledger", "check")).toMatchObject({ accounts: 1 });
  expect(
    (
      await api.post("again", {
        sender: "ACME",
        body: "x",
        message_class: "OTP",
        recipients: [{ msisdn: "74599999" }],
      })
    ).status,
  ).toBe(202);
});
