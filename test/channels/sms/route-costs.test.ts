/** The book of what routes cost, on a real database: each acceptance counts once, whoever told of it. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyReceipt } from "../../../src/channels/sms/delivery-receipts.ts";
import {
  bookCost,
  listRouteCosts,
  NO_ACCOUNT,
  type RouteCostRow,
  RouteCosts,
} from "../../../src/channels/sms/route-costs.ts";
import { countUnknownByRoute } from "../../../src/channels/sms/sent-segments.ts";
import { recordAccepted, recordUnanswered, recoverClaim } from "../../../src/channels/sms/submit-results.ts";
import { readLastUnmatchedId } from "../../../src/channels/sms/unmatched-receipts.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { toUnansweredFact } from "../../../src/dispatch/attempt.ts";
import { recoverLeases } from "../../../src/dispatch/leases.ts";
import { openFacts } from "../../../src/domain/messages/apply-facts.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { seeded, seeds } from "../../kit/seeds.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const ROUTES = { direct: { order: 1, cost: "9.001" }, agg: { order: 2, cost: "11.5" }, dark: { order: 3 } };
const orangeOf = (routes: Readonly<Record<string, unknown>>) =>
  operator({
    prefixes: ["22670"],
    price: 15,
    routes,
    connections: Object.keys(routes).map((route) => connection({ route })),
  });
const config = configOf(document({ operators: { orange: orangeOf(ROUTES) } }));
type Route = keyof typeof ROUTES;
const DAY = "2026-03-02";

let rig: Tenants;
let accountId: number;
let costs: RouteCosts;
beforeEach(async () => {
  rig = tenants(config);
  accountId = await rig.account();
  costs = costsBy(() => config.operators.orange!);
});
afterEach(() => rig.close());

const costsBy = (now: () => (typeof config.operators)[string], timezone = "UTC") =>
  new RouteCosts({ operator: now, timezone: () => timezone, clock: rig.clock });

type Work<T> = (session: ReturnType<typeof openFacts>, tx: Parameters<typeof openFacts>[0]) => T;

function facts<T>(work: Work<T>): Promise<T> {
  return rig.store.write((tx) => {
    const session = openFacts(tx, rig.clock.nowMs());
    const result = work(session, tx);
    session.close();
    return result;
  });
}

let numbers = 70_000_001;

/** A claimed message of some segments to a number of its own. */
async function claimed(segments = 1): Promise<{ readonly id: number; readonly msisdn: string }> {
  const body = `${numbers} `.padEnd(segments === 1 ? 20 : 153 * segments, "abcd ");
  const batchId = await rig.send(accountId, "MARKETING", [String(numbers++)], { body });
  const { id, msisdn } = rig.messagesOf(batchId)[0]!;
  await claim(id);
  return { id, msisdn };
}

const claim = (messageId: number) =>
  facts((session, tx) =>
    session.apply({ kind: "claimed", messageId, unmatchedBefore: readLastUnmatchedId(tx) }),
  );

type Submit = {
  readonly to: { readonly id: number; readonly msisdn: string };
  readonly route: Route;
  readonly attempt?: number;
  readonly part?: number;
};

const left = ({ to, route, attempt = 1, part = 1 }: Submit) => ({
  messageId: to.id,
  msisdn: to.msisdn,
  parts: [part],
  operator: "orange",
  sentSegment: {
    attempt,
    connection: 1,
    sequence: 7,
    writtenAtMs: rig.clock.nowMs(),
    pduParameters: "{}",
    account: "faso@one.example.net:2775",
    route,
    unmatchedBefore: readLastUnmatchedId(rig.store.read),
  },
});

const accepted = (submit: Submit, remoteId: string, isLate = false) =>
  facts((session, tx) => {
    const cost = { ...costs.now(submit.route)!, accountId, messageClass: "MARKETING" };
    const mayBeBooked = isLate || (submit.attempt ?? 1) > 1;
    const how = { remoteId, receipts: true, isLate, cost: { ...cost, mayBeBooked } };
    recordAccepted(tx, session, { ...left(submit), ...how });
  });

/** No answer came to these submits of a message, which is sent again or waits. */
const unanswered = (submits: readonly Submit[], next: "resend" | "wait" = "wait") =>
  facts((session, tx) => {
    const nowMs = rig.clock.nowMs();
    for (const submit of submits) {
      const cost = costs.now(submit.route);
      recordUnanswered(tx, session, { ...left(submit), cost }, nowMs, nowMs);
    }
    const messageId = submits[0]!.to.id;
    if (next === "resend") session.apply({ kind: "unanswered", messageId, next });
    else {
      const message = { messageId, messageClass: "MARKETING", resends: 0, expiresAt: 0 } as const;
      session.apply(toUnansweredFact(message, config.delivery.unanswered, nowMs));
    }
  });

const receipt = (to: { readonly msisdn: string }, id: string, via: Route | null = null) =>
  facts((session, tx) => {
    const read = { id, errorCode: null, isMarked: true, text: null } as const;
    const incoming = {
      operator: "orange",
      account: "faso@one.example.net:2775",
      msisdn: to.msisdn.slice(1),
      receipt: { ...read, state: "DELIVERED" as const, rawStat: "DELIVRD" },
      routeCost: () => (via === null ? null : costs.now(via)),
    };
    return applyReceipt(tx, session, incoming, rig.clock.nowMs());
  });

const book = (): RouteCostRow[] =>
  listRouteCosts(rig.store.read, { fromDay: "2026-01-01", toDay: "2027-01-01" }, null, 1000);

/** Segments, cost and segments of unknown cost by route, without routes whose figures are all 0. */
const byRoute = () =>
  Object.fromEntries(
    book()
      .filter(({ segments, costMilli }) => segments !== 0 || costMilli !== 0)
      .map((row) => [row.route, [row.segments, row.costMilli, row.unknownCostSegments]]),
  );

describe("an accepted segment", () => {
  test("is booked by day, operator, route, account and class, exact in thousandths", async () => {
    for (const route of ["direct", "direct", "direct", "agg"] as const)
      await accepted({ to: await claimed(), route }, `id-${numbers}`);
    const key = { day: DAY, operator: "orange", accountId, messageClass: "MARKETING" };
    expect(book()).toEqual([
      { ...key, route: "agg", segments: 1, costMilli: 11_500, unknownCostSegments: 0 },
      { ...key, route: "direct", segments: 3, costMilli: 27_003, unknownCostSegments: 0 },
    ]);
  });

  test("of a route without a cost counts as unknown, and adds nothing", async () => {
    await accepted({ to: await claimed(), route: "dark" }, "a");
    expect(byRoute()).toEqual({ dark: [1, 0, 1] });
  });

  test("costs what is in force when it is accepted, and what a route that is gone cost last", async () => {
    let orange = config.operators.orange!;
    costs = costsBy(() => orange);
    await accepted({ to: await claimed(), route: "direct" }, "a");
    orange = configOf(
      document({ operators: { orange: orangeOf({ ...ROUTES, direct: { order: 1, cost: "10" } }) } }),
    ).operators.orange!;
    await accepted({ to: await claimed(), route: "direct" }, "b");
    expect(byRoute()).toEqual({ direct: [2, 19_001, 0] });
    orange = configOf(document({ operators: { orange: orangeOf({ agg: { order: 1 } }) } })).operators.orange!;
    await accepted({ to: await claimed(), route: "direct" }, "c");
    expect(byRoute()).toEqual({ direct: [3, 29_001, 0] });
  });

  test("is of the day that the appliance's timezone shows", async () => {
    const [utc, ahead] = ["UTC", "Pacific/Kiritimati"].map((timezone) =>
      costsBy(() => config.operators.orange!, timezone),
    );
    await rig.clock.advance(Date.parse("2026-03-02T23:59:59Z") - rig.clock.nowMs());
    expect([utc, ahead].map((each) => each!.now("agg")?.day)).toEqual([DAY, "2026-03-03"]);
    await rig.clock.advance(1000);
    expect([utc, ahead].map((each) => each!.now("agg")?.day)).toEqual(["2026-03-03", "2026-03-03"]);
  });

  test("of an operator without routes is not booked", () => {
    expect(costs.now("")).toBeNull();
  });

  test("costs twice when two submits of one message are accepted", async () => {
    const to = await claimed();
    await unanswered([{ to, route: "direct" }], "resend");
    await claim(to.id);
    await accepted({ to, route: "agg", attempt: 2 }, "b");
    await accepted({ to, route: "direct" }, "a", true);
    expect(byRoute()).toEqual({ direct: [1, 9001, 0], agg: [1, 11_500, 0] });
  });
});

describe("an acceptance that a receipt has shown", () => {
  test("counts once by the route of its submit, at what that cost when it was not answered", async () => {
    const to = await claimed();
    await unanswered([{ to, route: "direct" }]);
    expect(book()).toEqual([]);
    expect(countUnknownByRoute(rig.store.read)).toEqual([
      { operator: "orange", route: "direct", segments: 1 },
    ]);
    expect(await receipt(to, "X")).toBe("matched");
    expect(byRoute()).toEqual({ direct: [1, 9001, 0] });
    expect(countUnknownByRoute(rig.store.read)).toEqual([]);
    await receipt(to, "X");
    await accepted({ to, route: "direct" }, "X", true);
    expect(byRoute()).toEqual({ direct: [1, 9001, 0] });
  });

  test("is given back where a response shows that it was another submit's", async () => {
    const to = await claimed();
    await unanswered([{ to, route: "direct" }], "resend");
    await claim(to.id);
    await receipt(to, "X");
    expect(byRoute()).toEqual({ direct: [1, 9001, 0] });
    await accepted({ to, route: "agg", attempt: 2 }, "X");
    expect(byRoute()).toEqual({ agg: [1, 11_500, 0] });
    await accepted({ to, route: "direct" }, "W", true);
    expect(byRoute()).toEqual({ direct: [1, 9001, 0], agg: [1, 11_500, 0] });
  });

  test("is exchanged where two segments were taken for each other", async () => {
    const to = await claimed(2);
    const [first, second] = [1, 2].map((part) => ({ to, route: "direct" as const, part }));
    await unanswered([first!, second!]);
    // The receipt of the second segment is taken for the first one's.
    await receipt(to, "X2");
    await receipt(to, "X1");
    expect(byRoute()).toEqual({ direct: [2, 18_002, 0] });
    await accepted(first!, "X1", true);
    expect(byRoute()).toEqual({ direct: [2, 18_002, 0] });
    await accepted(second!, "X2", true);
    expect(byRoute()).toEqual({ direct: [2, 18_002, 0] });
  });

  test("counts each of three submits once, whichever it was taken for", async () => {
    const to = await claimed();
    const [first, second, third] = [1, 2, 3].map((attempt) => ({ to, route: "direct" as const, attempt }));
    await unanswered([first!], "resend");
    await claim(to.id);
    await unanswered([second!], "resend");
    await claim(to.id);
    await unanswered([third!]);
    await receipt(to, "X2");
    expect(byRoute()).toEqual({ direct: [1, 9001, 0] });
    await accepted(first!, "X1", true);
    expect(byRoute()).toEqual({ direct: [2, 18_002, 0] });
    await receipt(to, "X3");
    expect(byRoute()).toEqual({ direct: [3, 27_003, 0] });
    await accepted(second!, "X2", true);
    await accepted(third!, "X3", true);
    expect(byRoute()).toEqual({ direct: [3, 27_003, 0] });
  });

  test("after a crash counts by the route that brought the receipt, and without one at an unknown cost", async () => {
    const [one, other] = [await claimed(), await claimed()];
    await recoverLeases(
      { store: rig.store, recoverClaim: recoverClaim(settingsHolder(config)) },
      rig.clock.nowMs(),
    );
    expect(countUnknownByRoute(rig.store.read)).toEqual([{ operator: "orange", route: "", segments: 2 }]);
    await receipt(one, "X", "agg");
    await receipt(other, "Y");
    expect(byRoute()).toEqual({ "": [1, 0, 1], agg: [1, 11_500, 0] });
  });
});

describe("the book", () => {
  test("is written once a key at the end of a fact session, however many segments it takes", async () => {
    const own = { operator: "orange", accountId: NO_ACCOUNT, messageClass: "OTP", segments: 1 };
    let rows = 0;
    await rig.store.write((tx) => {
      const run: typeof tx.run = (sql, ...given) => {
        rows += 1;
        return tx.run(sql, ...given);
      };
      const counting = { ...tx, run };
      const session = openFacts(counting, rig.clock.nowMs());
      for (let count = 0; count < 50; count++) bookCost(counting, session, { ...costs.now("agg")!, ...own });
      expect(rows).toBe(0);
      session.close();
    });
    expect(rows).toBe(1);
    expect(byRoute()).toEqual({ agg: [50, 575_000, 0] });
  });

  test("says nothing of a session that is undone", async () => {
    const to = await claimed();
    const undone = facts((session, tx) => {
      const cost = { ...costs.now("agg")!, accountId, messageClass: "MARKETING", mayBeBooked: false };
      const how = { remoteId: "a", receipts: true, cost };
      recordAccepted(tx, session, { ...left({ to, route: "agg" }), ...how });
      session.close();
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(book()).toEqual([]);
    expect(rig.count("parts")).toBe(0);
  });

  test("is read in pages from its first day to its last", async () => {
    for (const route of ["direct", "agg", "dark"] as const)
      await accepted({ to: await claimed(), route }, `id-${numbers}`);
    const days = { fromDay: DAY, toDay: DAY };
    const [first, ...rest] = listRouteCosts(rig.store.read, days, null, 2);
    expect([first, ...rest]).toHaveLength(2);
    expect(listRouteCosts(rig.store.read, days, rest[0]!, 2).map(({ route }) => route)).toEqual(["direct"]);
    expect(listRouteCosts(rig.store.read, { fromDay: "2026-03-03", toDay: "2026-03-09" }, null, 9)).toEqual(
      [],
    );
  });

  const anyHistory = seeded(async (chance) => {
    const draw = <T>(of: readonly T[]): T => of[Math.floor(chance.fraction() * of.length)]!;
    const expected: Record<string, number[]> = {};
    const count = (route: Route): void => {
      const milli = { direct: 9001, agg: 11_500, dark: null }[route];
      const sum = expected[route] ?? [0, 0, 0];
      expected[route] = [sum[0]! + 1, sum[1]! + (milli ?? 0), sum[2]! + (milli === null ? 1 : 0)];
    };
    const routes = ["direct", "agg", "dark"] as const;
    /** The first submit was not answered, and a second one is accepted; what is known of the first comes before or after that. */
    const sentAgain = async (first: Submit, second: Submit, id: string): Promise<void> => {
      await unanswered([first], "resend");
      await claim(first.to.id);
      const known = draw(["receipt", "response", "nothing"]);
      const events: (() => Promise<unknown>)[] = [() => accepted(second, `${id}-b`)];
      if (known === "receipt") events.push(() => receipt(first.to, `${id}-a`));
      else if (draw([true, false])) events.push(() => receipt(first.to, `${id}-b`));
      if (known === "response") events.push(() => accepted(first, `${id}-a`, true));
      count(second.route);
      if (known !== "nothing") count(first.route);
      while (events.length > 0)
        for (const event of events.splice(Math.floor(chance.fraction() * events.length), 1)) await event();
    };
    for (let message = 0; message < 12; message++) {
      const segments = draw([1, 1, 2]);
      const to = await claimed(segments);
      const route = draw(routes);
      const submits = Array.from({ length: segments }, (_, index) => ({ to, route, part: index + 1 }));
      const lost = submits.filter(() => draw([true, false]));
      for (const submit of submits.filter((one) => !lost.includes(one))) {
        await accepted(submit, `m${message}-${submit.part}`);
        count(submit.route);
      }
      if (lost.length === 0) continue;
      if (segments === 1 && draw([true, false])) {
        await sentAgain({ to, route }, { to, route: draw(routes), attempt: 2 }, `m${message}`);
        continue;
      }
      await unanswered(lost);
      // What the operator took of it is shown by its receipt, by its late response, by both in any order, or by nothing.
      const shown = lost.map((submit) => ({ submit, by: draw(["receipt", "response", "both", "neither"]) }));
      const events = shown.flatMap(({ submit, by }) => [
        ...(by === "receipt" || by === "both" ? [{ submit, isReceipt: true }] : []),
        ...(by === "response" || by === "both" ? [{ submit, isReceipt: false }] : []),
      ]);
      for (const { by, submit } of shown) if (by !== "neither") count(submit.route);
      while (events.length > 0) {
        const [event] = events.splice(Math.floor(chance.fraction() * events.length), 1);
        const { submit, isReceipt } = event!;
        const id = `m${message}-${submit.part}`;
        if (isReceipt) await receipt(to, id);
        else await accepted(submit, id, true);
      }
    }
    expect(byRoute()).toEqual(expected);
  });

  test.each(seeds(40))("equals the submits that were accepted, after any history (seed %d)", anyHistory);
});
