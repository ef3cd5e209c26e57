/** What is promised of several routes to one operator. */
import { expect, test } from "vitest";
import type { Rule } from "../finding.ts";
import { type Scene, SETTINGS } from "../scene.ts";
import { partsOf } from "../short-text.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { neverTwice } from "./never-twice.ts";
import { oneRoute } from "./one-route.ts";
import { routeCosts } from "./route-costs.ts";
import { routesTried } from "./routes-tried.ts";
import { statedTruth } from "./stated-truth.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;

const { orange, moov } = SETTINGS.operators;
const routed = (agg: object = {}, direct: object = {}) => ({
  ...SETTINGS,
  operators: {
    moov,
    orange: {
      ...orange,
      routes: {
        direct: { order: 1, cost: "9", reroute_on: ["0x0A"], ...direct },
        agg: { order: 2, cost: "11.5", reroute_on: ["0x0A"], ...agg },
      },
      connections: [
        { host: "one.invalid", port: 2775, system_id: "b", route: "direct" },
        { host: "three.invalid", port: 2775, system_id: "b", route: "agg" },
      ],
    },
  },
});

const nowMs = (run: Scene) => run.observations.at(-1)?.atMs ?? 0;
const wall = (atMs: number) => new Date(START_MS + atMs).toISOString();

/** One text, of one part unless told, to an operator with two routes; both their links are bound. */
function scene(document: object = routed(), changes: Readonly<Record<string, unknown>> = {}) {
  const run = oneText({ message_class: "OTP", ...changes });
  run.see({ kind: "settings", document: document as Readonly<Record<string, unknown>> });
  run.wait(10_000);
  const as_of = wall(nowMs(run));
  run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: { as_of } } });
  const [direct, agg] = [linkTo(run, "one", 1), linkTo(run, "three", 2)];
  direct.bind();
  agg.bind();
  return { run, direct, agg };
}

type Whole = ReturnType<typeof scene>;

/** The run rests, and somebody asks what routes cost. */
function margin({ run }: Whole, ...rows: readonly object[]): string {
  atRest(run);
  run.command("report margin", { by: "route" }, { data: { by: "route", rows } });
  return found(run, routeCosts);
}

const row = (route: string, segments: number, cost: string, unknown = 0) => ({
  key: `orange/${route}`,
  segments,
  cost,
  unknown_cost_segments: unknown,
});

test("a segment that a route accepted costs what that route costs, once", () => {
  const accepted = () => {
    const whole = scene();
    whole.agg.answer(whole.agg.submit(), 0, "A1");
    whole.run.wait(10_000);
    return whole;
  };
  expect(margin(accepted(), row("agg", 1, "11.5"))).toBe("");
  expect(margin(accepted(), row("agg", 1, "9"))).toContain("route-costs");
  expect(margin(accepted(), row("direct", 1, "9"))).toContain("route-costs");
  expect(margin(accepted(), row("agg", 2, "23"))).toContain("route-costs");
  expect(margin(accepted(), row("agg", 1, "0", 1))).toContain("route-costs");
  expect(margin(accepted())).toContain("route-costs");
});

test("two acceptances cost twice, by the route of each, also where one came late", () => {
  const twice = () => {
    const whole = scene();
    const late = whole.direct.submit();
    whole.run.wait(25_000);
    whole.agg.answer(whole.agg.submit(), 0, "A1");
    whole.run.wait(2000);
    whole.direct.answer(late, 0, "D1");
    whole.run.wait(10_000);
    return whole;
  };
  expect(margin(twice(), row("direct", 1, "9"), row("agg", 1, "11.5"))).toBe("");
  expect(margin(twice(), row("agg", 1, "11.5"))).toContain("route-costs");
});

test("what nobody answered may have cost something or not, and a refusal costs nothing", () => {
  const refused = () => {
    const whole = scene();
    whole.direct.answer(whole.direct.submit(), 0x0a, "");
    whole.agg.answer(whole.agg.submit(), 0, "A1", "lost");
    whole.run.wait(60_000);
    return whole;
  };
  expect(margin(refused(), row("agg", 1, "11.5"))).toBe("");
  expect(margin(refused())).toBe("");
  expect(margin(refused(), row("direct", 1, "9"))).toContain("route-costs");
});

test("a receipt for what had been refused may be booked for another submit that nobody answered", () => {
  const contradicted = (stat: string | null) => {
    const whole = scene();
    whole.direct.submit();
    whole.run.wait(25_000);
    const second = whole.agg.submit();
    whole.agg.answer(second, 0x14, "");
    whole.agg.answer(second, 0, "A1");
    if (stat !== null) whole.agg.receipt({ id: "A1", stat });
    whole.run.wait(10_000);
    return whole;
  };
  expect(margin(contradicted("DELIVRD"), row("direct", 1, "9"))).toBe("");
  expect(margin(contradicted(null), row("direct", 1, "9"))).toContain("route-costs");
});

test("a cost counts from when it was changed, and may be the one or the other just then", () => {
  const changed = (waitMs: number) => {
    const whole = scene();
    const document = routed({ cost: "7" });
    whole.run.see({ kind: "settings", document });
    whole.run.wait(waitMs);
    whole.agg.answer(whole.agg.submit(), 0, "A1");
    whole.run.wait(10_000);
    return whole;
  };
  expect(margin(changed(60_000), row("agg", 1, "7"))).toBe("");
  expect(margin(changed(60_000), row("agg", 1, "11.5"))).toContain("route-costs");
  expect(margin(changed(100), row("agg", 1, "11.5"))).toBe("");
  expect(margin(changed(100), row("agg", 1, "7"))).toBe("");
});

/** The message was given up after what happened, and nine minutes more. */
function waited(whole: Whole, meanwhile: (whole: Whole) => void = () => {}): string {
  meanwhile(whole);
  const { run } = whole;
  run.wait(9 * MINUTE_MS);
  run.see({ kind: "disk", state: "well" });
  const error = { code: "EXPIRED_IN_QUEUE", operator_code: null };
  const end = { message_class: "OTP", status: "FAILED", error, finalized_at: wall(nowMs(run)) };
  return found(atRest(run, end), routesTried);
}

const refuse = ({ direct }: Whole, status = 0x0a) => direct.answer(direct.submit(), status, "");

test("what a route refused, or put off, does not wait beside another that is bound and idle", () => {
  expect(waited(scene(), refuse)).toContain("routes-tried");
  expect(waited(scene(), (whole) => refuse(whole, 0x14))).toContain("routes-tried");
});

test("a message may wait for a route that is away where each other has refused it, and not where one has only put it off", () => {
  const without = (whole: Whole) => {
    refuse(whole);
    whole.agg.close();
  };
  expect(waited(scene(), without)).toBe("");
  const putOff = (whole: Whole) => {
    refuse(whole, 0x14);
    whole.agg.close();
  };
  expect(waited(scene(), putOff)).toContain("routes-tried");
});

test("where each route that is left has refused it, it leaves by any of them", () => {
  const alone = (whole: Whole) => {
    refuse(whole);
    whole.agg.close();
    const { agg: _, ...routes } = routed().operators.orange.routes;
    const connections = routed().operators.orange.connections.slice(0, 1);
    const orange = { ...routed().operators.orange, routes, connections };
    const document = { ...routed(), operators: { moov, orange } };
    whole.run.see({ kind: "settings", document });
    whole.run.wait(10_000);
  };
  expect(waited(scene(), alone)).toContain("routes-tried");
});

test("a message may wait while its operator is busy or paused, or where its account was suspended", () => {
  const busy = (whole: Whole) => {
    refuse(whole);
    for (let times = 0; times < 12; times++) {
      whole.run.wait(40_000);
      whole.direct.answer(whole.direct.submit({ destination: "22607000009" }), 0, `D${times}`);
    }
  };
  const paused = (whole: Whole) => {
    refuse(whole);
    whole.run.command("operator pause", { CODE: "orange", reason: "x" }, { data: {} });
  };
  const suspended = (whole: Whole) => {
    refuse(whole);
    whole.run.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
  };
  const shortWait = (whole: Whole) => {
    busy(whole);
    whole.direct.close();
    whole.agg.close();
  };
  expect(waited(scene(), shortWait)).toBe("");
  expect(waited(scene(), paused)).toBe("");
  expect(waited(scene(), suspended)).toBe("");
});

const body = "Votre colis est arrive. ".repeat(9);
const parts = partsOf(body).parts.map((part, place) => {
  const head = [5, 0, 3, 7, partsOf(body).parts.length, place + 1];
  return { esmClass: 0x40, octets: Buffer.concat([Buffer.from(head), Buffer.from(part)]) };
});

test("no other route completes a text of which one has accepted a part", () => {
  const rest = (by: "direct" | "agg"): string => {
    const whole = scene(routed(), { body });
    whole.direct.answer(whole.direct.submit(parts[0]), 0, "D1");
    whole.direct.answer(whole.direct.submit(parts[1]), 0x14, "");
    whole.run.wait(2000);
    whole[by].answer(whole[by].submit(parts[1]), 0, "X2");
    return found(atRest(whole.run), oneRoute);
  };
  expect(rest("agg")).toContain("one-route");
  expect(rest("direct")).toBe("");
});

test("a part that a centre first refused and then accepted was refused: the whole text goes by the other route", () => {
  const contradicted = (...statuses: readonly number[]): string => {
    const whole = scene(routed(), { body });
    const first = whole.direct.submit(parts[0]);
    for (const status of statuses) whole.direct.answer(first, status, "D1");
    whole.run.wait(2000);
    for (const part of parts) whole.agg.answer(whole.agg.submit(part), 0, "A1");
    return found(atRest(whole.run), oneRoute);
  };
  expect(contradicted(0x0a, 0)).toBe("");
  expect(contradicted(0, 0x0a)).toContain("one-route");
});

test("a text is delivered when one route delivered all of it, and not when two did, a part each", () => {
  const delivered = (direct: readonly string[], agg: readonly string[]): string => {
    const whole = scene(routed(), { body });
    const late = [0, 1].map((part) => whole.direct.submit(parts[part]));
    whole.run.wait(25_000);
    for (const part of [0, 1]) whole.agg.answer(whole.agg.submit(parts[part]), 0, `A${part}`);
    for (const [part, sequence] of late.entries()) whole.direct.answer(sequence, 0, `D${part}`);
    for (const [part, stat] of direct.entries()) whole.direct.receipt({ id: `D${part}`, stat });
    for (const [part, stat] of agg.entries()) whole.agg.receipt({ id: `A${part}`, stat });
    return found(atRest(whole.run), statedTruth);
  };
  expect(delivered(["DELIVRD", "UNDELIV"], ["UNDELIV", "DELIVRD"])).toContain("by several routes");
  expect(delivered(["UNDELIV", "UNDELIV"], ["DELIVRD", "DELIVRD"])).toBe("");
  expect(delivered(["DELIVRD", "DELIVRD"], ["UNDELIV", "DELIVRD"])).toBe("");
});

test("of two routes that accepted a part each, one goes on with its own text, and none with that of the other", () => {
  const both = (isLate: boolean, rule: Rule): string => {
    const whole = scene(routed(), { body });
    const late = whole.direct.submit(parts[0]);
    whole.direct.answer(whole.direct.submit(parts[1]), 0x14, "");
    whole.run.wait(25_000);
    whole.agg.submit(parts[0]);
    whole.agg.answer(whole.agg.submit(parts[1]), 0, "A1");
    if (isLate) whole.direct.answer(late, 0, "D0");
    whole.run.wait(25_000);
    whole.direct.answer(whole.direct.submit(parts[1]), 0, "D1");
    return found(atRest(whole.run), rule);
  };
  expect(both(true, neverTwice)).toBe("");
  expect(both(false, neverTwice)).toContain("never-twice");
});

test("an OTP of which nothing is heard goes once more by another route, not too soon, not after a receipt, and not a third time", () => {
  const again = (
    { rule = { second_after_seconds: 30 }, waitMs = 31_000, messageClass = "OTP", receipt = "", times = 1 },
    judged: Rule = neverTwice,
  ): string => {
    const whole = scene(routed({}, rule), { message_class: messageClass });
    whole.direct.answer(whole.direct.submit(), 0, "D1");
    if (receipt !== "") whole.direct.receipt({ id: "D1", stat: receipt });
    for (let time = 1; time <= times; time++) {
      whole.run.wait(waitMs);
      whole.agg.submit();
    }
    return found(atRest(whole.run), judged);
  };
  expect(again({})).toBe("");
  expect(again({ rule: {} as { second_after_seconds: number } })).toContain("never-twice");
  expect(again({ waitMs: 20_000 })).toContain("never-twice");
  expect(again({ messageClass: "TRANSACTIONAL" })).toContain("never-twice");
  expect(again({ receipt: "ACCEPTD" })).toContain("never-twice");
  expect(again({ times: 2 })).toContain("never-twice");
});

test("what a route had begun goes on, part by part, when another is heard to accept a part meanwhile", () => {
  const meanwhile = (hasBegun: boolean): string => {
    const whole = scene(routed(), { body });
    const late = whole.direct.submit(parts[1]);
    whole.run.wait(25_000);
    const first = hasBegun ? whole.agg.submit(parts[0]) : null;
    whole.direct.answer(late, 0, "D1");
    whole.run.wait(5000);
    whole.agg.answer(whole.agg.submit(parts[1]), 0, "A1");
    whole.agg.answer(first ?? whole.agg.submit(parts[0]), 0, "A0");
    return found(atRest(whole.run), neverTwice);
  };
  expect(meanwhile(true)).toBe("");
  expect(meanwhile(false)).toContain("never-twice");
});
