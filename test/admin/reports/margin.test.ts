/** How what was charged is shared among routes, and how thousandths are shown. */
import { describe, expect, test } from "vitest";
import { attributeCharges, MARGIN_OPERATIONS } from "../../../src/admin/reports/margin.ts";
import type { RouteCostRow } from "../../../src/channels/sms/route-costs.ts";
import { renderMilli } from "../../../src/core/money.ts";
import { may, ROLES } from "../../../src/domain/accounts/roles.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

const of = { operator: "orange", accountId: 1, messageClass: "OTP" };
const booked = (day: string, route: string, segments: number, changes = {}): RouteCostRow => ({
  ...of,
  day,
  route,
  segments,
  costMilli: 0,
  unknownCostSegments: 0,
  ...changes,
});
const charge = (day: string, charged: number, changes = {}) => ({ ...of, day, charged, ...changes });
const byRoute = (...asked: Parameters<typeof attributeCharges>) =>
  attributeCharges(...asked).map(({ day, route, charged }) => [day, route, charged]);

describe("what was charged", () => {
  test("is shared by the segments that each route accepted on the day", () => {
    const book = [booked("2026-03-01", "a", 1), booked("2026-03-01", "b", 3), booked("2026-03-02", "a", 9)];
    expect(byRoute(book, [charge("2026-03-01", 100), charge("2026-03-02", 7)]).sort()).toEqual([
      ["2026-03-01", "a", 25],
      ["2026-03-01", "b", 75],
      ["2026-03-02", "a", 7],
    ]);
  });

  test("on a day on which nothing of it was accepted is shared by the whole range", () => {
    const other = { accountId: 2 };
    const book = [
      booked("2026-03-01", "a", 1, other),
      booked("2026-03-02", "a", 1),
      booked("2026-03-02", "b", 1),
    ];
    expect(byRoute(book, [charge("2026-03-01", 10)])).toEqual([
      ["2026-03-01", "a", 5],
      ["2026-03-01", "b", 5],
    ]);
  });

  test("without any segment accepted is told of the operator alone", () => {
    expect(byRoute([booked("2026-03-01", "a", 1)], [charge("2026-03-01", 10, { accountId: 2 })])).toEqual([
      ["2026-03-01", "", 10],
    ]);
  });

  test("before the first day and after the last of an operator in the book is left out", () => {
    const book = [booked("2026-03-02", "a", 1), booked("2026-03-04", "a", 1)];
    const days = ["01", "02", "03", "04", "05"].map((day) => charge(`2026-03-${day}`, 10));
    expect(byRoute(book, days).map(([day]) => day)).toEqual(["2026-03-02", "2026-03-03", "2026-03-04"]);
    expect(byRoute(book, [charge("2026-03-02", 10, { operator: "moov" })])).toEqual([]);
  });

  const noFranc = seeded((chance) => {
    const draw = (below: number) => Math.floor(chance.fraction() * below);
    const book = ["a", "b", "c", "d"].map((route) => booked("2026-03-01", route, draw(50) - 5));
    const charges = Array.from({ length: 20 }, () => charge("2026-03-01", draw(10_000)));
    const shared = attributeCharges(book, charges).reduce((sum, { charged }) => sum + charged, 0);
    expect(shared).toBe(charges.reduce((sum, { charged }) => sum + charged, 0));
  });

  test.each(seeds(50))("is shared to the last franc (seed %d)", noFranc);
});

describe("thousandths of XOF", () => {
  test.each([
    [0, "0.000"],
    [1, "0.001"],
    [-1, "-0.001"],
    [11_500, "11.500"],
    [-1_234_567, "-1234.567"],
  ])("%d is %s", (milli, text) => {
    expect(renderMilli(milli)).toBe(text);
  });
});

test("owners and finance alone see margins in the console", () => {
  const { may: permission } = MARGIN_OPERATIONS["report margin"];
  expect(ROLES.filter((role) => may(role, permission ?? ""))).toEqual(["OWNER", "FINANCE"]);
});
