/** What is a sandbox's counts for nobody else, and the other way round: a hostile look. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keysOfAdministrators } from "../../src/domain/submission/idempotency.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let here: Stage;
let live: Client;
let tried: Client;

beforeEach(async () => {
  here = await stage(undefined, {
    metrics: { listen: "127.0.0.1:0" },
    compat: { kannel: true },
    webhooks: { allow_private_targets: true },
  });
  live = await here.client();
  tried = await here.inSandbox(live);
});
afterEach(() => here.close());

const ending = (digits: string, more = "0000") => ({ msisdn: `+22670${more}${digits}` });
const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

async function ask(client: Client, method: string, path: string, body?: unknown, key = "k"): Promise<Answer> {
  const response = await fetch(`${here.url()}/public/v1${path}`, {
    method,
    headers: { "x-api-key": client.apiKey, "content-type": "application/json", "idempotency-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const batch = (changes: Readonly<Record<string, unknown>> = {}) => ({
  sender: "ACME",
  body: "Hello",
  message_class: "TRANSACTIONAL",
  recipients: [ending("10")],
  ...changes,
});

describe("an error", () => {
  test("says whose it is, where a key was recognised", async () => {
    for (const [client, isSandbox] of [
      [live, false],
      [tried, true],
    ] as const) {
      const answers = [
        await ask(client, "GET", "/batches/01KJQX5Y8P9Q8R7S6T5V4W3X2Y"),
        await ask(client, "GET", "/nothing"),
        await ask(client, "PUT", "/batches"),
        await ask(client, "POST", "/batches", batch({ recipients: [] })),
        await ask(client, "POST", "/batches", batch({ sender: "NOBODY" })),
        await ask(client, "POST", "/batches/quote", batch({ sender: "NOBODY" })),
        await ask(client, "POST", "/webhooks", { url: "ftp://a" }),
      ];
      for (const { status, body } of answers)
        expect([status >= 400, body.code, body.is_sandbox]).toEqual([true, body.code, isSandbox]);
    }
    const nobody = await ask({ ...live, apiKey: "bdr_nobody" }, "GET", "/account/balance");
    expect([nobody.status, "is_sandbox" in nobody.body]).toEqual([401, false]);
  });
});

describe("suppressions", () => {
  const list = (mode: string) =>
    here.admin("suppression list", { ACCOUNT: live.accountId, ...(mode === "" ? {} : { mode }) });
  const reasons = async (client: Client, body: string) =>
    (await client.submit({ body, recipients: [ending("10"), ending("11")] })).rejections.map(
      ({ reason_code }) => reason_code,
    );

  // Keeps: behaviour 2.17
  test("of a sandbox are its own: a client tries what becomes of somebody who opted out", async () => {
    const account = { ACCOUNT: live.accountId, class: "all" };
    await here.admin("suppression add", { ...account, MSISDN: "+22670000010", mode: "test" });
    expect(await reasons(tried, "one")).toEqual(["SUPPRESSED"]);
    expect(await reasons(live, "one")).toEqual([]);
    await here.admin("suppression add", { ...account, MSISDN: "+22670000011" });
    await here.admin("suppression add", { class: "all", MSISDN: "+22670000011", everywhere: "" });
    expect(await reasons(tried, "two")).toEqual(["SUPPRESSED"]);
    expect(await reasons(live, "two")).toEqual(["SUPPRESSED"]);
    const numbersOf = async (mode: string) => {
      const { suppressions } = (await list(mode)) as unknown as { suppressions: { msisdn: string }[] };
      return [...new Set(suppressions.map(({ msisdn }) => msisdn))];
    };
    expect([await numbersOf("test"), await numbersOf("")]).toEqual([["+22670000010"], ["+22670000011"]]);
    expect((await list("test")).account_id).toBe(live.accountId);
    const { lists } = await here.admin("data export", { MSISDN: "+22670000010" }).then((shown) => ({
      lists: shown.suppressions as unknown[],
    }));
    expect(lists).toHaveLength(3);
    await here.admin("suppression remove", { ...account, MSISDN: "+22670000010", mode: "test" });
    expect(await reasons(tried, "three")).toEqual([]);
    const file = { ACCOUNT: live.accountId, FILE: "+22670000010\n", class: "all", mode: "test" };
    expect(await here.admin("suppression import", file)).toMatchObject({ added: 1 });
    expect(await reasons(tried, "four")).toEqual(["SUPPRESSED"]);
  });

  test("of a sandbox count when a message is about to leave, and survive the erasure of their number", async () => {
    const account = { ACCOUNT: live.accountId, class: "all", mode: "test", MSISDN: "+22670000010" };
    const later = { scheduled_at: new Date(here.clock.nowMs() + 60_000).toISOString() };
    const { batch_id } = await tried.submit({ ...later, recipients: [ending("10")] });
    await here.admin("suppression add", account);
    await tried.until(batch_id, isOver);
    const [message] = await tried.messages(batch_id);
    expect(message?.error).toMatchObject({ code: "SUPPRESSED" });
    let isDone = false;
    const erased = here.admin("data erase", { MSISDN: "+22670000010" }).finally(() => {
      isDone = true;
    });
    while (!isDone) await here.clock.advance(50);
    expect(await erased).toMatchObject({ left: 0, erased: { suppressions: 3, messages: 1 } });
    expect((await tried.submit({ recipients: [ending("10"), ending("11")] })).rejected).toBe(1);
    expect((await live.submit({ recipients: [ending("10")] })).rejected).toBe(0);
  });

  test("for everybody are none of a sandbox, and an account without one has no such list", async () => {
    const everywhere = { class: "all", MSISDN: "+22670000010", everywhere: "", mode: "test" };
    expect((await here.refusal("suppression add", everywhere)).code).toBe("INVALID_MODE");
    const { accountId } = await here.client();
    const other = { ACCOUNT: accountId, class: "all", MSISDN: "+22670000010", mode: "test" };
    expect((await here.refusal("suppression add", other)).code).toBe("NO_SANDBOX");
  });
});

test("an idempotency key of one side, of an administrator or of an old program stands for nothing on another", async () => {
  const ids: unknown[] = [];
  const post = async (client: Client, name: string) => {
    const { status, body } = await ask(client, "POST", "/batches", batch({ body: name }), "the same key");
    expect([name, status]).toEqual([name, 202]);
    const data = body.data as { batch_id: string };
    ids.push(data.batch_id);
  };
  // A row id of a key, of an account and of a sandbox are the same small number, above and below zero.
  await post(live, "live");
  await post(tried, "tried");
  const other = await here.inSandbox(live);
  await post(other, "another test key");
  const made = await here.admin("compat create", {
    ACCOUNT: live.accountId,
    user: "old",
    sender: "ACME",
  });
  const query = new URLSearchParams({
    username: "old",
    password: String(made.password),
    to: "+22670000016",
    text: "old",
  });
  expect((await fetch(`${here.url()}/cgi-bin/sendsms?${query}`)).status).toBe(202);
  expect(new Set(ids).size).toBe(3);
  // Administrators have the negative of a live account's, and nobody else has those.
  expect(keysOfAdministrators(1)).toBe(-1);
  expect(() => keysOfAdministrators(-1)).toThrow();
  const count = async (mode: string) =>
    ((await here.admin("batch list", { ACCOUNT: live.accountId, mode })).batches as unknown[]).length;
  expect([await count("live"), await count("test")]).toEqual([2, 2]);
  await here.stop();
  const db = new Database(join(here.settings.now().storage.directory, "bendre.db"), { readonly: true });
  const owners = db.query<{ id: number }, []>("SELECT api_key_id AS id FROM idempotency_records").all();
  db.close();
  expect(owners.map(({ id }) => id > 0 || id < -1_000_000_000_000)).toEqual([true, true, true, true]);
  await here.start();
});

test("an operator is retired: what test keys sent to it ends as it would have, and is not among what left with it", async () => {
  const scheduled_at = new Date(here.clock.nowMs() + 300_000).toISOString();
  const asked = { scheduled_at, recipients: [ending("10"), ending("81")] };
  const { batch_id } = await tried.submit(asked);
  const { batch_id: mine } = await live.submit({ ...asked, recipients: [ending("20")] });
  const config = here.settings.now();
  const { orange, ...others } = config.operators;
  expect(orange).toBeDefined();
  const left = Object.keys(others).length > 0 ? others : { onatel: { ...orange, prefixes: ["22601"] } };
  here.write({ ...config, operators: left } as typeof config);
  await here.hangUp();
  const retired = await here.admin("operator retire", { CODE: "orange" });
  expect(JSON.stringify(retired)).not.toContain("sandbox:");
  await here.clock.advance(400_000);
  const { counts } = await tried.until(batch_id, isOver);
  expect(counts).toMatchObject({ delivered: 1, failed: 1 });
  const [message] = await live.messages(mine);
  expect(message?.status).toBe("FAILED");
});

/** Lines of the metrics that are not about requests, the machine or the database. */
async function metrics(): Promise<string[]> {
  const told = here.log().findLast(({ message }) => message === "metrics");
  const text = await (await fetch(String(told?.url))).text();
  const isOfTheHouse =
    /^(#|bendre_(http|database|store|process|loop|backup|clock|sqlite|disk|uptime|writer|wal|log))/;
  return text.split("\n").filter((line) => line !== "" && !isOfTheHouse.test(line) && !/_seconds/.test(line));
}

test("sandboxes are in no metric, alarm, list of doubts, report or page of the administration that is not asked for them", async () => {
  const before = await metrics();
  const url = `https://127.0.0.1:1/hook`;
  expect((await ask(tried, "POST", "/webhooks", { url })).status).toBe(201);
  const recipients = ["10", "80", "81", "84", "87", "88", "89", "90", "91", "92", "98", "99"].map((digits) =>
    ending(digits),
  );
  await tried.submit({ recipients });
  await tried.submit({ body: "more", message_class: "MARKETING", recipients });
  await here.clock.advance(20_000);
  expect((await metrics()).filter((line) => !before.includes(line))).toEqual([]);
  for (const minutes of [1, 5, 30, 120]) await here.clock.advance(minutes * 60_000);
  const account = { ACCOUNT: live.accountId };
  for (const [command, args] of [
    ["alert list", {}],
    ["operator unanswered", {}],
    ["operator status", {}],
    ["operator receipts", {}],
    ["queue show", {}],
    ["report delivery", {}],
    ["account show", account],
    ["account list", {}],
    ["webhook list", account],
    ["webhook status", {}],
    ["suppression list", account],
    ["sender list", account],
    ["wallet invoice", account],
    ["audit list", {}],
    ["message find", {}],
    ["ledger check", {}],
  ] as const) {
    const shown = JSON.stringify(await here.admin(command, args));
    const found = ["sandbox:", "/hook", "2267000", '"TEST"'].filter((one) => shown.includes(one));
    expect([command, found]).toEqual([command, []]);
  }
  expect(here.log().filter(({ message }) => String(message).startsWith("alarm"))).toEqual([]);
  const ofTest = await here.admin("webhook list", { ACCOUNT: live.accountId, mode: "test" });
  expect(ofTest.webhooks).toMatchObject([{ url }]);
});

describe("in the middle of a large batch of a sandbox", () => {
  const SIZE = 10_500;
  const CREDIT = 100_000_000;
  const large = () => ({
    recipients: Array.from({ length: SIZE }, (_, n) =>
      ending(n < 10_000 ? "10" : "11", String(n % 10_000).padStart(4, "0")),
    ),
  });
  beforeEach(async () => {
    await here.close();
    const sandbox = { throughput: 1000, recipients_per_day: 200_000, credit: CREDIT };
    here = await stage(undefined, { sandbox });
    live = await here.client();
    tried = await here.inSandbox(live);
  });
  const keysOf = async () =>
    (await here.admin("key list", { ACCOUNT: live.accountId })) as unknown as {
      keys: readonly { key_id: string; mode: string }[];
    };

  test("its key is revoked: what was accepted goes on, and nothing more is taken", async () => {
    const other = await here.inSandbox(live);
    const { batch_id, status } = await tried.submit(large());
    expect(status).toBe("VALIDATING");
    const [mine] = (await keysOf()).keys.filter(({ mode }) => mode === "test");
    await here.admin("key revoke", { KEY_ID: String(mine?.key_id) });
    expect((await ask(tried, "POST", "/batches", batch())).status).toBe(401);
    expect((await ask(live, "GET", "/account/balance")).status).toBe(200);
    const { accepted, counts } = await other.until(batch_id, isOver);
    expect([accepted, counts.delivered]).toEqual([SIZE, SIZE]);
  });

  test("its account is suspended while it is validated: it fails, and nothing is paid or sent", async () => {
    const { batch_id } = await tried.submit(large());
    await here.admin("account suspend", { ACCOUNT: live.accountId, reason: "late" });
    await here.clock.advance(20_000);
    await here.admin("account resume", { ACCOUNT: live.accountId });
    expect(await tried.batch(batch_id)).toMatchObject({
      status: "FAILED",
      failure: { code: "ACCOUNT_SUSPENDED" },
    });
    expect(await tried.balance()).toMatchObject({ spendable: CREDIT, reserved: 0 });
  });

  test("its account is suspended while it is sent: no more leaves until it is let in again, and then each once", async () => {
    const { batch_id } = await tried.submit(large());
    await tried.until(batch_id, ({ counts }) => (counts.delivered ?? 0) > 100);
    await here.admin("account suspend", { ACCOUNT: live.accountId, reason: "late" });
    // Whatever was under way then ends.
    await here.clock.advance(5000);
    const shown = async () => JSON.stringify((await here.admin("batch show", { BATCH: batch_id })).counts);
    const seen = await shown();
    await here.clock.advance(60_000);
    expect(await shown()).toBe(seen);
    await here.admin("account resume", { ACCOUNT: live.accountId });
    const { counts, accepted } = await tried.until(batch_id, isOver);
    expect([accepted, counts.delivered]).toEqual([SIZE, SIZE]);
    expect(JSON.parse(seen)).not.toMatchObject({ delivered: SIZE });
    expect(await here.admin("ledger check")).toMatchObject({ accounts: 1, batches: 0 });
    expect(await live.balance()).toMatchObject({ spendable: 1_000_000 });
  });

  test("midnight comes: as much can be spent again, nothing is paid twice, and the books of the sandbox agree", async () => {
    here.clock.sleep(Date.parse("2026-03-02T23:59:57Z") - here.clock.nowMs());
    const { batch_id } = await tried.submit(large());
    await tried.until(batch_id, ({ counts }) => (counts.delivered ?? 0) > 100);
    expect((await tried.balance()).spendable).toBe(CREDIT - 15 * SIZE);
    while (here.clock.nowMs() < Date.parse("2026-03-03T00:00:05Z")) await here.clock.advance(500);
    expect((await tried.balance()).spendable).toBe(CREDIT);
    expect((await tried.batch(batch_id)).counts.delivered).toBeLessThan(SIZE);
    const { counts } = await tried.until(batch_id, isOver);
    await here.clock.advance(120_000);
    expect(counts.delivered).toBe(SIZE);
    expect(await tried.balance()).toMatchObject({ balance: CREDIT, reserved: 0, spendable: CREDIT });
    const { entries, opening_balance, closing_balance } = (await here.admin("wallet statement", {
      ACCOUNT: live.accountId,
      mode: "test",
    })) as unknown as Statement;
    const moved = entries.reduce((sum, { change }) => sum + change, 0);
    expect([opening_balance + moved, closing_balance]).toEqual([CREDIT, CREDIT]);
    const given = entries.filter(({ kind }) => kind === "ADJUSTMENT").map(({ change }) => change);
    expect(given).toEqual([CREDIT, 15 * SIZE]);
    expect(await live.balance()).toMatchObject({ balance: 1_000_000, reserved: 0 });
  });
});

type Statement = {
  readonly entries: readonly { readonly kind: string; readonly change: number }[];
  readonly opening_balance: number;
  readonly closing_balance: number;
};
