/** Ill routes and classes that no route carries, through the appliance whole, with two simulated operators. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TestSmsc } from "../kit/smsc.ts";
import { type Changes, type TwoRoutes, twoRoutes } from "./two-routes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let two: TwoRoutes;
let whole: TwoRoutes["whole"];
let agg: TwoRoutes["agg"];
let client: TwoRoutes["client"];
beforeEach(async () => {
  two = await twoRoutes();
  ({ whole, agg, client } = two);
});
afterEach(() => two.close());

/** Each route would be ill by ten receipts. */
const take = (direct: Changes = {}, other: Changes = {}): Promise<void> => {
  const ill_below = { points: 30, messages: 10 };
  return two.take(two.withRoutes({ order: 1, ill_below, ...direct }, { order: 2, ill_below, ...other }));
};
const pass: TwoRoutes["pass"] = (isWanted) => two.pass(isWanted);
const minutes = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count * MINUTE_MS; passed += 1000) await whole.clock.advance(1000);
};
let next = 100;
const numbers = (count: number) =>
  Array.from({ length: count }, () => ({ msisdn: `22670${String(next++).padStart(6, "0")}` }));
/** Ten numbers whose messages come to nothing. */
const UNDELIVERABLE = Array.from({ length: 10 }, (_, place) => ({ msisdn: `22670${place}99001` }));
const send = async (recipients: readonly object[], message_class = "OTP"): Promise<void> => {
  const { batch_id } = await client.submit({ recipients, message_class });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
};
/** An hour in which a route delivers what is usual of it. */
const usualHour = async (messages = 200): Promise<void> => {
  await send(numbers(messages), "MARKETING");
  whole.clock.sleep(HOUR_MS);
  await whole.clock.advance(1000);
};
const direct = () => whole.smsc;
const submitsTo = (smsc: TestSmsc) => smsc.stats().submits;
type Row = Readonly<Record<string, unknown>>;
const routes = async () => (await whole.admin("operator status")).routes as readonly Row[];
const queue = async () => (await whole.admin("queue show")).queues as readonly Row[];
const ringing = async () => {
  const { alerts } = (await whole.admin("alert list")) as { alerts: { rule: string; state: string }[] };
  return alerts.filter(({ state }) => state === "firing").map(({ rule }) => rule);
};
const health = async () => {
  const { checks } = JSON.parse((await whole.page("/health")).body).data as { checks: Row[] };
  return checks.find(({ name }) => name === "operators");
};

describe("a route that delivers much less than usual", () => {
  test("is ill for fifteen minutes, which everybody sees, and then carries again", async () => {
    await take();
    await usualHour();
    await send(UNDELIVERABLE);
    expect(submitsTo(direct())).toBe(210);
    expect(await routes()).toMatchObject([
      {
        route: "direct",
        is_able: false,
        why: "ill",
        ill: { why: "deliveries", share: 0, usual: 100, messages: 10 },
      },
      { route: "agg", is_able: true, ill: null },
    ]);
    await send(numbers(1), "TRANSACTIONAL");
    expect(submitsTo(agg)).toBe(0);
    await whole.clock.advance(2000);
    await send(numbers(5));
    expect([submitsTo(direct()), submitsTo(agg)]).toEqual([211, 5]);
    await minutes(1);
    expect(await ringing()).toEqual(["route_ill"]);
    expect(await health()).toMatchObject({ status: "degraded" });
    await send(numbers(5), "TRANSACTIONAL");
    expect(submitsTo(agg)).toBe(10);
    await minutes(15);
    expect(await routes()).toMatchObject([{ is_able: true, why: null, ill: null }, { is_able: true }]);
    expect([await ringing(), (await health())?.status]).toEqual([[], "ok"]);
    await send(numbers(1));
    expect([submitsTo(direct()), submitsTo(agg)]).toEqual([212, 10]);
  });

  test("is judged by what was usual before a restart, and by nothing that was told before it", async () => {
    await take();
    await usualHour();
    await send(UNDELIVERABLE.slice(0, 9));
    await whole.stop();
    await whole.start();
    await pass(async () => (await routes()).every(({ is_able }) => is_able));
    await send(UNDELIVERABLE.slice(9));
    expect((await routes())[0]).toMatchObject({ ill: null });
    await send(UNDELIVERABLE.slice(0, 9));
    expect((await routes())[0]).toMatchObject({ ill: { why: "deliveries" } });
    await whole.stop();
    await whole.start();
    await pass(async () => (await routes()).every(({ is_able }) => is_able));
    expect((await routes())[0]).toMatchObject({ why: null, ill: null });
  });

  test("is well where it is not to be judged by that, or where too little is known", async () => {
    await take({ ill_below: { points: 0, messages: 10 } });
    await usualHour();
    await send(UNDELIVERABLE);
    expect((await routes())[0]).toMatchObject({ why: null, ill: null });
    await take({}, { order: 1 });
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    await usualHour(199);
    await send(UNDELIVERABLE);
    expect((await routes())[1]).toMatchObject({ why: null, ill: null });
  });

  test("carries all the same where every route is ill", async () => {
    await take();
    await usualHour();
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    await usualHour();
    await send(UNDELIVERABLE);
    await whole.admin("operator resume", { CODE: "orange/direct" });
    await send(UNDELIVERABLE);
    expect(await routes()).toMatchObject([
      { is_able: true, ill: { why: "deliveries" }, carries: ["OTP", "TRANSACTIONAL", "MARKETING"] },
      { is_able: true, ill: { why: "deliveries" }, carries: [] },
    ]);
    const before = submitsTo(direct());
    await send(numbers(5));
    await whole.clock.advance(5000);
    await send(numbers(5));
    expect([submitsTo(direct()) - before, submitsTo(agg)]).toEqual([10, 210]);
  });
});

describe("a route that comes and goes", () => {
  /** It is lost, and comes back once another has carried in its place. */
  const lose = async (isUsed = true): Promise<void> => {
    direct().change({ refuseBinds: 1000 });
    direct().dropLinks();
    await pass(async () => (await routes())[0]?.why === "down");
    await whole.clock.advance(2000);
    if (isUsed) await send(numbers(2));
    direct().change({ refuseBinds: 0 });
    await pass(async () => (await routes())[0]?.why !== "down");
  };

  test("is ill once others took over from it three times in five minutes", async () => {
    await take();
    await lose();
    await lose();
    expect((await routes())[0]).toMatchObject({ is_able: true, ill: null });
    await lose();
    expect(submitsTo(agg)).toBe(6);
    expect(await routes()).toMatchObject([
      { why: "ill", ill: { why: "take_overs", share: null } },
      { why: null },
    ]);
    await whole.clock.advance(3000);
    await send(numbers(1));
    expect(submitsTo(agg)).toBe(7);
    await minutes(15);
    await send(numbers(1));
    expect([submitsTo(direct()), submitsTo(agg)]).toEqual([1, 7]);
  });

  test("is well where nobody had to carry in its place, or it was long ago", async () => {
    await take();
    await lose();
    await lose(false);
    await lose(false);
    await lose();
    await minutes(5);
    await lose();
    expect((await routes())[0]).toMatchObject({ is_able: true, ill: null });
  });
});

describe("a class that waits while no route that may carry it is able", () => {
  test("rings after a minute, with the reason, and no longer once one is able", async () => {
    await take({}, { classes: ["OTP"] });
    await whole.admin("operator pause", { CODE: "orange/direct", reason: "tariff" });
    await client.submit({ recipients: numbers(1), message_class: "MARKETING" });
    await whole.clock.advance(40_000);
    expect(await ringing()).toEqual([]);
    await minutes(1);
    expect(await ringing()).toEqual(["no_route"]);
    const { alerts } = (await whole.admin("alert list")) as { alerts: Row[] };
    expect(alerts.find(({ rule }) => rule === "no_route")).toMatchObject({ subject: "orange MARKETING" });
    expect(await queue()).toMatchObject([{ held: { routes_paused: 1 } }]);
    await whole.admin("operator resume", { CODE: "orange/direct" });
    await minutes(1);
    expect(await ringing()).toEqual([]);
  });

  test("does not ring while another route yields, for a paused operator, or for a suspended account", async () => {
    await take();
    await whole.admin("operator pause", { CODE: "orange", reason: "tariff" });
    await client.submit({ recipients: numbers(1), message_class: "MARKETING" });
    await minutes(2);
    expect(await ringing()).toEqual([]);
    await whole.admin("operator resume", { CODE: "orange" });
    direct().change({ refuseBinds: 1000 });
    direct().dropLinks();
    await pass(async () => (await routes())[0]?.why === "down");
    await client.submit({ recipients: numbers(1), message_class: "MARKETING" });
    await minutes(2);
    expect(await ringing()).not.toContain("no_route");
    await whole.admin("account suspend", { ACCOUNT: client.accountId, reason: "bill" });
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    await minutes(2);
    expect(await ringing()).not.toContain("no_route");
  });
});
