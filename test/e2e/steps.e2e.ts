import { Database } from "bun:sqlite";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { piecesOf } from "../admin/reports/read-pcapng.ts";
import { apiOf, feedFrom, type Json } from "./api.ts";
import { type Appliance, appliance, BRISK, readyUrl } from "./appliance.ts";
import { type Going, run, start } from "./executable.ts";

const NUMBERS = ["+22674000001", "+22675000002"];
const TEXT = "Votre code est 4711, ne le dites jamais.";

let bendre: Appliance;
let ids: string[] = [];
let operator: Going;

/** What must never be in a log. */
function expectNoSecrets(log: string): void {
  for (const number of NUMBERS) expect(log).not.toContain(number.slice(1));
  expect(log).not.toContain("4711");
  expect(log).not.toContain(Buffer.from("4711").toString("hex"));
  expect(log).not.toContain(Buffer.from("74000001").toString("hex"));
}

async function endOf(server: Going): Promise<number> {
  server.signal("SIGTERM");
  return server.ended;
}

/** Starts the server as it is configured now and waits until it has said so much. */
async function served(words: readonly string[], said: string): Promise<Going> {
  const server = start("serve", "--config", bendre.config, ...words);
  await server.until(({ stderr }) => stderr().includes(said));
  return server;
}

beforeAll(async () => {
  bendre = await appliance({ operators: { orange: "away" } });
  const { api } = await bendre.tenant("Pharmacie");
  const recipients = NUMBERS.map((msisdn) => ({ msisdn }));
  const sent = await api.post("one", {
    sender: "ACME",
    body: TEXT,
    message_class: "TRANSACTIONAL",
    recipients,
  });
  expect([sent.status, sent.text]).toEqual([202, sent.text]);
  ids = (await feedFrom(api, "2026-01-01T00:00:00Z")).map(({ message_id }) => String(message_id));
  expect(await bendre.end("SIGTERM")).toBe(0);
  operator = start("smsc", "--port", "0", "--json", ...BRISK);
  await operator.until(({ stdout }) => stdout().includes('"listening"'));
  const port = operator.events()[0]?.port;
  writeFileSync(bendre.config, readFileSync(bendre.config, "utf8").replace("port = 1\n", `port = ${port}\n`));
});

afterAll(() => {
  operator?.signal("SIGKILL");
  bendre?.close();
});

describe("serve --trace-message", () => {
  test("refuses what is no id, and an id of no message", () => {
    const wrong = run("serve", "--config", bendre.config, "--trace-message", "nonsense");
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('"NONSENSE" is not a message id'),
    ]);
    const unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const none = run("serve", "--config", bendre.config, "--trace-message", unknown);
    expect([none.exitCode, none.stderr]).toEqual([
      1,
      expect.stringContaining(`there is no message ${unknown}`),
    ]);
  });

  test("tells all that happens to that message and nothing of the others", async () => {
    const [followed = ""] = ids;
    const server = await served(["--trace-message", followed], '"to":"DELIVERED"');
    expect(await endOf(server)).toBe(0);
    const steps = server.logged().filter(({ level }) => level === "debug");
    expect(new Set(steps.map(({ message_id }) => message_id))).toEqual(new Set([followed]));
    const story = steps.map(({ message, fact, command }) =>
      [message, fact ?? command].filter(Boolean).join(" "),
    );
    for (const step of [
      ...["claimed", "PDU sent submit_sm", "PDU received submit_sm_resp"],
      ...["fact claimed", "fact part_accepted", "attempt ended"],
      ...["PDU received, with the number of the message deliver_sm", "fact receipt"],
      "PDU sent, with the number of the message deliver_sm_resp",
    ]) {
      expect(story).toContain(step);
    }
    expect(steps.find(({ command }) => command === "submit_sm")?.hex).toMatch(/^[0-9a-f]{8} 00000004 .*xx/);
    expectNoSecrets(server.stderr());
  });
});

describe('log.level = "debug"', () => {
  test("tells the steps of the rooms that were asked for, of every message", async () => {
    const quiet = readFileSync(bendre.config, "utf8");
    writeFileSync(bendre.config, `${quiet}\n[log]\nlevel = "debug"\nrooms = ["sms", "smpp"]\n`);
    const server = await served([], '"ready"');
    const url = readyUrl(server);
    const account = String((bendre.admin("account", "list").accounts as Json[])[0]?.account_id);
    const { apiKey } = bendre.key(account, "--scopes", "all");
    const api = apiOf(() => url, apiKey);
    const body = { sender: "ACME", body: `${TEXT} Encore.`, message_class: "TRANSACTIONAL" };
    const sent = await api.post("two", { ...body, recipients: NUMBERS.map((msisdn) => ({ msisdn })) });
    await api.ended(sent.data.batch_id);
    expect(await endOf(server)).toBe(0);
    writeFileSync(bendre.config, quiet);
    const steps = server.logged().filter(({ level }) => level === "debug");
    expect(new Set(steps.map(({ room }) => room))).toEqual(new Set(["sms", "smpp"]));
    const count = (message: string, command?: string) =>
      steps.filter((step) => step.message === message && step.command === command).length;
    expect([count("claimed"), count("attempt ended")]).toEqual([2, 2]);
    expect([count("PDU sent", "submit_sm"), count("PDU received", "submit_sm_resp")]).toEqual([2, 2]);
    // One of before may come again, whose answer the operator did not see.
    expect(count("PDU received", "deliver_sm")).toBeGreaterThanOrEqual(2);
    expect(count("PDU sent", "deliver_sm_resp")).toBe(count("PDU received", "deliver_sm"));
    expect([count("PDU sent", "bind_transceiver"), count("PDU received", "unbind_resp")]).toEqual([1, 1]);
    expect(steps.every(({ hex }) => hex === undefined)).toBe(true);
    expectNoSecrets(server.stderr());
    expect(server.stderr()).not.toContain('secret"');
  });
});

describe("message trace", () => {
  const trace = (...words: string[]) =>
    run("message", "trace", ids[0] ?? "", "--config", bendre.config, ...words);

  test("writes the PDUs of a message into a new capture file, which its owner alone may read", () => {
    const file = join(bendre.directory, "message.pcap");
    expect(JSON.parse(trace("--pcap", file, "--json").stdout).data.pcap).toBe(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { pieces } = piecesOf(readFileSync(file));
    expect(pieces.map(({ octets }) => octets.readUInt32BE(4))).toEqual([4, 0x8000_0004, 5, 0x8000_0005]);
    expect(readFileSync(file).includes("4711")).toBe(false);
    const again = trace("--pcap", file);
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("already exists")]);
    const shown = `${file}.text`;
    expect(trace("--pcap", shown, "--show-text").exitCode).toBe(0);
    expect(readFileSync(shown).includes("4711")).toBe(true);
  });

  test("shows them in words and hex", () => {
    const { stdout, exitCode } = trace("--hex");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/submit_sm .*[0-9a-f]{8} 00000004 00000000/);
    expect(stdout).toContain("validity_period is not kept");
  });
});

describe("an error that nobody expected", () => {
  test("is told with the places in our own code where it came up, from the project's root", () => {
    const account = String((bendre.admin("account", "list").accounts as Json[])[0]?.account_id);
    const database = new Database(join(bendre.directory, "bendre.db"));
    database.run("CREATE TRIGGER broken BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'broken'); END");
    const refused = bendre.refused("wallet", "topup", account, "500", "--reference", "other");
    database.run("DROP TRIGGER broken");
    database.close();
    expect(refused.detail).toMatch(/broken \(src\/[\w/-]+\.ts:\d+( < src\/[\w/-]+\.ts:\d+)*\)$/);
  });
});
