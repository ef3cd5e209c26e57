import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, type Stage, stage } from "./stage.ts";

const DAY_MS = 86_400_000;
const SECRET = "Ouedraogo";

let whole: Stage;
let client: Client;
let otp: string;
let tagged: string;
let plain: string;
let rejected: string;
let before: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  whole = await stage();
  client = await whole.client({ account: { classes: "OTP,TRANSACTIONAL,MARKETING" } });
  await whole.admin("suppression add", { MSISDN: "+22670999999", ACCOUNT: client.accountId, class: "all" });
  const to = (...msisdns: readonly string[]) =>
    msisdns.map((msisdn) => ({ msisdn, attributes: { name: `${SECRET} of ${msisdn}` } }));
  const send = (changes: Readonly<Record<string, unknown>>) => client.submit(changes);
  otp = (await send({ body: `${SECRET} 1234`, message_class: "OTP", recipients: to("70111111") })).batch_id;
  tagged = (await send({ body: "Bonjour {name}", recipients: to("70222222", "70333333", "70999999") }))
    .batch_id;
  plain = (await send({ body: `Bonjour {chez ${SECRET}}`, recipients: to("70444444") })).batch_id;
  rejected = (await send({ body: `Rien ${SECRET}`, recipients: to("70999999") })).batch_id;
  for (const id of [otp, tagged, plain]) await client.until(id, ({ status }) => status === "SETTLED");
  for (const id of [otp, tagged]) ids.set(id, String((await client.messages(id))[0]?.message_id));
  await whole.clock.advance(61_000);
  before = await money();
});
afterAll(() => whole.close());

/** Whatever is told of money, but for the moment at which it is told. */
async function money(): Promise<Readonly<Record<string, unknown>>> {
  const ACCOUNT = { ACCOUNT: client.accountId };
  const { as_of: _, ...wallet } = (await whole.admin("wallet show", ACCOUNT)) as Record<string, unknown>;
  const statement = await whole.admin("wallet statement", ACCOUNT);
  const batches = [otp, tagged, plain, rejected].map((batch) =>
    whole.admin("wallet statement", { ...ACCOUNT, batch }),
  );
  return {
    wallet,
    statement: { ...statement, wallet: null },
    batches: await Promise.all(batches),
    all: await whole.admin("wallet statement", { ...ACCOUNT, batches: "" }),
    invoice: await whole.admin("wallet invoice", ACCOUNT),
  };
}

/** Enough for every step of a purge and for the log to be copied behind it, on a busy machine too. */
const PURGE_MS = 60_000;

/** The machine is off for so many days; then what is due is purged. */
async function later(days: number): Promise<void> {
  await whole.stop();
  whole.clock.setBy(days * DAY_MS);
  await whole.start();
  await aPurge();
  // A backup that is due reads from a thread, which no clock of a test holds, and the log is not emptied as long.
  while (whole.threads() > 0) await whole.clock.advance(1);
  await aPurge();
}

async function aPurge(): Promise<void> {
  for (let ms = 0; ms < PURGE_MS; ms += 1000) await whole.clock.advance(1000);
}

/** How often a text or number stands in the files of the data directory. */
function inFiles(what: string): number {
  const { directory } = whole.settings.now().storage;
  return readdirSync(directory)
    .filter((name) => name.startsWith("bendre.db"))
    .map((name) => readFileSync(join(directory, name)).toString("latin1").split(what).length - 1)
    .reduce((sum, count) => sum + count, 0);
}

const ids = new Map<string, string>();
const textOf = async (batchId: string) => {
  const { text } = await whole.admin("message trace", { MESSAGE: ids.get(batchId) ?? "", "show-text": "" });
  return text;
};

describe("what is over", () => {
  test("is there until its time", async () => {
    expect(inFiles(SECRET)).toBeGreaterThan(0);
    await later(0.9);
    expect(await textOf(otp)).toContain(SECRET);
  });

  test("loses the texts of OTP after a day", async () => {
    await later(0.2);
    expect(await textOf(otp)).toBe("");
    expect(await textOf(tagged)).toContain(SECRET);
    expect(inFiles(`${SECRET} 1234`)).toBe(0);
  });

  test("loses all other texts after 30 days, of batches that nobody was accepted of too, and no file holds them", async () => {
    await later(30);
    expect(inFiles(SECRET)).toBe(0);
    expect(await client.batch(tagged)).toMatchObject({ status: "SETTLED", rejected: 1 });
    expect(inFiles("+22670222222")).toBeGreaterThan(0);
    expect(await money()).toEqual(before);
  });

  test("loses its numbers after 400 days; what it cost stays the same to the letter", async () => {
    await later(200);
    expect(inFiles("+22670222222")).toBeGreaterThan(0);
    await later(200);
    const log = whole.log().find(({ message }) => message === "purged what is over");
    expect(log).toMatchObject({ messages: 4, rejections: 2 });
    for (const number of ["70111111", "70222222", "70333333", "70444444"]) expect(inFiles(number)).toBe(0);
    // Opt-outs stand for ever.
    expect(inFiles("+22670999999")).toBeGreaterThan(0);
    expect(await client.batch(tagged)).toMatchObject({
      status: "SETTLED",
      accepted: 2,
      rejected: 1,
      rejections: [],
    });
    expect(await money()).toEqual(before);
    expect(await whole.admin("ledger check")).toMatchObject({ batches: 4, messages: 4 });
  });

  test("is done with once", async () => {
    await later(1);
    expect(whole.log().map(({ message }) => message)).not.toContain("purged what is over");
    const { batch_id } = await client.submit({ recipients: [{ msisdn: "70555555" }] });
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    expect(await client.messages(batch_id)).toHaveLength(1);
  });

  test("goes by the periods in force: a change counts within the hour", async () => {
    const { entries } = (await whole.admin("audit list")) as { entries: readonly unknown[] };
    expect(entries.length).toBeGreaterThan(3);
    const now = whole.settings.now();
    const retention = { ...now.retention, audit_days: 1 };
    expect(whole.settings.replace({ ...now, retention })).toEqual([]);
    await whole.clock.advance(3_601_000);
    const left = (await whole.admin("audit list")) as { entries: readonly { action: string; at: string }[] };
    const sinceMs = whole.clock.nowMs() - 86_400_000;
    // Nobody did anything for a day; a backup that is due is made, and written down, meanwhile.
    expect(
      left.entries.filter(({ action, at }) => action !== "backup create" || Date.parse(at) < sinceMs),
    ).toEqual([]);
  });
});
