/** Several routes to one operator, over sockets: two simulated operators, one of them the aggregator. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { countBinds, countSubmits, type TwoRoutes, twoRoutes } from "./two-routes.ts";

let two: TwoRoutes;
let whole: TwoRoutes["whole"];
let direct: TwoRoutes["direct"];
let agg: TwoRoutes["agg"];
let client: TwoRoutes["client"];
beforeEach(async () => {
  two = await twoRoutes();
  ({ whole, direct, agg, client } = two);
});
afterEach(() => two.close());

const withRoutes: TwoRoutes["withRoutes"] = (...of) => two.withRoutes(...of);
const take: TwoRoutes["take"] = (config) => two.take(config);
const pass: TwoRoutes["pass"] = (isWanted) => two.pass(isWanted);
let next = 70_400_000;
const send = (message_class: string, count = 1, body = "Text") =>
  client.submit({
    message_class,
    body,
    recipients: Array.from({ length: count }, () => ({ msisdn: String(next++) })),
  });
const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";
type RouteRow = { readonly route: string; readonly is_able: boolean; readonly why: string | null };
const routes = async () => (await whole.admin("operator status")).routes as readonly RouteRow[];
const queue = async () => (await whole.admin("queue show")).queues as readonly Record<string, unknown>[];

describe("the better route", () => {
  test("carries everything while it is able", async () => {
    await take(withRoutes());
    const { batch_id } = await send("TRANSACTIONAL", 20);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 20 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([20, 0]);
    expect(await routes()).toMatchObject([
      { route: "direct", is_able: true, why: null, segments_last_hour: 20 },
      { route: "agg", is_able: true, why: null, segments_last_hour: 0 },
    ]);
  });

  test("that is gone is taken over from after the seconds of the class, and carries again with the next message", async () => {
    await take(withRoutes());
    direct.change({ refuseBinds: 1000 });
    direct.dropLinks();
    await pass(async () => (await routes())[0]?.why === "down");
    const goneMs = whole.clock.nowMs();
    await whole.clock.advance(1000);
    const otp = await send("OTP");
    const news = await send("TRANSACTIONAL");
    await whole.clock.advance(500);
    expect(countSubmits(agg)).toBe(0);
    expect(await queue()).toMatchObject([
      {
        message_class: "OTP",
        held: { route_wait: 1 },
        routes: [{ state: "away", why: "down" }, { state: "able" }],
      },
      { message_class: "TRANSACTIONAL", held: { route_wait: 1 } },
    ]);
    await pass(() => countSubmits(agg) === 1);
    expect(whole.clock.nowMs() - goneMs).toBeGreaterThanOrEqual(2000);
    expect(whole.clock.nowMs() - goneMs).toBeLessThan(2500);
    await client.until(otp.batch_id, isOver);
    expect(countSubmits(agg)).toBe(1);
    await client.until(news.batch_id, isOver);
    expect(whole.clock.nowMs() - goneMs).toBeGreaterThanOrEqual(30_000);
    expect(countSubmits(agg)).toBe(2);
    direct.change({ refuseBinds: 0 });
    await pass(async () => (await routes())[0]?.is_able);
    await client.until((await send("OTP")).batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 2]);
  });

  test("that accepts nothing is left as one that is gone, and claims nothing of the class meanwhile", async () => {
    await take(withRoutes());
    direct.change({ responseDelayMs: 60_000 });
    await send("OTP");
    await whole.clock.advance(100);
    expect(countSubmits(direct)).toBe(1);
    await whole.clock.advance(1000);
    await send("OTP");
    await whole.clock.advance(100);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 0]);
    await whole.clock.advance(1000);
    expect(await routes()).toMatchObject([{ is_able: false, why: "silent" }, { is_able: true }]);
    const { batch_id } = await send("OTP", 3);
    await client.until(batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 3]);
  });

  test("that is slow and still accepts is not left", async () => {
    await take(
      withRoutes({ order: 1 }, { order: 2, yield_seconds: { OTP: 1, TRANSACTIONAL: 1 } }, { window: 2 }),
    );
    direct.change({ responseDelayMs: 900 });
    const { batch_id } = await send("TRANSACTIONAL", 12);
    await client.until(batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([12, 0]);
  });

  test("that is paused is taken over from at once", async () => {
    await take(withRoutes());
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    const { batch_id } = await send("MARKETING", 4);
    await client.until(batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([0, 4]);
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    await send("MARKETING", 2);
    await whole.clock.advance(1000);
    expect(await queue()).toMatchObject([{ held: { routes_paused: 2 } }]);
    await whole.admin("operator resume", { CODE: "orange/direct" });
    await pass(() => countSubmits(direct) === 2);
    expect(countSubmits(agg)).toBe(4);
  });

  test("has been away since the process began, not since before", async () => {
    whole.write(withRoutes());
    direct.change({ refuseBinds: 1000 });
    await take(withRoutes());
    direct.dropLinks();
    await whole.clock.advance(60_000);
    await whole.stop();
    await whole.start();
    await send("OTP");
    await whole.clock.advance(1500);
    expect(countSubmits(agg)).toBe(0);
    await pass(() => countSubmits(agg) === 1);
  });
});

describe("a route", () => {
  test("that does not carry a class gets none of it", async () => {
    await take(withRoutes({ order: 1, classes: ["OTP"] }, { order: 2 }));
    const { batch_id } = await send("TRANSACTIONAL", 3);
    await client.until(batch_id, isOver);
    await client.until((await send("OTP")).batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 3]);
  });

  test("gets exactly its share of what its order carries", async () => {
    await take(withRoutes({ order: 1, share: 70 }, { order: 1, share: 30 }));
    const { batch_id } = await send("TRANSACTIONAL", 200);
    await client.until(batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([140, 60]);
  });

  test("ahead of its share waits for a sibling that is able, and carries all where none is", async () => {
    await take(withRoutes({ order: 1, share: 50 }, { order: 1, share: 50 }));
    agg.change({ refuseBinds: 1000 });
    agg.dropLinks();
    await whole.clock.advance(100);
    const { batch_id } = await send("TRANSACTIONAL", 10);
    await client.until(batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([10, 0]);
  });

  test("that only changes keeps its connections bound", async () => {
    await take(withRoutes());
    const before = [countBinds(direct), countBinds(agg)];
    await take(withRoutes({ order: 2 }, { order: 1 }));
    const { batch_id } = await send("TRANSACTIONAL", 2);
    await client.until(batch_id, isOver);
    expect([countBinds(direct), countBinds(agg)]).toEqual(before);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([0, 2]);
  });

  test("that brings no receipts is tested without waiting for one", async () => {
    await take(withRoutes({ order: 1 }, { order: 2, receipts: false }));
    agg.change({ lostReceiptPercent: 100 });
    const tested = whole.admin("operator test", { CODE: "orange/agg", MSISDN: "+22670123456", wait: "60" });
    await pass(() => countSubmits(agg) === 1);
    const early = await Promise.race([tested, whole.clock.advance(5000).then(() => null)]);
    expect(early).toMatchObject({ operator: "orange", status: "SENT" });
  });

  test("is tested by its code", async () => {
    await take(withRoutes());
    const tested = whole.admin("operator test", { CODE: "orange/agg", MSISDN: "+22670123456", wait: "60" });
    await pass(() => countSubmits(agg) === 1);
    await whole.clock.advance(5000);
    expect(await tested).toMatchObject({ operator: "orange" });
    expect(countSubmits(direct)).toBe(0);
    expect(
      await whole.refusal("operator test", { CODE: "orange/none", MSISDN: "+22670123456" }),
    ).toMatchObject({
      code: "ROUTE_UNKNOWN",
    });
  });
});

describe("a sender", () => {
  const change = (verb: string, operator: string, NAME = "ACME") =>
    whole.admin(`sender ${verb}`, { ACCOUNT: client.accountId, NAME, operator });
  /** Registers the sender for one route alone. */
  const only = async (route: string): Promise<void> => {
    await change("unregister", "orange");
    await change("register", `orange/${route}`);
  };
  const addSender = async (NAME: string, operator: string): Promise<void> => {
    await whole.admin("sender request", { ACCOUNT: client.accountId, NAME });
    await whole.admin("sender approve", { ACCOUNT: client.accountId, NAME });
    await change("register", operator, NAME);
  };
  const sendAs = (sender: string, message_class = "TRANSACTIONAL", count = 1) =>
    client.submit({
      sender,
      message_class,
      recipients: Array.from({ length: count }, () => ({ msisdn: String(next++) })),
    });
  const isFailed = ({ counts }: { readonly counts: Readonly<Record<string, number>> }) => counts.failed === 1;

  test("goes by the routes that it is registered for, the better one able or not", async () => {
    await take(withRoutes());
    await only("agg");
    const { batch_id } = await send("TRANSACTIONAL", 30);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 30 });
    await client.until((await send("OTP")).batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([0, 31]);
  });

  test("registered with the operator goes by all, and of one registered for a route clients see the operator", async () => {
    await take(withRoutes());
    await client.until((await send("OTP")).batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 0]);
    await only("agg");
    const answer = await fetch(`${whole.url()}/public/v1/sender-ids`, {
      headers: { "x-api-key": client.apiKey },
    });
    const shown = await answer.text();
    expect(JSON.parse(shown).data.sender_ids).toMatchObject([
      { sender: "ACME", is_sendable: true, operators: ["orange"] },
    ]);
    expect(shown).not.toMatch(/agg|registrations/);
    expect((await whole.admin("sender list", { ACCOUNT: client.accountId })).senders).toMatchObject([
      { operators: ["orange"], registrations: ["orange/agg"] },
    ]);
  });

  test("of a route is one of the sandbox, which knows no routes", async () => {
    await take(withRoutes());
    await only("agg");
    const tried = await whole.inSandbox(client);
    const { batch_id } = await tried.submit({ recipients: [{ msisdn: "70123456" }] });
    expect((await tried.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([0, 0]);
  });

  test("registered for no configured route that carries the class ends its messages", async () => {
    await take(withRoutes({ order: 1, classes: ["OTP"] }, { order: 2 }));
    await only("direct");
    await client.until((await send("OTP")).batch_id, isOver);
    const { batch_id } = await send("TRANSACTIONAL");
    await client.until(batch_id, isFailed);
    const [message] = await client.messages(batch_id);
    expect(message).toMatchObject({ status: "FAILED", error: { code: "SENDER_NOT_REGISTERED" } });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 0]);
  });

  test("whose route is not able waits and blocks nobody, in the trace and in the queue", async () => {
    const { delivery } = two.atStart;
    const validity_minutes = { ...delivery.validity_minutes, TRANSACTIONAL: 1 };
    await take({ ...withRoutes(), delivery: { ...delivery, validity_minutes } });
    await addSender("AGG", "orange/agg");
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    const held = await sendAs("AGG", "TRANSACTIONAL", 110);
    await whole.clock.advance(1000);
    const passing = await sendAs("ACME", "TRANSACTIONAL", 20);
    expect((await client.until(passing.batch_id, isOver)).counts).toMatchObject({ delivered: 20 });
    expect(await queue()).toMatchObject([
      { message_class: "TRANSACTIONAL", messages: 0, held: { no_route_for_sender: 110 } },
    ]);
    const [message] = await client.messages(held.batch_id);
    const trace = await whole.admin("message trace", { MESSAGE: String(message?.message_id) });
    expect(trace).toMatchObject({ status: "QUEUED", route_hold: "no_route_for_sender" });
    await whole.clock.advance(125_000);
    expect((await client.until(held.batch_id, isOver)).counts).toMatchObject({ failed: 110 });
    const [ended] = await client.messages(held.batch_id);
    expect(ended).toMatchObject({ status: "FAILED", error: { code: "EXPIRED_IN_QUEUE" } });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([20, 0]);
  });

  test("that is registered for another route while its messages wait goes by that", async () => {
    await take(withRoutes());
    await only("agg");
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    const { batch_id } = await send("TRANSACTIONAL", 120);
    await whole.clock.advance(1000);
    expect(countSubmits(direct)).toBe(0);
    await change("register", "orange/direct");
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 120 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([120, 0]);
  });

  test("that loses a route while its messages wait does not go by it any more", async () => {
    await take(withRoutes());
    await only("agg");
    await change("register", "orange/direct");
    await whole.admin("operator pause", { CODE: "orange", reason: "tariff" });
    const { batch_id } = await send("TRANSACTIONAL", 120);
    await whole.clock.advance(1000);
    await change("unregister", "orange/direct");
    await whole.admin("operator resume", { CODE: "orange" });
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 120 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([0, 120]);
  });

  test("follows routes that come and go with the configuration", async () => {
    await take(withRoutes());
    await only("agg");
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    const kept = await send("TRANSACTIONAL", 5);
    await whole.clock.advance(1000);
    // Without routes there is none that it is registered for.
    whole.write(two.atStart);
    await whole.admin("config reload");
    expect((await client.until(kept.batch_id, isOver)).counts).toMatchObject({ failed: 5 });
    await change("register", "orange");
    await client.until((await send("TRANSACTIONAL")).batch_id, isOver);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 0]);
  });

  test("that was refused is not handed to a route that does not have it", async () => {
    await take(withRoutes({ order: 1, reroute_on: ["0x45"] }));
    await only("direct");
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("TRANSACTIONAL");
    await client.until(batch_id, isOver);
    const [message] = await client.messages(batch_id);
    expect(message).toMatchObject({ status: "FAILED", error: { operator_code: "0x45" } });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 0]);
  });

  test("of all routes loses one only once it is registered for each of the others", async () => {
    await take(withRoutes());
    const asked = { ACCOUNT: client.accountId, NAME: "ACME", operator: "orange/agg" };
    expect(await whole.refusal("sender unregister", asked)).toMatchObject({
      code: "SENDER_ON_ALL_ROUTES",
      detail: { params: { missing: "orange/direct" } },
    });
    await change("register", "orange/direct");
    expect(await change("unregister", "orange/agg")).toMatchObject({
      operators: ["orange"],
      registrations: ["orange/direct"],
    });
    await change("register", "orange/agg");
    expect(await change("unregister", "orange")).toMatchObject({ operators: [], is_sendable: false });
    const unknown = { ...asked, operator: "orange/none" };
    expect(await whole.refusal("sender register", unknown)).toMatchObject({ code: "ROUTE_UNKNOWN" });
  });
});

describe("a route with another name", () => {
  /** The configuration with one route named anew. */
  const renamed = (config: Config, from: string, to: string): Config => {
    const found = config.operators.orange;
    if (!found) throw new Error("the stage has an operator");
    const routes = Object.fromEntries(
      Object.entries(found.routes).map(([name, route]) => [name === from ? to : name, route]),
    );
    const connections = found.connections.map((one) => (one.route === from ? { ...one, route: to } : one));
    return { ...config, operators: { orange: { ...found, routes, connections } } };
  };
  const rename = (OLD: string, NEW: string) => whole.admin("operator rename", { OLD, NEW });
  const connection = (verb: "pause" | "resume", CONNECTION: string) =>
    whole.admin(`operator ${verb}`, {
      CODE: "orange",
      CONNECTION,
      ...(verb === "pause" && { reason: "test" }),
    });
  const refusalOf = async (OLD: string, NEW: string) =>
    (await whole.refusal("operator rename", { OLD, NEW })).code;

  test("has the registrations, pauses, costs and marks of its old one", async () => {
    const before = withRoutes({ order: 1, reroute_on: ["0x45"], cost: "9" });
    await take(before);
    const NAMED = { ACCOUNT: client.accountId, NAME: "ACME" };
    await client.until((await send("TRANSACTIONAL", 3)).batch_id, isOver);
    await whole.admin("sender register", { ...NAMED, operator: "orange/direct" });
    await whole.admin("sender register", { ...NAMED, operator: "orange/agg" });
    expect(await refusalOf("orange/direct", "orange/agg")).toBe("OPERATOR_CONFIGURED");
    await connection("pause", "2");
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("TRANSACTIONAL", 2);
    await pass(() => countSubmits(direct) === 5);
    await whole.clock.advance(1000);
    direct.change({ refusePercent: 0 });
    await connection("pause", "1");
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    whole.write(renamed(before, "direct", "main"));
    await whole.admin("config reload");
    expect(await refusalOf("orange/direct", "orange/none")).toBe("ROUTE_UNKNOWN");
    expect(await refusalOf("orange/direct", "orange")).toBe("ROUTE_UNKNOWN");
    expect(await refusalOf("orange/nothing", "orange/main")).toBe("ROUTE_UNKNOWN");
    expect(await rename("orange/direct", "orange/main")).toEqual({
      from: "orange/direct",
      to: "orange/main",
      registrations: 1,
      pauses: 1,
      cost_rows: 1,
      messages: 0,
      prices: 0,
      prices_kept: [],
    });
    expect((await whole.admin("sender list", { ACCOUNT: client.accountId })).senders).toMatchObject([
      { registrations: ["orange", "orange/agg", "orange/main"] },
    ]);
    const margin = await whole.admin("report margin", { by: "route" });
    expect(margin.rows).toMatchObject([{ key: "orange/main", segments: 3 }]);
    // Marked for the route still: it waits for the other.
    await whole.admin("operator resume", { CODE: "orange/main" });
    await connection("resume", "1");
    await whole.clock.advance(2000);
    expect(countSubmits(direct)).toBe(5);
    await connection("resume", "2");
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 2 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([5, 2]);
    expect((await whole.refusal("operator retire", { CODE: "orange/direct" })).code).toBe("OPERATOR_UNKNOWN");
  });
});

describe("a text that a route accepted in part", () => {
  const LONG = "One of three parts. ".repeat(20);

  test("is completed by that route alone, and waits while it is away", async () => {
    await take(withRoutes({ order: 1 }, { order: 2 }, { window: 1 }));
    // The first part is accepted, the second is what the session is dropped at.
    direct.change({ dropAfter: 2, dropTimes: 1 });
    const { batch_id } = await send("OTP", 1, LONG);
    await pass(() => countSubmits(direct) === 2);
    direct.change({ refuseBinds: 1000 });
    await whole.clock.advance(40_000);
    expect(countSubmits(agg)).toBe(0);
    direct.change({ refuseBinds: 0 });
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect(countSubmits(agg)).toBe(0);
  });
});

describe("a text that two routes accepted, since the first did not answer in time", () => {
  const LONG = "One of three parts. ".repeat(20);
  const costs = { order: 1, cost: "9" };
  /** The first route accepts late and never delivers, the second delivers much later. */
  const sendTwice = async (message_class = "OTP") => {
    await take(withRoutes(costs, { order: 2, cost: "11.5" }, { response_timeout_seconds: 5 }));
    direct.change({ responseDelayMs: 9000, deliveredPercent: 0 });
    agg.change({ receiptDelayMs: 60_000 });
    const { batch_id } = await send(message_class, 1, LONG);
    await pass(() => countSubmits(agg) === 3);
    return batch_id;
  };
  const messageOf = async (batchId: string) => (await client.messages(batchId))[0]!;
  const tellsOf = async (batchId: string) => {
    const trace = await whole.admin("message trace", {
      MESSAGE: String((await messageOf(batchId)).message_id),
    });
    return trace.events as readonly {
      readonly event: { code: string };
      readonly route: string | null;
      readonly pdu: { readonly stat?: string } | null;
    }[];
  };

  // Keeps: behaviour 6.128, 6.129, 6.130
  test("is one message: delivered by the second although the first failed, charged once, and costs twice", async () => {
    const before = await client.balance();
    const batchId = await sendTwice();
    const receiptsOf = async (stat: string) =>
      (await tellsOf(batchId)).filter(({ pdu }) => pdu?.stat === stat).length;
    await pass(async () => (await receiptsOf("UNDELIV")) === 3);
    expect(await messageOf(batchId)).toMatchObject({ status: "SENT", is_final: false, amount: 45 });
    const done = await client.until(batchId, isOver);
    expect(done).toMatchObject({ counts: { delivered: 1, failed: 0 }, charged_amount: 45 });
    expect((await client.balance()).balance).toBe(before.balance - 45);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([3, 3]);
    const margin = (await whole.admin("report margin", { by: "route" })) as {
      rows: { key: string; cost: string }[];
    };
    expect(margin.rows.map(({ key, cost }) => [key, cost])).toEqual([
      ["orange/agg", "34.500"],
      ["orange/direct", "27.000"],
    ]);
  });

  // Keeps: behaviour 6.130
  test("stands among the unanswered as sent twice, and both routes in its trace", async () => {
    const batchId = await sendTwice();
    await client.until(batchId, isOver);
    const { message_id } = await messageOf(batchId);
    expect(await whole.admin("operator unanswered")).toMatchObject({
      messages: [],
      sent_twice: [{ message_id, operator: "orange", message_class: "OTP", status: "DELIVERED" }],
    });
    const events = await tellsOf(batchId);
    const submits = events.filter(({ event }) => event.code === "message.event.submit_sm");
    expect(new Set(submits.map(({ route }) => route))).toEqual(new Set(["direct", "agg"]));
    expect(events.map(({ event }) => event.code)).toContain("message.event.rerouted");
    expect(JSON.stringify([await client.batch(batchId), await messageOf(batchId)])).not.toMatch(
      /direct|agg|route/,
    );
  });

  // Keeps: behaviour 6.129
  test("fails once it failed by both, and what comes after its end is noted", async () => {
    agg.change({ deliveredPercent: 0 });
    const batchId = await sendTwice();
    await client.until(batchId, isOver);
    expect(await messageOf(batchId)).toMatchObject({ status: "FAILED", amount: 45 });
    expect((await client.batch(batchId)).counts).toMatchObject({ delivered: 0, failed: 1 });
    await whole.clock.advance(60_000);
    const codes = (await tellsOf(batchId)).map(({ event }) => event.code);
    expect(codes).toContain("message.event.receipt_after_end");
  });

  test("does not leave twice where its class waits for the answer", async () => {
    await take(withRoutes(costs, { order: 2, cost: "11.5" }, { response_timeout_seconds: 5 }));
    direct.change({ responseDelayMs: 9000 });
    const { batch_id } = await send("MARKETING", 1, LONG);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([3, 0]);
    expect(await whole.admin("operator unanswered")).toMatchObject({ messages: [], sent_twice: [] });
  });
});

describe("a refusal", () => {
  const refusing = { order: 1, reroute_on: ["0x45"] };
  const money = () => client.balance();

  test("that speaks of the route is tried by the next, at one price", async () => {
    await take(withRoutes(refusing));
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const before = await money();
    const { batch_id } = await send("TRANSACTIONAL", 5);
    const done = await client.until(batch_id, isOver);
    expect(done).toMatchObject({ counts: { delivered: 5 }, charged_amount: 75, released_amount: 0 });
    expect((await money()).balance).toBe(before.balance - 75);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([5, 5]);
  });

  test("that comes late, of a message that waits to be sent again, leaves it to the next", async () => {
    await take(withRoutes(refusing, { order: 2 }, { response_timeout_seconds: 5 }));
    direct.change({ refusePercent: 100, refuseStatus: 0x45, responseDelayMs: 8000 });
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.admin("operator pause", { CODE: "orange", reason: "tariff" });
    await whole.clock.advance(12_000);
    direct.change({ responseDelayMs: 0 });
    await whole.admin("operator resume", { CODE: "orange" });
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1, failed: 0 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 1]);
  });

  test("of another kind ends the message at once", async () => {
    await take(withRoutes(refusing));
    direct.change({ refusePercent: 100, refuseStatus: 0x0b });
    const { batch_id } = await send("TRANSACTIONAL", 2);
    expect(await client.until(batch_id, isOver)).toMatchObject({ counts: { failed: 2 }, charged_amount: 0 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 0]);
  });

  test("by every route that carries the class ends it with the first", async () => {
    await take(
      withRoutes({ order: 1, reroute_on: ["0x45", "0x0A"] }, { order: 2, reroute_on: ["0x45", "0x0A"] }),
    );
    direct.change({ refusePercent: 100, refuseStatus: 0x0a });
    agg.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("TRANSACTIONAL");
    await client.until(batch_id, isOver);
    const [message] = await client.messages(batch_id);
    expect(message).toMatchObject({
      status: "FAILED",
      error: { code: "SENDER_NOT_REGISTERED", operator_code: "0x0A" },
    });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
  });

  test("leaves a text that was accepted in part as it is", async () => {
    await take(withRoutes(refusing, { order: 2 }, { window: 1 }));
    // The second part leaves once the first is answered.
    direct.change({ responseDelayMs: 500, refuseStatus: 0x45 });
    const { batch_id } = await send("OTP", 1, "One of three parts. ".repeat(20));
    await pass(() => countSubmits(direct) > 0);
    direct.change({ refusePercent: 100 });
    const done = await client.until(batch_id, isOver);
    expect(done.counts).toMatchObject({ failed: 1 });
    expect(done.charged_amount % 15).toBe(0);
    expect(done.charged_amount).toBeGreaterThan(0);
    expect(countSubmits(agg)).toBe(0);
  });

  test("is shown in the timeline, and no client reads a route", async () => {
    await take(withRoutes(refusing));
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("OTP");
    await client.until(batch_id, isOver);
    const [message] = await client.messages(batch_id);
    const trace = await whole.admin("message trace", { MESSAGE: String(message?.message_id) });
    const events = trace.events as readonly {
      readonly event: { code: string };
      readonly route: string | null;
    }[];
    const routesOfSubmits = events
      .filter(({ event }) => event.code === "message.event.submit_sm")
      .map(({ route }) => route);
    expect(routesOfSubmits.sort()).toEqual(["agg", "direct"]);
    expect(events.map(({ event }) => event.code)).toContain("message.event.rerouted");
    const seen = JSON.stringify([await client.batch(batch_id), await client.messages(batch_id)]);
    expect(seen).not.toMatch(/direct|agg|route/);
  });
});

describe("later", () => {
  const patient = { order: 1, reroute_later: { TRANSACTIONAL: 2 } };

  test("as often as the route may say it leads to the next", async () => {
    await take(withRoutes(patient));
    direct.change({ refusePercent: 100, refuseStatus: 0x14 });
    const { batch_id } = await send("TRANSACTIONAL");
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 1]);
  });

  test("counts of each route by itself", async () => {
    await take(withRoutes(patient, { order: 2, reroute_later: { TRANSACTIONAL: 4 } }));
    for (const smsc of [direct, agg]) smsc.change({ refusePercent: 100, refuseStatus: 0x14 });
    const { batch_id } = await send("TRANSACTIONAL");
    await pass(() => countSubmits(direct) + countSubmits(agg) === 5);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 3]);
    agg.change({ refusePercent: 0 });
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
  });

  test("does not count while no other route is able", async () => {
    await take(withRoutes(patient));
    agg.change({ refuseBinds: 1000 });
    agg.dropLinks();
    await pass(async () => (await routes())[1]?.why === "down");
    direct.change({ refusePercent: 100, refuseStatus: 0x14 });
    const { batch_id } = await send("TRANSACTIONAL");
    await pass(() => countSubmits(direct) === 4);
    direct.change({ refusePercent: 0 });
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect(countSubmits(agg)).toBe(0);
  });
});

describe("messages that were re-routed", () => {
  test("wait for the next route, also after a restart, and others pass them", async () => {
    await take(withRoutes({ order: 1, reroute_on: ["0x45"] }));
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const first = await send("TRANSACTIONAL", 3);
    await pass(() => countSubmits(direct) === 3);
    await whole.clock.advance(5000);
    direct.change({ refusePercent: 0 });
    const second = await send("TRANSACTIONAL", 2);
    expect((await client.until(second.batch_id, isOver)).counts).toMatchObject({ delivered: 2 });
    expect((await client.batch(first.batch_id)).counts).toMatchObject({ delivered: 0, failed: 0 });
    await whole.stop();
    await whole.start();
    await whole.clock.advance(5000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([5, 0]);
    await whole.admin("operator resume", { CODE: "orange" });
    expect((await client.until(first.batch_id, isOver)).counts).toMatchObject({ delivered: 3 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([5, 3]);
  });

  test("may be taken by any route once every one that is left is marked, and by all without routes", async () => {
    await take(withRoutes({ order: 1, reroute_on: ["0x45"] }));
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("TRANSACTIONAL", 2);
    await pass(() => countSubmits(direct) === 2);
    await whole.clock.advance(1000);
    direct.change({ refusePercent: 0 });
    whole.write(two.atStart);
    await whole.admin("config reload");
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 2 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([4, 0]);
  });
});
