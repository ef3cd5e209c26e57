import { expect, test } from "vitest";
import { dueDay, statementNumber, taxLines } from "../../../src/admin/reports/statement-terms.ts";

const ULID = "01KJZ8Y0ABCDEFGH7Q2M4XZDWT";
const period = (from: string | null, to: string | null) => ({
  fromMs: from === null ? null : Date.parse(from),
  toMs: to === null ? null : Date.parse(to),
});

test("a statement's number says the account and the period, and is the same each time", () => {
  const numberOf = (from: string | null, to: string | null) => statementNumber(ULID, period(from, to));
  expect(numberOf("2026-03-01T00:00Z", "2026-04-01T00:00Z")).toBe("2M4XZDWT-202603");
  expect(numberOf("2026-12-01T00:00Z", "2027-01-01T00:00Z")).toBe("2M4XZDWT-202612");
  expect(numberOf("2026-03-01T00:00Z", "2026-03-16T00:00Z")).toBe("2M4XZDWT-20260301-20260315");
  expect(numberOf("2026-03-05T00:00Z", "2026-03-06T00:00Z")).toBe("2M4XZDWT-20260305-20260305");
  expect(numberOf("2026-03-01T00:00Z", "2026-05-01T00:00Z")).toBe("2M4XZDWT-20260301-20260430");
  const hours = numberOf("2026-03-01T06:30Z", "2026-03-01T07:30:00.250Z");
  expect(hours).toBe("2M4XZDWT-20260301T063000000Z-20260301T073000250Z");
  expect(numberOf(null, "2026-04-01T00:00Z")).toBeNull();
  expect(numberOf("2026-03-01T00:00Z", null)).toBeNull();
});

test("it is due so many days after the last day of its period", () => {
  const march = period("2026-03-01T00:00Z", "2026-04-01T00:00Z");
  expect(dueDay(march, 0)).toBe("2026-03-31");
  expect(dueDay(march, 30)).toBe("2026-04-30");
  expect(dueDay(period("2026-03-01T00:00Z", null), 30)).toBeNull();
});

test("each tax is rounded by itself to whole francs, half a franc up, at any amount", () => {
  const taxes = [
    { name: "TVA", percent: 18 },
    { name: "CSS", percent: 0.5 },
  ];
  const amounts = (charged: number) => taxLines(charged, taxes).map(({ amount }) => amount);
  expect(amounts(0)).toEqual([0, 0]);
  expect(amounts(25)).toEqual([5, 0]);
  expect(amounts(100)).toEqual([18, 1]);
  expect(amounts(99)).toEqual([18, 0]);
  expect(taxLines(1_000_000, [{ name: "X", percent: 19.25 }])[0]?.amount).toBe(192_500);
  expect(taxLines(9_007_199_254_740_991, [{ name: "X", percent: 100 }])[0]?.amount).toBe(
    9_007_199_254_740_991,
  );
});
