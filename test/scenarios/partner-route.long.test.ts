/** Another Bendre as a route: two appliances in one process, over loopback, and an operator behind the second. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import type { Config, ConnectionConfig, OperatorConfig } from "../../src/config/config.ts";
import { wait } from "../../src/core/clock.ts";
import type { RequestTrusting } from "../../src/https/https-request.ts";
import { configOf, operator } from "../config/sample.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let own: Stage;
let partner: Stage;
let client: Client;
let account: Client;
/** What happens to a request before it leaves, or with its answer. */
let wire: (path: string, ask: () => Promise<Response>) => Promise<Response>;
/** Where a request goes in place of its path. */
let readdress: (path: string) => string;
let posts: { readonly key: string; readonly body: Record<string, unknown>; readonly hops: string | null }[];

const request: RequestTrusting = async (target, address, init, isFresh, ca) => {
  if (init.method === "POST" && target.path.endsWith("/batches")) {
    const headers = new Headers(init.headers);
    const body = JSON.parse(String(init.body)) as Record<string, unknown>;
    posts.push({ key: headers.get("idempotency-key") ?? "", body, hops: headers.get("bendre-hops") });
  }
  const to = { ...target, path: readdress(target.path) };
  return wire(target.path, () => systemPlatform.https.request(to, address, init, isFresh, ca));
};

beforeEach(async () => {
  posts = [];
  wire = (_, ask) => ask();
  readdress = (path) => path;
  partner = await stage();
  account = await partner.client();
  own = await stage({ ...systemPlatform, https: { ...systemPlatform.https, request } });
  client = await own.client();
});
afterEach(async () => {
  await own.close();
  await partner.close();
});

type Table = Readonly<Record<string, unknown>>;

const toPartner = (changes: Table = {}): Table => ({
  kind: "bendre",
  route: "partner",
  url: `${partner.url()}/public/v1`,
  api_key: account.apiKey,
  response_timeout_seconds: 6,
  ...changes,
});

/** `orange` by the partner first, and by its own operator where `direct` has an order. */
function withPartner(route: Table = {}, direct: Table | null = null, link: Table = {}): Config {
  const at = own.settings.now();
  const smpp = at.operators.orange?.connections.find(({ kind }) => kind === "smpp") as ConnectionConfig;
  const routes = { partner: { order: 1, ...route }, ...(direct && { direct }) };
  const bind = { host: smpp.host, port: smpp.port, system_id: smpp.system_id, password: smpp.password };
  const connections = [
    toPartner(link),
    ...(direct ? [{ ...bind, route: "direct", window: 100, throughput: 1000 }] : []),
  ];
  const made = configOf({
    operators: { orange: operator({ prefixes: ["22670"], price: 15, routes, connections }) },
  });
  return { ...at, operators: { orange: made.operators.orange as OperatorConfig } };
}

const pass = async (isWanted: () => unknown): Promise<void> => {
  for (let step = 0; !(await isWanted()); step++) {
    if (step > 20_000) throw new Error("it never came");
    await own.clock.advance(20);
    await partner.clock.advance(20);
  }
};
type Link = { readonly state: string; readonly last_error: { readonly code: string } | null };
const links = async () => (await own.admin("operator status")).connections as readonly Link[];
const take = async (config: Config): Promise<void> => {
  own.write(config);
  await own.admin("config reload");
  await pass(async () => (await links()).every(({ state }) => state === "BOUND"));
};
let next = 70_500_000;
const send = (message_class: string, text = "Text", count = 1) =>
  client.submit({
    message_class,
    body: "{text}",
    recipients: Array.from({ length: count }, () => ({ msisdn: String(next++), attributes: { text } })),
  });
const until = async (batchId: string, status = "SETTLED") => {
  await pass(async () => (await client.batch(batchId)).status === status);
  return client.batch(batchId);
};
const message = async (batchId: string) => (await client.messages(batchId))[0] as Record<string, unknown>;
const costs = async () => (await own.admin("report margin", { by: "route" })).rows as readonly Table[];

describe("another Bendre", () => {
  test("carries messages as they are, and says what becomes of them", async () => {
    await take(withPartner({ cost: "11.5" }));
    const text = "Bonjour {nom} {{x}} œ \\ {a b}, fin.";
    const { batch_id } = await send("TRANSACTIONAL", text, 3);
    expect(await until(batch_id)).toMatchObject({ counts: { sent: 3, delivered: 3 }, charged_amount: 45 });
    expect(partner.smsc.stats().submits).toBe(3);
    expect(own.smsc.stats().submits).toBe(0);
    expect(posts).toHaveLength(3);
    expect(posts[0]).toMatchObject({
      hops: "1",
      body: { sender: "ACME", message_class: "TRANSACTIONAL", body: "{texte}", text_policy: "as_is" },
    });
    expect(posts[0]?.body.recipients).toMatchObject([{ attributes: { texte: text } }]);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(3);
    expect(await message(batch_id)).toMatchObject({ status: "DELIVERED", operator: "orange", error: null });
    expect(await costs()).toMatchObject([{ key: "orange/partner", segments: 3 }]);
  });

  test("is charged for long texts by all segments at once", async () => {
    await take(withPartner({ cost: "2" }));
    const { batch_id } = await send("OTP", "One of three parts. ".repeat(20));
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 45 });
    expect(posts).toHaveLength(1);
    expect(await costs()).toMatchObject([{ segments: 3 }]);
  });

  test("brings a receipt that says never, of which clients read no code", async () => {
    partner.smsc.change({ deliveredPercent: 0 });
    await take(withPartner());
    const { batch_id } = await send("TRANSACTIONAL");
    expect(await until(batch_id)).toMatchObject({ counts: { sent: 1, failed: 1 }, charged_amount: 15 });
    expect(await message(batch_id)).toMatchObject({ status: "FAILED", error: { operator_code: null } });
  });
});

describe("a post whose answer was lost", () => {
  test("is repeated under the same key, and is one message", async () => {
    await take(withPartner());
    let lost = 2;
    wire = async (path, ask) => {
      const answer = await ask();
      if (!path.endsWith("/batches") || lost-- <= 0) return answer;
      await answer.text();
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    };
    const { batch_id } = await send("OTP");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect(posts).toHaveLength(3);
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect(partner.smsc.stats().submits).toBe(1);
  });

  test("is unanswered in the end, and settled by the feed", async () => {
    await take(withPartner());
    wire = async (path, ask) => {
      const answer = await ask();
      if (!path.endsWith("/batches")) return answer;
      await answer.text();
      return new Response("{}", { status: 500 });
    };
    const { batch_id } = await send("MARKETING");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect(posts.length).toBeGreaterThan(2);
    expect(partner.smsc.stats().submits).toBe(1);
  });

  test("is repeated under the same key also by the next process", async () => {
    await take(withPartner({ cost: "3" }));
    wire = async (path, ask) => {
      const answer = await ask();
      if (!path.endsWith("/batches")) return answer;
      await answer.text();
      return new Promise(() => {});
    };
    const { batch_id } = await send("OTP");
    await pass(() => posts.length > 0);
    await own.stop();
    wire = (_, ask) => ask();
    await own.start();
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect(partner.smsc.stats().submits).toBe(1);
    expect(await costs()).toMatchObject([{ segments: 1 }]);
  });
});

describe("a refusal", () => {
  const noSender = { order: 1, reroute_on: ["SENDER_NOT_APPROVED"] };

  test("of a recipient ends the message, and no word of the partner reaches the client", async () => {
    await take(withPartner());
    wire = async (path, ask) => {
      if (!path.endsWith("/batches")) return ask();
      return Response.json(
        { data: { batch_id: "x", accepted: 0, rejections: [{ reason_code: "SUPPRESSED" }] } },
        { status: 202 },
      );
    };
    const refused = await send("TRANSACTIONAL");
    expect(await until(refused.batch_id)).toMatchObject({ counts: { failed: 1 }, charged_amount: 0 });
    expect(await message(refused.batch_id)).toMatchObject({
      error: { code: "OPERATOR_REJECTED", operator_code: null },
    });
    const { message_id } = await message(refused.batch_id);
    const trace = await own.admin("message trace", { MESSAGE: String(message_id) });
    expect(JSON.stringify(trace.events)).toContain("SUPPRESSED");
  });

  test("whose reason speaks of the route leads to the next one, at one price", async () => {
    await take(withPartner(noSender, { order: 2 }));
    wire = async (path, ask) =>
      path.endsWith("/batches") ? Response.json({ code: "SENDER_NOT_APPROVED" }, { status: 422 }) : ask();
    const { batch_id } = await send("TRANSACTIONAL");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect(own.smsc.stats().submits).toBe(1);
    expect(posts).toHaveLength(1);
  });

  test("that comes by the feed, of a message that was taken and never sent, leads there too", async () => {
    partner.smsc.change({ refusePercent: 100, refuseStatus: 0x0b });
    await take(withPartner({ reroute_on: ["INVALID_DESTINATION"] }, { order: 2 }));
    const { batch_id } = await send("TRANSACTIONAL");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect([partner.smsc.stats().submits, own.smsc.stats().submits]).toEqual([1, 1]);
  });

  test("without such a reason ends it", async () => {
    partner.smsc.change({ refusePercent: 100, refuseStatus: 0x0b });
    await take(withPartner({}, { order: 2 }));
    const { batch_id } = await send("TRANSACTIONAL");
    expect(await until(batch_id)).toMatchObject({ counts: { failed: 1 }, charged_amount: 0 });
    expect(await message(batch_id)).toMatchObject({
      error: { code: "INVALID_DESTINATION", operator_code: null },
    });
    expect(own.smsc.stats().submits).toBe(0);
  });
});

describe("what it takes nothing for", () => {
  test("sends the route away, and the next carries", async () => {
    await take(withPartner({}, { order: 2 }));
    let answers = 0;
    wire = async (path, ask) => {
      if (!path.endsWith("/batches")) return ask();
      answers += 1;
      return Response.json({ code: "INSUFFICIENT_FUNDS" }, { status: 402 });
    };
    const { batch_id } = await send("OTP");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 } });
    expect(answers).toBe(1);
    expect(own.smsc.stats().submits).toBe(1);
    await pass(async () => (await links())[0]?.state === "WAITING");
    expect(await links()).toMatchObject([
      {
        kind: "bendre",
        host: "127.0.0.1",
        bind: null,
        state: "WAITING",
        last_error: { code: "link.takes_nothing" },
      },
      { kind: "smpp", bind: "transceiver", state: "BOUND" },
    ]);
  });

  test("rings, and its feed is read on; after five minutes it is asked again", async () => {
    await take(withPartner({}, { order: 2 }));
    await partner.admin("operator pause", { CODE: "orange", reason: "full" });
    const before = await send("TRANSACTIONAL");
    await pass(() => posts.length === 1);
    let mayTake = false;
    let refuse: () => void = () => {};
    const refused = new Promise<void>((told) => {
      refuse = told;
    });
    wire = async (path, ask) => {
      if (mayTake) return ask();
      if (path.endsWith("/batches")) {
        refuse();
        return Response.json({ code: "UNAUTHORIZED" }, { status: 401 });
      }
      // What was asked of the feed before is answered after that.
      const page = await ask();
      await Promise.race([refused, wait(own.clock, 500)]);
      return page;
    };
    const { batch_id } = await send("OTP");
    await until(batch_id);
    await partner.admin("operator resume", { CODE: "orange" });
    expect(await until(before.batch_id)).toMatchObject({ counts: { delivered: 1 } });
    const firing = async () => {
      const { alerts } = (await own.admin("alert list")) as { alerts: readonly Table[] };
      return alerts.filter(({ state }) => state === "firing").map(({ rule, subject }) => [rule, subject]);
    };
    await own.clock.advance(60_000);
    await pass(async () => (await firing()).length > 0);
    expect(await firing()).toEqual([["link_down", "orange 1"]]);
    expect((await links())[0]).toMatchObject({
      last_error: { code: "link.takes_nothing", params: { reason: "UNAUTHORIZED" } },
    });
    expect(posts).toHaveLength(2);
    mayTake = true;
    await own.clock.advance(200_000);
    await pass(async () => (await links())[0]?.state === "BOUND");
    await until((await send("OTP")).batch_id);
    expect(posts).toHaveLength(3);
    await pass(async () => (await firing()).length === 0);
  });

  test("for a moment is asked again later", async () => {
    await take(withPartner());
    let answers = 0;
    wire = async (path, ask) => {
      if (!path.endsWith("/batches") || answers++ > 1) return ask();
      return Response.json({ code: "RATE_LIMITED" }, { status: 429 });
    };
    const { batch_id } = await send("OTP");
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 } });
    expect(posts).toHaveLength(3);
  });
});

describe("a second SMS", () => {
  const silent = { second_after_seconds: 60, accept_doubles: true, cost: "9" };
  /** Until just before the second is due. */
  const sentLongAgo = async (batchId: string): Promise<void> => {
    await pass(async () => (await message(batchId)).status === "SENT");
    await own.clock.advance(58_000);
    await partner.clock.advance(58_000);
  };
  const spent = async () => (await costs()).map(({ key, cost }) => [key, cost]);

  test("leaves by an operator when nothing was heard since the partner's SENT", async () => {
    partner.smsc.change({ lostReceiptPercent: 100 });
    await take(withPartner(silent, { order: 2, cost: "11.5" }));
    const { batch_id } = await send("OTP");
    await sentLongAgo(batch_id);
    expect(own.smsc.stats().submits).toBe(0);
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect([posts.length, own.smsc.stats().submits]).toEqual([1, 1]);
    expect(await spent()).toEqual([
      ["orange/direct", "11.500"],
      ["orange/partner", "9.000"],
    ]);
  });

  test("goes by the partner, and is under way while that has it: a failed first ends nothing, nor does a restart", async () => {
    own.smsc.change({ receiptDelayMs: 150_000, deliveredPercent: 0 });
    const patient = { response_timeout_seconds: 120 };
    await take(withPartner({ order: 2, cost: "11.5" }, { order: 1, ...silent }, patient));
    await partner.admin("operator pause", { CODE: "orange", reason: "full" });
    const { batch_id } = await send("OTP");
    await sentLongAgo(batch_id);
    await pass(() => posts.length === 1);
    await own.clock.advance(80_000);
    const { message_id } = await message(batch_id);
    const failed = async () => {
      const trace = await own.admin("message trace", { MESSAGE: String(message_id) });
      return JSON.stringify(trace.events).includes("UNDELIV");
    };
    await pass(failed);
    expect(await message(batch_id)).toMatchObject({ status: "SENT", error: null });
    await own.stop();
    await own.start();
    expect(await message(batch_id)).toMatchObject({ status: "SENT", error: null });
    await partner.admin("operator resume", { CODE: "orange" });
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect([posts.length, own.smsc.stats().submits, partner.smsc.stats().submits]).toEqual([1, 1, 1]);
    expect(await spent()).toEqual([
      ["orange/direct", "9.000"],
      ["orange/partner", "11.500"],
    ]);
  });

  test("that the partner never sent lets the first decide", async () => {
    own.smsc.change({ receiptDelayMs: 150_000, deliveredPercent: 0 });
    partner.smsc.change({ refusePercent: 100, refuseStatus: 0x0b });
    await take(withPartner({ order: 2 }, { order: 1, ...silent }));
    const { batch_id } = await send("OTP");
    await sentLongAgo(batch_id);
    await pass(() => partner.smsc.stats().submits === 1);
    await own.clock.advance(15_000);
    expect(await message(batch_id)).toMatchObject({ status: "SENT", error: null });
    expect(await until(batch_id)).toMatchObject({ counts: { failed: 1 }, charged_amount: 15 });
    expect([posts.length, own.smsc.stats().submits]).toEqual([1, 1]);
  });

  test("that could not be posted is due still, and leaves once the partner can be reached", async () => {
    own.smsc.change({ lostReceiptPercent: 100 });
    await take(withPartner({ order: 2 }, { order: 1, ...silent }));
    let refused = 1;
    wire = async (path, ask) => {
      if (!path.endsWith("/batches") || refused-- <= 0) return ask();
      throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    };
    const { batch_id } = await send("OTP");
    await sentLongAgo(batch_id);
    expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
    expect(new Set(posts.map(({ key }) => key)).size).toBe(1);
    expect([posts.length, own.smsc.stats().submits, partner.smsc.stats().submits]).toEqual([2, 1, 1]);
  });

  test("is not asked of a partner that has the message by another route already", async () => {
    partner.smsc.change({ lostReceiptPercent: 100 });
    const { operators, ...rest } = withPartner(silent, null);
    const orange = operators.orange as OperatorConfig;
    const [link] = orange.connections as [ConnectionConfig];
    const other = { ...(orange.routes.partner as OperatorConfig["routes"][string]), order: 2 };
    const connections = [link, { ...link, route: "other" }];
    const routes = { ...orange.routes, other };
    await take({ ...rest, operators: { orange: { ...orange, routes, connections } } });
    const { batch_id } = await send("OTP");
    await pass(async () => (await message(batch_id)).status === "SENT");
    await own.clock.advance(120_000);
    expect(posts).toHaveLength(1);
  });
});

describe("the feed", () => {
  test("that says everything again changes nothing", async () => {
    await take(withPartner({ cost: "1" }));
    const { batch_id } = await send("TRANSACTIONAL", "Text", 5);
    await until(batch_id);
    const moved = async () => [{ ...(await client.balance()), as_of: null }, await client.messages(batch_id)];
    const before = await moved();
    let again = 0;
    readdress = (path) => {
      if (!path.includes("/messages?")) return path;
      again += 1;
      return path.replace(/status_changed_since=[^&]*/, "status_changed_since=2026-03-01T00%3A00%3A00Z");
    };
    await own.stop();
    await own.start();
    await pass(() => again > 3);
    expect(await moved()).toEqual(before);
    expect(await costs()).toMatchObject([{ segments: 5 }]);
    expect(posts).toHaveLength(5);
  });
});

describe("two appliances that are each other's route", () => {
  test("end at the fourth hop", async () => {
    const asked = (hops: string) =>
      fetch(`${partner.url()}/public/v1/batches`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-api-key": account.apiKey,
          "idempotency-key": `hops-${hops}`,
          "bendre-hops": hops,
        },
        body: JSON.stringify({
          sender: "ACME",
          body: `hops ${hops}`,
          message_class: "OTP",
          recipients: [{ msisdn: "70600000" }],
        }),
      });
    expect((await asked("3")).status).toBe(202);
    const fourth = await asked("4");
    expect(fourth.status).toBe(422);
    expect(await fourth.json()).toMatchObject({ code: "TOO_MANY_HOPS", is_retryable: false });
  });

  test("say by how many a message came", async () => {
    await take(withPartner());
    const submitted = await fetch(`${own.url()}/public/v1/batches`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": client.apiKey,
        "idempotency-key": "passed-on",
        "bendre-hops": "2",
      },
      body: JSON.stringify({
        sender: "ACME",
        body: "passed on",
        message_class: "OTP",
        recipients: [{ msisdn: String(next++) }],
      }),
    });
    expect(submitted.status).toBe(202);
    await pass(() => posts.length === 1);
    expect(posts[0]?.hops).toBe("3");
  });
});

test("what was posted under the operator's earlier code is followed to its end", async () => {
  const config = withPartner();
  await take(config);
  await partner.admin("operator pause", { CODE: "orange", reason: "tariff" });
  const { batch_id } = await send("TRANSACTIONAL");
  await pass(() => posts.length === 1);
  await own.clock.advance(1000);
  own.write({ ...config, operators: { onatel: config.operators.orange as OperatorConfig } });
  await own.admin("config reload");
  await own.admin("operator rename", { OLD: "orange", NEW: "onatel" });
  await partner.admin("operator resume", { CODE: "orange" });
  expect(await until(batch_id)).toMatchObject({ counts: { delivered: 1 }, charged_amount: 15 });
  expect(posts).toHaveLength(1);
});

test("a test of the route is followed to its end", async () => {
  await take(withPartner({ cost: "1" }));
  const tested = own.admin("operator test", {
    CODE: "orange/partner",
    MSISDN: "+22670123456",
    wait: "60",
    sender: "ACME",
  });
  let result: Record<string, unknown> | null = null;
  void tested.then((found) => {
    result = found;
  });
  await pass(() => result !== null);
  expect(result).toMatchObject({ operator: "orange", status: "DELIVERED" });
  expect(posts).toHaveLength(1);
});
