/** The margin of a batch before it leaves: by whom it would be carried, and what that leaves. */
import { describe, expect, test } from "vitest";
import { quoteMargin, type StandingRoutes, shareByWeight } from "../../../src/admin/operations/margin.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import { ALL_ROUTES, type SenderRoutes } from "../../../src/domain/accounts/senders.ts";
import { configOf, operator } from "../../config/sample.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

type Changes = Readonly<Record<string, unknown>>;

/** Operators of a configuration: orange with these routes, moov without any. */
function operatorsWith(routes: Readonly<Record<string, Changes>>) {
  const connections = Object.keys(routes).map((route) => ({
    host: route,
    system_id: "s",
    password: "p",
    route,
  }));
  const moov = operator({ prefixes: ["22601"] });
  return configOf({ operators: { orange: operator({ routes, connections }), moov } }).operators;
}

const TWO = { direct: { order: 1, cost: "9" }, agg: { order: 2, cost: "11.125" } };
const carrying = (...routes: readonly string[]): StandingRoutes =>
  new Map([
    [
      "orange",
      ["direct", "agg"].map((route) => ({
        route,
        carries: routes.includes(route) ? (["OTP", "TRANSACTIONAL", "MARKETING"] as const) : [],
      })),
    ],
  ]);

function marginOf(
  routes: Readonly<Record<string, Changes>>,
  standing: StandingRoutes,
  segments: number,
  messageClass: MessageClass = "OTP",
  senderRoutes: SenderRoutes = ALL_ROUTES,
) {
  const operators = [{ operator: "orange", price: 15, segments, senderRoutes }];
  return quoteMargin(operatorsWith(routes), standing, { messageClass, operators });
}

const rowsOf = ({ margin_by_route: rows }: ReturnType<typeof marginOf>) =>
  rows.map(({ route, segments, charged, cost, margin }) => [route, segments, charged, cost, margin]);

describe("the margin of a quote", () => {
  test("is that of the route which carries now", () => {
    expect(marginOf(TWO, carrying("direct"), 4)).toEqual({
      margin_by_route: [
        {
          operator: "orange",
          route: "direct",
          segments: 4,
          charged: 60,
          cost: "36.000",
          unknown_cost_segments: 0,
          margin: "24.000",
          margin_share: 0.4,
        },
      ],
      margin_totals: {
        segments: 4,
        charged: 60,
        cost: "36.000",
        unknown_cost_segments: 0,
        margin: "24.000",
        margin_share: 0.4,
      },
    });
    expect(rowsOf(marginOf(TWO, carrying("agg"), 3))).toEqual([["agg", 3, 45, "33.375", "11.625"]]);
  });

  test("is that of the best by order while none carries, or no server runs", () => {
    for (const standing of [carrying(), new Map()])
      expect(rowsOf(marginOf(TWO, standing, 1))).toEqual([["direct", 1, 15, "9.000", "6.000"]]);
    const apart = { ...TWO, direct: { ...TWO.direct, classes: ["TRANSACTIONAL", "MARKETING"] } };
    expect(rowsOf(marginOf(apart, new Map(), 1))).toEqual([["agg", 1, 15, "11.125", "3.875"]]);
  });

  test("is shared by those that share an order, to the last segment", () => {
    const shared = { direct: { ...TWO.direct, share: 70 }, agg: { ...TWO.agg, order: 1, share: 30 } };
    const both = carrying("direct", "agg");
    expect(rowsOf(marginOf(shared, both, 10)).sort()).toEqual([
      ["agg", 3, 45, "33.375", "11.625"],
      ["direct", 7, 105, "63.000", "42.000"],
    ]);
    const spare = { direct: TWO.direct, agg: { ...TWO.agg, order: 1, share: 0 } };
    expect(rowsOf(marginOf(spare, both, 2))).toEqual([["direct", 2, 30, "18.000", "12.000"]]);
    expect(rowsOf(marginOf(spare, carrying("agg"), 2))).toEqual([["agg", 2, 30, "22.250", "7.750"]]);
  });

  test("is that of a route that the sender is registered for, and none where there is none", () => {
    const of = (senderRoutes: SenderRoutes) => marginOf(TWO, carrying("direct"), 1, "OTP", senderRoutes);
    expect(rowsOf(of(["agg"]))).toEqual([["agg", 1, 15, "11.125", "3.875"]]);
    expect(rowsOf(of(["agg", "direct"]))).toEqual([["direct", 1, 15, "9.000", "6.000"]]);
    expect(rowsOf(of([]))).toEqual([]);
  });

  test("is not known where a cost is not, and never takes it for 0", () => {
    const shared = { direct: { ...TWO.direct, share: 1 }, agg: { order: 1, share: 1 } };
    expect(marginOf(shared, carrying("direct", "agg"), 4)).toMatchObject({
      margin_by_route: [
        { route: "direct", cost: "18.000", unknown_cost_segments: 0, margin: "12.000" },
        { route: "agg", cost: null, unknown_cost_segments: 2, margin: null, margin_share: null },
      ],
      margin_totals: { segments: 4, charged: 60, cost: "18.000", unknown_cost_segments: 2, margin: null },
    });
  });

  test("leaves out operators without routes", () => {
    const operators = [{ operator: "moov", price: 15, segments: 9, senderRoutes: ALL_ROUTES }];
    expect(quoteMargin(operatorsWith(TWO), new Map(), { messageClass: "OTP", operators })).toMatchObject({
      margin_by_route: [],
      margin_totals: { segments: 0, charged: 0, cost: "0.000", margin: "0.000", margin_share: null },
    });
  });
});

const allOfIt = seeded((chance) => {
  const draw = (below: number) => Math.floor(chance.fraction() * below);
  const weights = new Map(["a", "b", "c", "d"].map((key) => [key, draw(5)]));
  const amount = draw(100_000);
  const parts = shareByWeight(amount, weights);
  expect(parts.reduce((sum, [, part]) => sum + part, 0)).toBe(amount);
  expect(parts.filter(([key]) => weights.get(key) === 0)).toEqual([]);
});

test.each(seeds(50))("what is shared by weight is all of it (seed %d)", allOfIt);
