import { Database } from "bun:sqlite";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ENDPOINTS, type Sample } from "./endpoints.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let here: Stage;
let live: Client;
let tried: Client;

beforeEach(async () => {
  here = await stage(undefined, { metrics: { listen: "127.0.0.1:0" } });
  live = await here.client();
  tried = await here.inSandbox(live);
});
afterEach(() => here.close());

type Message = Readonly<Record<string, unknown>> & { readonly error: { readonly code: string } | null };

/** A number of the operator that ends so. */
const ending = (digits: string, more = "0000") => ({ msisdn: `+22670${more}${digits}` });

/** The messages of a batch that was sent with the test key, once it has ended. */
async function ended(
  changes: Readonly<Record<string, unknown>>,
  client = tried,
): Promise<readonly Message[]> {
  const { batch_id } = await client.submit(changes);
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  return (await client.messages(batch_id)) as readonly Message[];
}

const tookMs = ({ created_at, finalized_at }: Message) =>
  Date.parse(String(finalized_at)) - Date.parse(String(created_at));

describe("an ending", () => {
  const CASES: readonly (readonly [string, string, string, string | null, number])[] = [
    ["00", "TRANSACTIONAL", "DELIVERED", null, 1],
    ["42", "OTP", "DELIVERED", null, 1],
    ["79", "MARKETING", "DELIVERED", null, 1],
    ["80", "TRANSACTIONAL", "DELIVERED", null, 60],
    ["81", "TRANSACTIONAL", "FAILED", "UNKNOWN_SUBSCRIBER", 1],
    ["82", "TRANSACTIONAL", "FAILED", "ABSENT_SUBSCRIBER", 1],
    ["83", "MARKETING", "FAILED", "HANDSET_ERROR", 1],
    ["84", "TRANSACTIONAL", "FAILED", "NETWORK_ERROR", 1],
    ["85", "OTP", "FAILED", "EXPIRED_AT_OPERATOR", 1],
    ["86", "TRANSACTIONAL", "FAILED", "REJECTED_AT_OPERATOR", 1],
    ["87", "TRANSACTIONAL", "FAILED", "OPERATOR_REJECTED", 0],
    ["88", "TRANSACTIONAL", "DELIVERED", null, 3],
    ["89", "TRANSACTIONAL", "FAILED", "SENDER_NOT_REGISTERED", 0],
    ["90", "TRANSACTIONAL", "SENT", "RECEIPT_NOT_RECEIVED", 60],
    ["91", "OTP", "DELIVERED", null, 2],
    ["91", "TRANSACTIONAL", "DELIVERED", null, 2],
    ["91", "MARKETING", "DELIVERED", null, 4],
    ["92", "TRANSACTIONAL", "FAILED", "SUBMIT_OUTCOME_UNKNOWN", 60],
    ["93", "TRANSACTIONAL", "DELIVERED", null, 1],
    ["94", "OTP", "DELIVERED", null, 1],
    ["95", "TRANSACTIONAL", "DELIVERED", null, 1],
    ["96", "OTP", "DELIVERED", null, 1],
  ];
  for (const [digits, messageClass, status, error, seconds] of CASES) {
    // Keeps: behaviour 2.14
    test(`${digits} of ${messageClass} is ${status} ${error ?? ""} after ${seconds} s`, async () => {
      const [message] = await ended({ message_class: messageClass, recipients: [ending(digits)] });
      expect([message?.status, message?.error?.code ?? null, message?.is_final]).toEqual([
        status,
        error,
        true,
      ]);
      expect([message?.is_sandbox, message?.operator]).toEqual([true, "orange"]);
      const ms = message ? tookMs(message) : 0;
      expect(ms).toBeGreaterThanOrEqual(seconds * 1000 - 20);
      expect(ms).toBeLessThan(seconds * 1000 + 600);
      expect(here.smsc.events.filter(({ kind }) => kind === "submit")).toEqual([]);
    });
  }
});

describe("a number that is rejected at once", () => {
  const MARKETING = [
    ["93", "SUPPRESSED"],
    ["94", "QUIET_HOURS"],
    ["95", "FREQUENCY_CAP_DAILY"],
    ["96", "FREQUENCY_CAP_WEEKLY"],
  ];
  const ALL = [
    ["97", "DUPLICATE_RECENT_BODY"],
    ["98", "RATE_LIMIT_PER_DAY"],
    ["99", "RATE_LIMIT_PER_MINUTE"],
  ];
  const numbers = (cases: readonly (readonly string[])[]) => cases.map(([digits]) => ending(digits ?? ""));

  for (const messageClass of ["MARKETING", "TRANSACTIONAL", "OTP"]) {
    test(`has its reason, of ${messageClass}`, async () => {
      const cases = messageClass === "MARKETING" ? [...MARKETING, ...ALL] : ALL;
      const asked = { message_class: messageClass, recipients: [...numbers(cases), ending("10")] };
      const { accepted, rejections } = await tried.submit(asked);
      expect(accepted).toBe(1);
      expect(rejections.map(({ reason_code }) => reason_code)).toEqual(cases.map(([, reason]) => reason));
    });
  }

  test("is rejected of a batch that is validated after its answer", async () => {
    const many = Array.from({ length: 10_001 }, (_, n) =>
      ending(n < 10_000 ? "99" : "98", String(n % 10_000).padStart(4, "0")),
    );
    const recipients = [ending("10"), ...many];
    const { batch_id, status } = await tried.submit({ recipients });
    expect(status).toBe("VALIDATING");
    const over = await tried.until(batch_id, (batch) => batch.status === "SETTLED");
    expect([over.accepted, over.rejected]).toEqual([1, 10_001]);
  });

  test("is rejected of a large batch too, and never of a live one", async () => {
    const many = Array.from({ length: 300 }, (_, n) => ending("10", String(1000 + n)));
    const recipients = [...many, ...numbers(ALL)];
    expect(await tried.submit({ recipients })).toMatchObject({ accepted: 300, rejected: 3 });
    expect(await live.submit({ recipients: numbers(ALL) })).toMatchObject({ accepted: 3, rejected: 0 });
  });
});

/** Asks the API as a client does; the status and the body. */
async function ask({ apiKey }: Client, method: string, path: string, body?: unknown) {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${here.url()}/public/v1${path}`, {
    method,
    headers: {
      "x-api-key": apiKey,
      "content-type": "application/json",
      "idempotency-key": `${Math.random()}`,
    },
    ...init,
  });
  return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } };
}

/** Every object of an answer that says which side it is of. */
function sidesIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "is_sandbox" in value ? [value.is_sandbox] : [];
  return [...own, ...Object.values(value).flatMap(sidesIn)];
}

async function sampleOf(client: Client): Promise<Sample> {
  const { batch_id: batchId } = await client.submit({
    scheduled_at: "2026-03-03T09:00:00Z",
    recipients: [ending("80")],
  });
  const [message] = await client.messages(batchId);
  const registered = await ask(client, "POST", "/webhooks", { url: "https://client.example/hooks" });
  return {
    batchId,
    messageId: String(message?.message_id),
    webhookId: String(registered.body.data.webhook_id),
  };
}

describe("live and test", () => {
  // Keeps: behaviour 2.7
  test("never meet, on any route, and each answer says which it is", async () => {
    const samples = [await sampleOf(live), await sampleOf(tried)] as const;
    for (const [client, own, other, isSandbox] of [
      [live, samples[0], samples[1], false],
      [tried, samples[1], samples[0], true],
    ] as const) {
      for (const { method, path, target, body } of ENDPOINTS) {
        const said = await ask(client, method, target(own), body?.(7));
        expect([path, said.status < 300]).toEqual([path, true]);
        const sides = sidesIn(said.body);
        expect([path, [...new Set(sides)]]).toEqual([path, [isSandbox]]);
        if (!path.includes("{")) continue;
        expect([path, (await ask(client, method, target(other), body?.(7))).status]).toEqual([path, 404]);
      }
      const foreign = `/messages?status_changed_since=2026-03-02T08:00:00Z&batch_id=${other.batchId}`;
      expect((await ask(client, "GET", foreign)).status).toBe(404);
      const feed = await ask(client, "GET", "/messages?status_changed_since=2026-03-02T08:00:00Z");
      expect(JSON.stringify(feed.body)).not.toContain(other.messageId);
    }
  });

  // Keeps: behaviour 2.8
  test("have wallets, idempotency and repetition of their own", async () => {
    const asked = { body: "The same", recipients: [ending("10")] };
    expect((await live.submit(asked)).accepted).toBe(1);
    expect((await tried.submit(asked)).accepted).toBe(1);
    expect((await tried.submit(asked)).rejections[0]?.reason_code).toBe("DUPLICATE_RECENT_BODY");
    expect(await live.balance()).toMatchObject({ spendable: 999_985, is_sandbox: false });
    expect(await tried.balance()).toMatchObject({ spendable: 999_985, is_sandbox: true });
  });

  test("a test key is refused when its mode is taken for the other, and while its account is suspended", async () => {
    const cut = tried.apiKey.replace("bdr_test_", "bdr_");
    expect((await ask({ ...tried, apiKey: cut }, "GET", "/account/balance")).status).toBe(401);
    await here.admin("account suspend", { ACCOUNT: live.accountId, reason: "late" });
    expect((await ask(tried, "GET", "/account/balance")).status).toBe(401);
  });

  // Keeps: behaviour 2.9
  test("the sender TEST is sendable with a test key alone, to every operator", async () => {
    const asked = { sender: "TEST", recipients: [ending("10")] };
    const [message] = await ended(asked);
    expect(message?.status).toBe("DELIVERED");
    const refused = await ask(live, "POST", "/batches", { body: "x", message_class: "OTP", ...asked });
    expect(refused.body).toMatchObject({ code: "SENDER_NOT_APPROVED" });
    const { sender_ids } = (await ask(tried, "GET", "/sender-ids")).body.data;
    expect(sender_ids).toMatchObject([{ sender: "TEST", is_sendable: true }, { sender: "ACME" }]);
  });

  test("the sender TEST was made with the sandbox, whenever one looks", async () => {
    const madeAt = async (client: Client): Promise<string> => {
      const [test] = (await ask(client, "GET", "/sender-ids")).body.data.sender_ids as {
        created_at: string;
      }[];
      return test?.created_at ?? "";
    };
    const first = await madeAt(tried);
    expect(Date.parse(first)).toBeLessThanOrEqual(here.clock.nowMs());
    await here.clock.advance(90_000);
    expect(await madeAt(tried)).toBe(first);
    // A further key opens the same sandbox.
    expect(await madeAt(await here.inSandbox(live))).toBe(first);
  });

  test("an account has one sandbox, whose keys see the same, and key list tells the mode", async () => {
    const other = await here.inSandbox(live);
    const { batch_id } = await tried.submit({ recipients: [ending("10")] });
    expect((await other.batch(batch_id)).batch_id).toBe(batch_id);
    const { keys } = (await here.admin("key list", { ACCOUNT: live.accountId })) as {
      keys: readonly { mode: string; account_id: string }[];
    };
    expect(keys.map(({ mode }) => mode)).toEqual(["live", "test", "test"]);
    expect(new Set(keys.map(({ account_id }) => account_id))).toEqual(new Set([live.accountId]));
    expect((await here.admin("account list")).accounts).toHaveLength(1);
  });
});

describe("nothing of a sandbox reaches an operator", () => {
  const left = () => here.smsc.events.filter(({ kind }) => kind === "submit");

  // Keeps: behaviour 2.10
  test("over a restart, nor after its operator was given another code or retired", async () => {
    const scheduled = { scheduled_at: "2026-03-02T09:05:00Z", recipients: [ending("10"), ending("11")] };
    const { batch_id } = await tried.submit(scheduled);
    await here.stop();
    await here.start();
    const config = here.settings.now();
    const { orange } = config.operators;
    if (!orange) throw new Error("there is an operator");
    here.write({ ...config, operators: { onatel: orange } });
    await here.hangUp();
    await here.admin("operator rename", { OLD: "orange", NEW: "onatel" });
    for (const name of ["sandbox:orange", "sandbox:onatel"])
      expect((await here.refusal("operator rename", { OLD: name, NEW: "onatel" })).code).toBeDefined();
    await here.clock.advance(300_000);
    const { counts } = await tried.until(batch_id, ({ status }) => status === "SETTLED");
    expect(counts.delivered).toBe(2);
    expect(left()).toEqual([]);
  });

  test("and the database refuses to bring a message over to the other side", async () => {
    const { batch_id } = await tried.submit({ recipients: [ending("80")] });
    const [message] = await tried.messages(batch_id);
    const { batch_id: other } = await live.submit({ recipients: [ending("20")] });
    await here.stop();
    const db = new Database(join(here.settings.now().storage.directory, "bendre.db"));
    const move = (operator: string, batchId: string) => () =>
      db.run("UPDATE messages SET operator = ? WHERE batch_id = (SELECT id FROM batches WHERE ulid = ?)", [
        operator,
        batchId,
      ]);
    expect(message?.operator).toBe("orange");
    expect(move("orange", batch_id)).toThrow("stays in its lane");
    expect(move("sandbox:orange", other)).toThrow("stays in its lane");
    expect(move("sandbox:moov", batch_id)).not.toThrow();
    db.close();
    await here.start();
  });

  test("a live batch beside it leaves at once", async () => {
    const recipients = Array.from({ length: 200 }, (_, n) => ending("10", String(1000 + n)));
    await tried.submit({ recipients });
    const { batch_id } = await live.submit({ recipients: [ending("20")] });
    await live.until(batch_id, ({ counts }) => counts.sent === 1);
    expect(left()).toHaveLength(1);
  });
});

describe("a restart in the middle", () => {
  const ENDINGS = ["10", "80", "88", "90", "91", "92"];
  const asked = { recipients: ENDINGS.map((digits) => ending(digits)) };
  const outcomes = async (batchId: string) => {
    await tried.until(batchId, ({ status }) => status === "SETTLED");
    const messages = (await tried.messages(batchId)) as readonly Message[];
    return messages
      .toSorted((a, b) => String(a.msisdn).localeCompare(String(b.msisdn)))
      .map(({ status, error }) => [status, error?.code ?? null]);
  };
  const WANTED = [
    ["DELIVERED", null],
    ["DELIVERED", null],
    ["DELIVERED", null],
    ["SENT", "RECEIPT_NOT_RECEIVED"],
    ["DELIVERED", null],
    ["FAILED", "SUBMIT_OUTCOME_UNKNOWN"],
  ];

  test("changes no outcome", async () => {
    const { batch_id } = await tried.submit(asked);
    await here.clock.advance(500);
    await here.stop();
    await here.start();
    expect(await outcomes(batch_id)).toEqual(WANTED);
    expect(here.log().filter(({ level }) => level === "error")).toEqual([]);
  });

  // Keeps: behaviour 2.15
  test("nor does a crash", async () => {
    const { batch_id } = await tried.submit(asked);
    await here.clock.advance(500);
    const { directory } = here.settings.now().storage;
    const copy = mkdtempSync(join(tmpdir(), "bendre-crash-"));
    for (const file of ["bendre.db", "bendre.db-wal"]) cpSync(join(directory, file), join(copy, file));
    await here.stop();
    for (const file of ["bendre.db", "bendre.db-wal", "bendre.db-shm"])
      rmSync(join(directory, file), { force: true });
    for (const file of ["bendre.db", "bendre.db-wal"]) cpSync(join(copy, file), join(directory, file));
    rmSync(copy, { recursive: true });
    await here.start();
    expect(await outcomes(batch_id)).toEqual(WANTED);
    expect(here.smsc.events.filter(({ kind }) => kind === "submit")).toEqual([]);
  });
});

describe("the books", () => {
  // Keeps: behaviour 2.12
  test("of live accounts know nothing of sandboxes", async () => {
    await here.admin("account set", { ACCOUNT: live.accountId, "low-balance": "2000000" });
    await ended({ recipients: [ending("10"), ending("81")] });
    await tried.submit({ recipients: [ending("92")] });
    await here.clock.advance(5_000);
    const account = { ACCOUNT: live.accountId };
    expect((await here.admin("wallet invoice", account)).lines).toEqual([]);
    expect((await here.admin("report delivery")).rows).toEqual([]);
    expect((await here.admin("batch list", account)).batches).toEqual([]);
    expect((await here.admin("message find")).messages).toEqual([]);
    expect((await here.admin("wallet statement", account)).entries).toHaveLength(1);
    expect(await here.admin("ledger check")).toMatchObject({
      accounts: 1,
      batches: 0,
      messages: 0,
      entries: 1,
    });
    const told = here.log().findLast(({ message }) => message === "metrics");
    const metrics = await (await fetch(String(told?.url))).text();
    expect(metrics).not.toContain("sandbox:");
    expect(metrics).not.toMatch(/^bendre_messages_total.* [1-9]/m);

    const test = { ...account, mode: "test" };
    expect((await here.admin("batch list", test)).batches).toHaveLength(2);
    expect((await here.admin("message find", { mode: "test" })).messages).toHaveLength(3);
    expect(
      (await here.admin("message find", { mode: "test", operator: "orange", status: "FAILED" })).messages,
    ).toHaveLength(1);
    const statement = (await here.admin("wallet statement", test)) as {
      entries: unknown[];
      closing_balance: number;
    };
    expect(statement.entries.length).toBeGreaterThan(1);
  });

  test("--mode test needs a test key to have been made, and a mode is one of two", async () => {
    const other = await here.client();
    const refused = await here.refusal("batch list", { ACCOUNT: other.accountId, mode: "test" });
    expect(refused.code).toBe("NO_SANDBOX");
    expect((await here.refusal("message find", { mode: "both" })).code).toBe("INVALID_MODE");
  });

  // Keeps: behaviour 2.11
  test("a wallet is full again at midnight of its account, and not before", async () => {
    const far = await here.client({ account: { timezone: "Pacific/Marquesas" } });
    const client = await here.inSandbox(far);
    await ended({ recipients: [ending("10")] }, client);
    expect((await client.balance()).spendable).toBe(999_985);
    here.clock.sleep(29 * 60_000);
    await here.clock.advance(10_000);
    expect((await client.balance()).spendable).toBe(999_985);
    await here.clock.advance(60_000);
    expect((await client.balance()).spendable).toBe(1_000_000);
    expect((await tried.balance()).spendable).toBe(1_000_000);
  });

  // Keeps: behaviour 2.13
  test("what is older than seven days is gone, and balances stay what they were", async () => {
    const before = await tried.submit({ recipients: [ending("10"), ending("81")] });
    await tried.until(before.batch_id, ({ status }) => status === "SETTLED");
    await live.submit({ recipients: [ending("10")] });
    here.clock.sleep(8 * 86_400_000);
    await here.clock.advance(10_000);
    const kept = await tried.submit({ recipients: [ending("12")] });
    await tried.until(kept.batch_id, ({ status }) => status === "SETTLED");
    const purging = here.admin("storage purge");
    let isOver = false;
    void purging.finally(() => {
      isOver = true;
    });
    while (!isOver) await here.clock.advance(50);
    expect((await ask(tried, "GET", `/batches/${before.batch_id}`)).status).toBe(404);
    expect((await ask(tried, "GET", `/batches/${kept.batch_id}`)).status).toBe(200);
    expect((await here.admin("message find", { mode: "test", from: "30d" })).messages).toHaveLength(1);
    const asked = { ACCOUNT: live.accountId, mode: "test" };
    const { closing_balance } = await here.admin("wallet statement", asked);
    expect(closing_balance).toBe((await tried.balance()).balance);
    expect(await here.admin("ledger check")).toMatchObject({ accounts: 1, batches: 1 });
    expect((await here.admin("batch list", { ACCOUNT: live.accountId })).batches).toHaveLength(1);
  });
});

// Keeps: behaviour 2.16
test("all sandboxes together send no faster than they may", async () => {
  await here.close();
  here = await stage(undefined, { sandbox: { throughput: 20, recipients_per_day: 50 } });
  tried = await here.inSandbox(await here.client());
  const recipients = Array.from({ length: 60 }, (_, n) => ending("10", String(1000 + n)));
  const { batch_id, rejections } = await tried.submit({ recipients });
  expect(rejections.map(({ reason_code }) => reason_code)).toEqual(Array(10).fill("RATE_LIMIT_PER_DAY"));
  await here.clock.advance(1_000);
  const { counts } = await tried.batch(batch_id);
  expect(counts.sent).toBeGreaterThan(10);
  expect(counts.sent).toBeLessThan(25);
  await tried.until(batch_id, ({ status }) => status === "SETTLED");
});
