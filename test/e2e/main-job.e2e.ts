import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Going, run, scratch, start } from "./executable.ts";

type Json = Record<string, unknown>;

const place = scratch();
const configOf = (orange: number, moov: number, directory = "data") => `
[server]
listen = "127.0.0.1:0"
[storage]
directory = "${place.path}/${directory}"
[operators.orange]
prefixes = ["22605", "22606", "22607", "22674", "22675", "22676"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
port = ${orange}
system_id = "bendre"
password = "secret"
throughput = 1000
response_timeout_seconds = 2
[operators.moov]
prefixes = ["22601", "22670", "22671"]
price = 12
[[operators.moov.connections]]
host = "127.0.0.1"
port = ${moov}
system_id = "bendre"
password = "secret"
throughput = 1000
response_timeout_seconds = 2
`;

let orange: Going;
let moov: Going;
let server: Going;
let config = "";
let url = "";
let account = "";
let apiKey = "";

const events = (operator: Going): Json[] =>
  operator
    .stdout()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Json);

/** The text of handsets by number. */
const handset = (operator: Going, number: string) =>
  events(operator).filter((event) => event.kind === "text" && event.to === number);

function admin(...words: string[]): Json {
  const done = run(...words, "--config", config, "--json");
  const answer = JSON.parse(done.stdout) as { data?: Json; error?: Json };
  expect([words.join(" "), done.exitCode, answer.error]).toEqual([words.join(" "), 0, undefined]);
  return answer.data ?? {};
}

async function api(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; data: Json }> {
  const answer = await fetch(`${url}/public/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
  });
  const body = (await answer.json()) as { data?: Json };
  return { status: answer.status, headers: answer.headers, data: body.data ?? (body as Json) };
}

const post = (key: string, body: unknown) =>
  api("/batches", {
    method: "POST",
    headers: { "idempotency-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Asks for a batch until it has ended. */
async function ended(batchId: unknown): Promise<Json> {
  for (;;) {
    const { data } = await api(`/batches/${String(batchId)}`);
    if (["SETTLED", "REJECTED", "FAILED", "CANCELLED"].includes(String(data.status))) return data;
    await Bun.sleep(20);
  }
}

async function listening(operator: Going): Promise<number> {
  await operator.until((output) => output.stdout().includes('"listening"'));
  return Number(events(operator)[0]?.port);
}

beforeAll(async () => {
  orange = start(
    "smsc",
    "--port",
    "0",
    "--json",
    "--receipt-delay-ms",
    "20",
    "--id-format",
    "hex_response_decimal_receipt",
  );
  moov = start("smsc", "--port", "0", "--json", "--receipt-delay-ms", "20", "--id-format", "uuid");
  config = place.file("config.toml", configOf(await listening(orange), await listening(moov)));
  account = String(admin("account", "create", "--name", "Pharmacie", "--billing", "prepaid").account_id);
  apiKey = String(admin("key", "create", account, "--name", "e2e", "--scopes", "all").api_key);
  server = start("serve", "--config", config);
  await server.until((output) => output.stderr().includes('"ready"'));
  const ready = server
    .stderr()
    .split("\n")
    .find((line) => line.includes('"ready"'));
  url = String((JSON.parse(ready ?? "{}") as Json).url);
});

afterAll(async () => {
  for (const going of [orange, moov, server]) going?.signal("SIGKILL");
  place.remove();
});

describe("the executable", () => {
  test("says its version and commit", () => {
    expect(run("--version").stdout).toMatch(/^bendre \d+\.\d+\.\d+ \((?:[0-9a-f]{12}|unknown)\)\n$/);
  });

  test("shows the demo once, with every message delivered", () => {
    const demo = run("demo", "--once");
    expect([demo.exitCode, demo.stderr]).toEqual([0, demo.stderr]);
    expect(demo.stdout).toContain("DELIVERED");
    expect(demo.stdout).not.toMatch(/FAILED|CANCELLED/);
  }, 60_000);

  test("is ready and alive, and carries its documentation", async () => {
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const openapi = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
    expect(Object.keys(openapi.paths as Json)).toContain("/batches");
    const page = await (await fetch(`${url}/docs`)).text();
    expect(page).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((found) => found[1]);
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) expect((await fetch(url + asset)).status).toBe(200);
  });

  test("obeys commands while it runs, at once", async () => {
    admin("wallet", "topup", account, "5000", "--reference", "bank-1");
    admin("sender", "request", account, "PHARMA");
    admin("sender", "approve", account, "PHARMA");
    expect(
      (
        await post("before", {
          sender: "NOBODY",
          body: "x",
          message_class: "OTP",
          recipients: [{ msisdn: "70000000" }],
        })
      ).status,
    ).toBe(422);
    for (const operator of ["orange", "moov"])
      admin("sender", "register", account, "PHARMA", "--operator", operator);
    const { data } = await api("/sender-ids");
    expect((data.sender_ids as Json[])[0]).toMatchObject({ sender: "PHARMA", is_sendable: true });
    const status = admin("operator", "status");
    expect(JSON.stringify(status)).toContain("BOUND");
  });
});

describe("the main job", () => {
  const submission = {
    sender: "PHARMA",
    body: "Bonjour {nom}, ça coûte {prix} FCFA{absent}.",
    message_class: "TRANSACTIONAL",
    recipients: [
      { msisdn: "74123456", attributes: { nom: "Awa", prix: 500 } },
      { msisdn: "0022670123456", attributes: { nom: "Issa", prix: 1500 } },
      { msisdn: "+226 70 12 34 57", attributes: { nom: "Zoé" } },
      { msisdn: "+33612345678" },
      { msisdn: "33612345678" },
      { msisdn: "abc" },
      { msisdn: "70 12 34 56" },
      { msisdn: "25300000" },
      { msisdn: "78123456" },
      { msisdn: "59123456" },
      {
        msisdn: "76000001",
        attributes: { nom: "un nom si long qu'il faut bien deux parties pour le porter" },
      },
    ],
  };
  let batchId: unknown;

  test("a mixed batch gets its 202 with every reason", async () => {
    const { status, data } = await post("mixed", submission);
    expect(status).toBe(202);
    expect(data).toMatchObject({
      status: "QUEUED",
      accepted: 4,
      rejected: 7,
      reserved_amount: 69,
      total_segments: 5,
      currency: "XOF",
    });
    expect(data.rejections).toEqual([
      { index: 3, msisdn: "+33612345678", reason_code: "UNROUTABLE_PREFIX" },
      { index: 4, msisdn: null, reason_code: "INVALID_MSISDN" },
      { index: 5, msisdn: null, reason_code: "INVALID_MSISDN" },
      { index: 6, msisdn: "+22670123456", reason_code: "DUPLICATE_IN_BATCH" },
      { index: 7, msisdn: "+22625300000", reason_code: "UNROUTABLE_PREFIX" },
      { index: 8, msisdn: "+22678123456", reason_code: "UNROUTABLE_PREFIX" },
      { index: 9, msisdn: "+22659123456", reason_code: "INVALID_MSISDN" },
    ]);
    batchId = data.batch_id;
  });

  test("the same request again is the same answer, and sends nothing twice", async () => {
    const again = await post("mixed", submission);
    expect([again.status, again.data.batch_id]).toEqual([202, batchId]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await post("mixed", { ...submission, body: "autre" })).status).toBe(409);
  });

  test("it ends SETTLED with the right counts, each text on the right handset", async () => {
    const batch = await ended(batchId);
    expect(batch).toMatchObject({
      status: "SETTLED",
      counts: { total: 4, queued: 4, submitted: 4, sent: 4, delivered: 4, failed: 0, cancelled: 0 },
    });
    const text = (operator: Going, number: string) => handset(operator, number).map((event) => event.text);
    expect(text(orange, "22674123456")).toEqual(["Bonjour Awa, ça coûte 500 FCFA."]);
    expect(text(moov, "22670123456")).toEqual(["Bonjour Issa, ça coûte 1500 FCFA."]);
    expect(text(moov, "22670123457")).toEqual(["Bonjour Zoé, ça coûte  FCFA."]);
    expect(text(orange, "22676000001")).toEqual([
      "Bonjour un nom si long qu'il faut bien deux parties pour le porter, ça coûte  FCFA.",
    ]);
  });

  test("the wallet is right to the franc and the ledger agrees", async () => {
    const { data } = await api("/account/balance");
    expect(data).toMatchObject({ balance: 4931, reserved: 0, spendable: 4931 });
    admin("ledger", "check");
  });

  test("each outcome an operator can give ends in its state, and only what was accepted is charged", async () => {
    const { data } = await post("outcomes", {
      sender: "PHARMA",
      body: "Test",
      message_class: "OTP",
      recipients: [
        "74099001",
        "74099002",
        "74099003",
        "74099005",
        "74099006",
        "74099007",
        "74099008",
        "74099009",
      ].map((msisdn) => ({ msisdn })),
    });
    const batch = await ended(data.batch_id);
    expect(batch).toMatchObject({ status: "SETTLED", counts: { total: 8, delivered: 4, failed: 4 } });
    const { data: page } = await api(
      `/messages?status_changed_since=2020-01-01T00:00:00Z&batch_id=${data.batch_id}`,
    );
    const ends = new Map((page.messages as Json[]).map((message) => [message.msisdn, message]));
    const errorOf = (number: string) => (ends.get(number)?.error as Json | null)?.code ?? null;
    expect(errorOf("+22674099001")).toBe("UNKNOWN_SUBSCRIBER");
    expect(errorOf("+22674099002")).toBe("EXPIRED_AT_OPERATOR");
    expect(errorOf("+22674099003")).toBe("REJECTED_AT_OPERATOR");
    expect(errorOf("+22674099005")).toBe("INVALID_DESTINATION");
    expect(ends.get("+22674099006")?.status).toBe("DELIVERED");
    expect((await api("/account/balance")).data).toMatchObject({ balance: 4931 - 7 * 15, reserved: 0 });
    admin("ledger", "check");
  }, 60_000);

  test("SIGTERM unbinds and exits 0, and nothing secret was logged", async () => {
    server.signal("SIGTERM");
    expect(await server.ended).toBe(0);
    for (const operator of [orange, moov]) {
      expect(events(operator).some((event) => event.kind === "unbound" || event.kind === "closed")).toBe(
        true,
      );
    }
    const log = server.stderr();
    for (const secret of [apiKey, "ça coûte", '"secret"']) expect(log).not.toContain(secret);
  });
});

describe("what it refuses to start with", () => {
  const refusal = (...words: string[]) => {
    const done = run(...words);
    expect(done.exitCode).toBe(1);
    return done.stderr + done.stdout;
  };

  test("a misspelt key: file, full key, and the nearest known one", () => {
    const file = place.file("typo.toml", configOf(1, 2).replace("throughput = 1000", "througput = 1000"));
    expect(refusal("config", "check", "--config", file)).toMatch(
      /typo\.toml: operators\.orange\.connections\[0\]\.througput.*throughput/s,
    );
    expect(refusal("serve", "--config", file)).toContain("througput");
  });

  test("broken TOML: the line", () => {
    const file = place.file("broken.toml", "[server]\nlisten = = 1\n");
    expect(refusal("serve", "--config", file)).toMatch(/broken\.toml:2:\d+/);
  });

  test("a data directory that is a file", () => {
    const blocked = place.file("blocked", "");
    const file = place.file("blocked.toml", configOf(1, 2, "blocked"));
    expect(refusal("serve", "--config", file)).toContain(blocked);
  });

  test("a second server on the same data, and a port in use", async () => {
    const first = place.file("first.toml", configOf(1, 2, "shared"));
    const running = start("serve", "--config", first);
    await running.until((output) => output.stderr().includes('"ready"'));
    expect(refusal("serve", "--config", first)).toContain("another bendre is using the data directory");
    const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(running.stderr())?.[1];
    const second = place.file(
      "second.toml",
      configOf(1, 2, "other").replace("127.0.0.1:0", `127.0.0.1:${port}`),
    );
    expect(refusal("serve", "--config", second)).toContain("in use");
    running.signal("SIGTERM");
    expect(await running.ended).toBe(0);
  }, 30_000);
});
