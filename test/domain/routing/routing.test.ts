import { describe, expect, test } from "vitest";
import { MESSAGE_CLASSES, type MessageClass } from "../../../src/domain/accounts/message-class.ts";
import type { Marks } from "../../../src/domain/routing/marks.ts";
import {
  findCandidates,
  mayCarry,
  nextTakeOverMs,
  RouteShares,
  type RouteWithState,
} from "../../../src/domain/routing/routing.ts";

const NOW_MS = 100_000;
const PAUSED = { isPaused: true };
const awayFor = (ms: number) => ({ awaySinceMs: NOW_MS - ms });

function route(name: string, order: number, changes: Partial<RouteWithState> = {}): RouteWithState {
  return {
    name,
    order,
    classes: MESSAGE_CLASSES,
    share: 100,
    yieldMs: { OTP: 2000, TRANSACTIONAL: 30_000, MARKETING: 600_000 },
    isPaused: false,
    awaySinceMs: null,
    illSinceMs: null,
    ...changes,
  };
}

/** The names of the routes that may carry a class. */
const carrying = (routes: readonly RouteWithState[], messageClass: MessageClass, marks?: Marks): string[] =>
  routes
    .filter((one) => mayCarry(one, findCandidates(routes, messageClass, marks), messageClass, NOW_MS))
    .map(({ name }) => name);

describe("who carries", () => {
  test("is the best route while it is able, and a worse one once it has yielded for the class", () => {
    const carriedAfter = (ms: number, messageClass: MessageClass) =>
      carrying([route("direct", 1, awayFor(ms)), route("agg", 2)], messageClass);
    expect(carrying([route("direct", 1), route("agg", 2)], "OTP")).toEqual(["direct"]);
    expect(carriedAfter(1999, "OTP")).toEqual(["direct"]);
    expect(carriedAfter(2000, "OTP")).toEqual(["agg"]);
    expect(carriedAfter(29_999, "TRANSACTIONAL")).toEqual(["direct"]);
    expect(carriedAfter(30_000, "TRANSACTIONAL")).toEqual(["agg"]);
    expect(carriedAfter(600_000, "MARKETING")).toEqual(["agg"]);
  });

  test("is read from the route that takes over, however the others yield", () => {
    const quick = route("agg", 2, { yieldMs: { OTP: 0, TRANSACTIONAL: 0, MARKETING: 0 } });
    expect(carrying([route("direct", 1, awayFor(0)), quick], "MARKETING")).toEqual(["agg"]);
  });

  test("does not wait for a paused route, nor for one that does not carry the class", () => {
    expect(carrying([route("direct", 1, PAUSED), route("agg", 2)], "MARKETING")).toEqual(["agg"]);
    expect(carrying([route("direct", 1, { classes: ["OTP"] }), route("agg", 2)], "MARKETING")).toEqual([
      "agg",
    ]);
  });

  test("is never a route that does not carry the class, or that is paused", () => {
    const routes = [route("direct", 1, PAUSED), route("agg", 2, { classes: ["OTP"] })];
    expect(carrying(routes, "MARKETING")).toEqual([]);
    expect(carrying(routes, "OTP")).toEqual(["agg"]);
  });

  test("is a third only once both before it have yielded", () => {
    const routes = (first: number, second: number) => [
      route("one", 1, awayFor(first)),
      route("two", 2, awayFor(second)),
      route("three", 3),
    ];
    expect(carrying(routes(9000, 1000), "OTP")).toEqual(["one", "two"]);
    expect(carrying(routes(9000, 2000), "OTP")).toEqual(["three"]);
  });

  test("goes on trying where nobody is able to take over", () => {
    expect(carrying([route("direct", 1, awayFor(9000)), route("agg", 2, awayFor(9000))], "OTP")).toEqual([
      "direct",
      "agg",
    ]);
  });
});

describe("the next take-over", () => {
  test("is when the first class of an able route has waited long enough", () => {
    const routes = [route("direct", 1, awayFor(500)), route("agg", 2)];
    expect(nextTakeOverMs(routes, NOW_MS)).toBe(NOW_MS + 1500);
    expect(nextTakeOverMs(routes, NOW_MS + 1500)).toBe(NOW_MS + 29_500);
    expect(nextTakeOverMs(routes, NOW_MS + 600_000)).toBeNull();
  });

  test("is none while a better route is able, or where none is", () => {
    expect(nextTakeOverMs([route("direct", 1), route("agg", 2)], NOW_MS)).toBeNull();
    expect(nextTakeOverMs([route("direct", 1, awayFor(0)), route("agg", 2, awayFor(0))], NOW_MS)).toBeNull();
    expect(nextTakeOverMs([route("direct", 1, PAUSED), route("agg", 2)], NOW_MS)).toBeNull();
  });
});

describe("shares", () => {
  const carry = (routes: readonly RouteWithState[], count: number, segments: (place: number) => number) => {
    const shares = new RouteShares();
    shares.follow(routes);
    const carried = new Map(routes.map(({ name }) => [name, 0]));
    for (let place = 0; place < count; place++) {
      const next = routes.find((one) => !shares.isAhead(one, routes, "TRANSACTIONAL"));
      if (!next) throw new Error("somebody is never ahead");
      shares.count(next.name, segments(place));
      carried.set(next.name, (carried.get(next.name) ?? 0) + segments(place));
    }
    return Object.fromEntries(carried);
  };

  test("hold by segments, to within one text", () => {
    const routes = [route("a", 1, { share: 70 }), route("b", 1, { share: 30 })];
    expect(carry(routes, 1000, () => 1)).toEqual({ a: 700, b: 300 });
    const mixed = carry(routes, 1000, (place) => 1 + (place % 3));
    expect(Math.abs((mixed.a ?? 0) - 0.7 * 1999)).toBeLessThan(3);
  });

  test("of 0 are nothing while another is able, and all where none is", () => {
    expect(carry([route("a", 1, { share: 0 }), route("b", 1)], 10, () => 1)).toEqual({ a: 0, b: 10 });
    const alone = [route("a", 1, { share: 0 }), route("b", 1, { awaySinceMs: 0 })];
    expect(new RouteShares().isAhead(alone[0]!, alone, "TRANSACTIONAL")).toBe(false);
  });

  test("never make an OTP wait, but it counts", () => {
    const routes = [route("a", 1), route("b", 1)];
    const shares = new RouteShares();
    shares.follow(routes);
    shares.count("a", 5);
    expect(shares.isAhead(routes[0]!, routes, "OTP")).toBe(false);
    expect(shares.isAhead(routes[0]!, routes, "MARKETING")).toBe(true);
  });

  test("begin anew when the routes that are able change", () => {
    const both = [route("a", 1), route("b", 1)];
    const shares = new RouteShares();
    shares.follow(both);
    shares.count("a", 50);
    shares.follow([route("a", 1), route("b", 1, { awaySinceMs: NOW_MS })]);
    shares.follow(both);
    expect(shares.isAhead(both[0]!, both, "MARKETING")).toBe(false);
  });

  test("are of one order alone", () => {
    const routes = [route("a", 1), route("b", 2)];
    const shares = new RouteShares();
    shares.follow(routes);
    shares.count("a", 50);
    expect(shares.isAhead(routes[0]!, routes, "MARKETING")).toBe(false);
  });
});
