/** What clients see of an operator with routes: every answer of the API, every event, and every page of the console, asked by their registries. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import type { Config } from "../../src/config/config.ts";
import { ROUTES, type RouteName } from "../../src/console/server/routes/table.ts";
import { may } from "../../src/domain/accounts/roles.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { configOf, operator } from "../config/sample.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type ConsoleUser, enterConsole } from "./console-user.ts";
import { ENDPOINTS, type Sample } from "./endpoints.ts";
import { type Client, type Stage, stage } from "./stage.ts";

/** What would betray routes: their names, costs in thousandths too, a code by which one of them refused, why one is paused, any word of routes (but "UNROUTABLE_PREFIX", "NO_ROUTE" and "en route"). */
const BETRAYING =
  /kestrel|lapwing|9[.,]?125|11[.,]?375|0x45|RINVCUSTSUBMIT|tariff|(?<!un|no_|en )rout|cost_|"cost"|margin/i;

let whole: Stage;
let kestrel: TestSmsc;
let lapwing: TestSmsc;
let client: Client;
/** Bodies that endpoints of clients were posted. */
let posted: string[];

beforeEach(async () => {
  posted = [];
  const https = {
    ownAddresses: () => new Set(["192.0.2.1"]),
    resolve: async () => ["93.184.216.34"],
    request: async (...[, , init]: Parameters<typeof systemPlatform.https.request>) => {
      posted.push(
        typeof init.body === "string" ? init.body : new TextDecoder().decode(init.body as Uint8Array),
      );
      return new Response(null, { status: 204 });
    },
  };
  whole = await stage({ ...systemPlatform, https });
  kestrel = whole.smsc;
  lapwing = await testSmsc({ clock: whole.clock, chance: seededChance(2), quirks: PLAIN });
  client = await whole.client();
  whole.write(withRoutes(whole.settings.now()));
  await whole.admin("config reload");
  while (!lapwing.events.some(({ kind }) => kind === "bound")) await whole.clock.advance(20);
});
afterEach(async () => {
  await whole.close();
  await lapwing.stop();
});

function withRoutes(config: Config): Config {
  const orange = config.operators.orange!;
  const [link] = orange.connections;
  const names = ["kestrel", "lapwing"];
  const made = configOf({
    operators: {
      orange: operator({
        routes: {
          kestrel: { order: 1, cost: "9.125", reroute_on: ["0x45"] },
          lapwing: { order: 2, cost: "11.375" },
        },
        connections: names.map((route) => ({ host: route, system_id: "s", password: "p", route })),
      }),
    },
  });
  const connections = [
    { ...link!, route: "kestrel" },
    { ...link!, route: "lapwing", port: lapwing.port },
  ];
  return {
    ...config,
    operators: { orange: { ...orange, routes: made.operators.orange!.routes, connections } },
  };
}

type Known = Sample & { readonly accountId: string; readonly fileId: string };

const recipients = (...msisdns: readonly string[]) => ({ recipients: msisdns.map((msisdn) => ({ msisdn })) });

/** A message that the first route refused and the second delivered, one that failed, and one that waits while both are paused. */
async function play(): Promise<readonly Sample[]> {
  const webhookId = await registerEndpoint();
  const samples: Sample[] = [];
  const add = async (batchId: string): Promise<void> => {
    const [message] = await client.messages(batchId);
    samples.push({ batchId, messageId: String(message?.message_id), webhookId });
  };
  const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";
  kestrel.change({ refusePercent: 100, refuseStatus: 0x45 });
  const rerouted = await client.submit({ message_class: "OTP", ...recipients("70400001") });
  await client.until(rerouted.batch_id, isOver);
  await add(rerouted.batch_id);
  kestrel.change({ refusePercent: 0 });
  lapwing.change({ refusePercent: 100, refuseStatus: 0x0b });
  await whole.admin("operator pause", { CODE: "orange/kestrel", reason: "tariff" });
  const failed = await client.submit(recipients("70400002"));
  await client.until(failed.batch_id, isOver);
  await add(failed.batch_id);
  await whole.admin("operator pause", { CODE: "orange/lapwing", reason: "tariff" });
  const waiting = await client.submit(recipients("70400003"));
  await whole.clock.advance(1000);
  await add(waiting.batch_id);
  return samples;
}

async function registerEndpoint(): Promise<string> {
  const answer = await fetch(`${whole.url()}/public/v1/webhooks`, {
    method: "POST",
    headers: { "x-api-key": client.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://client.example/hooks" }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly webhook_id: string } };
  return data.webhook_id;
}

/** What an answer betrays, by what was asked; null where nothing. */
function betrayedBy(asked: string, text: string): readonly string[] {
  const found = BETRAYING.exec(text);
  return found === null ? [] : [`${asked}: ${text.slice(Math.max(0, found.index - 60), found.index + 60)}`];
}

test("no answer of the API and no event names a route, its cost or what it refused with", async () => {
  const samples = await play();
  const betrayed: string[] = [];
  let answers = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
    answers += 1;
    const answer = await fetch(`${whole.url()}/public/v1${path}`, {
      method,
      headers: {
        "x-api-key": client.apiKey,
        "content-type": "application/json",
        "idempotency-key": `ask-${answers}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
    betrayed.push(...betrayedBy(`${method} ${path}`, text));
    return answer.status;
  };
  const own = { sender: "ACME", ...recipients("70400004") };
  for (const sample of samples)
    for (const [n, { method, path, target, body }] of ENDPOINTS.entries()) {
      const sent = body?.(n);
      const isBatch = path === "/batches" && method === "POST";
      const status = await ask(method, target(sample), isBatch ? { ...(sent as object), ...own } : sent);
      expect([path, status < 500, status !== 404]).toEqual([path, true, true]);
      // What is refused is worded as well.
      const none = target({ batchId: "none", messageId: "none", webhookId: "none" });
      await ask(method, none, method === "GET" ? undefined : { nothing: "known" });
    }
  const quoted = {
    sender: "ACME",
    body: "Text",
    message_class: "OTP",
    ...recipients("70400005", "70400005"),
  };
  expect(await ask("POST", "/batches/quote", quoted)).toBe(200);
  const [, failed] = samples;
  expect(
    await ask("GET", `/messages?batch_id=${failed?.batchId}&status_changed_since=2026-03-01T00:00:00Z`),
  ).toBe(200);
  while (posted.length < 2) await whole.clock.advance(100);
  for (const body of posted) betrayed.push(...betrayedBy("event", body));
  expect(betrayed).toEqual([]);
});

/** What is asked beside a path's own parts, where a page needs it to answer. */
const QUERIES: Partial<Record<RouteName, string>> = {
  "GET /messages-with-part": "typed=7040000",
  "GET /left-out": "number=%2B22670400001",
  "GET /left-out/rows": "typed=7040000",
  "GET /suppressions/number": "number=%2B22670400001",
  "GET /search": "q=70400001",
  "GET /accounts/:account/invoice.pdf": "from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z",
};

/** A user of the account that binds by SMPP, which has a page. */
const SYSTEM_ID = "pharma1";

describe("in the console", () => {
  /** Where a part of a path leads. */
  const pathOf = (name: string, known: Known): string => {
    const parts: Readonly<Record<string, string>> = {
      account: known.accountId,
      batch: known.batchId,
      message: known.messageId,
      webhook: known.webhookId,
      file: known.fileId,
      code: "orange",
      system_id: SYSTEM_ID,
    };
    const [, pattern = ""] = name.split(" ");
    return pattern.replaceAll(/:(\w+)/g, (_, part: string) => parts[part] ?? "none");
  };

  test("no page of a client names a route, its cost or what it refused with", async () => {
    const samples = await play();
    await whole.admin("smpp create", { ACCOUNT: client.accountId, "system-id": SYSTEM_ID });
    const user = await enterConsole(whole, "ACCOUNT_ADMIN", client.accountId);
    const file = await user(
      "POST",
      `/send/${client.accountId}/files`,
      new TextEncoder().encode("tel\n70400006\n70400007\n"),
    );
    const fileId = String(file.json.file_id);
    const betrayed: string[] = [];
    const answered = new Map<string, number>();
    const ask = async (...[method, path, body]: Parameters<ConsoleUser>): Promise<number> => {
      const { status, text } = await user(method, path, body);
      betrayed.push(...betrayedBy(`${method} ${path}`, text));
      return status;
    };
    const names = (Object.keys(ROUTES) as RouteName[]).filter((name) =>
      may("ACCOUNT_ADMIN", ROUTES[name].operation),
    );
    const reads = names.filter((name) => name.startsWith("GET "));
    for (const sample of samples)
      for (const name of reads) {
        const query = QUERIES[name];
        const path = pathOf(name, { ...sample, accountId: client.accountId, fileId });
        answered.set(name, await ask("GET", query === undefined ? path : `${path}?${query}`));
      }
    expect(reads.length).toBeGreaterThan(30);
    // Nothing is seen of what is not answered.
    expect([...answered].filter(([, status]) => status !== 200)).toEqual([]);
    const [sample] = samples;
    for (const name of names.filter((one) => !reads.includes(one))) {
      const [method = ""] = name.split(" ");
      await ask(method, pathOf(name, { ...sample!, accountId: client.accountId, fileId }), {});
    }
    const wanted = { file: fileId, column: null, sender: "ACME", message_class: "OTP", body: "Text" };
    const again = await user(
      "POST",
      `/send/${client.accountId}/files`,
      new TextEncoder().encode("70400008\n"),
    );
    const quote = { ...wanted, file: again.json.file_id };
    expect(await ask("POST", `/send/${client.accountId}/quote`, quote)).toBe(200);
    expect(await ask("GET", "/start")).toBe(200);
    expect(betrayed).toEqual([]);
  });

  test("the life of a message that another route carried reads like one that was sent twice", async () => {
    const [rerouted] = await play();
    const user = await enterConsole(whole, "ACCOUNT_READER", client.accountId);
    const staff = await enterConsole(whole, "OWNER");
    type Event = { readonly event: string; readonly connection: unknown; readonly route?: string };
    const lifeFor = async (ask: ConsoleUser) =>
      (await ask("GET", `/messages/${rerouted?.messageId}`)).json.events as readonly Event[];
    const own = await lifeFor(user);
    expect(own.filter(({ event }) => event === "submit_sm").length).toBe(2);
    expect(own.filter(({ event }) => event === "submit_sm_resp").length).toBe(1);
    expect(own.every(({ connection }) => connection === null)).toBe(true);
    const all = await lifeFor(staff);
    expect(all.flatMap(({ route }) => route ?? [])).toEqual(expect.arrayContaining(["kestrel", "lapwing"]));
    expect(all.map(({ event }) => event)).toContain("rerouted");
  });
});
