import { describe, expect, test } from "vitest";
import { forked } from "../chance.ts";
import type { CentreHabits } from "../plan.ts";
import { GOOD_HABITS } from "./fake-appliance.ts";
import { submitFate } from "./submit-fate.ts";

const SPREAD: CentreHabits = { ...GOOD_HABITS, responseMs: [0, 1000], receiptMs: [0, 5000] };
const fateOf = (habits: Partial<CentreHabits>, text = 1) =>
  submitFate({ ...SPREAD, ...habits }, forked(1, "submit", text));

const PROBABILITIES = [
  ...(["swallow", "ignore", "doubleResponse", "contradict", "refuse", "noReceipt", "earlyReceipt"] as const),
  ...([
    "doubleReceipt",
    "contradictReceipt",
    "foreignReceipt",
    "intermediateReceipt",
    "undelivered",
  ] as const),
];

describe("the fate of a submit", () => {
  test("without habits is one response and one receipt after it", () => {
    for (let text = 0; text < 50; text++) {
      const { responses, receipts, oddities } = fateOf({}, text);
      expect(responses).toMatchObject([{ words: { accepts: "first" } }]);
      expect(receipts).toMatchObject([{ stat: "DELIVRD", id: "first", number: "own" }]);
      expect(receipts[0]?.afterMs).toBeGreaterThanOrEqual(responses[0]?.afterMs ?? Number.NaN);
      expect(oddities).toEqual([]);
    }
  });

  test("names an oddity for each habit that came to bear, and for no other", () => {
    const named = PROBABILITIES.map((habit) => fateOf({ [habit]: 1 }).oddities.length);
    expect(named).toEqual(PROBABILITIES.map(() => 1));
  });

  test("is taken as often as its probability says", () => {
    for (const habit of PROBABILITIES) {
      const odd = Array.from({ length: 1000 }, (_, text) => fateOf({ [habit]: 0.3 }, text).oddities.length);
      expect(Math.abs(odd.filter((count) => count > 0).length - 300)).toBeLessThan(60);
    }
  });

  test("keeps the times that it had when another habit changes", () => {
    for (let text = 0; text < 30; text++) {
      const { responses, receipts } = fateOf({}, text);
      const other = fateOf({ doubleResponse: 1, doubleReceipt: 1, foreignReceipt: 1, undelivered: 1 }, text);
      expect(other.responses[0]).toEqual(responses[0]);
      expect(other.receipts[0]?.afterMs).toBe(receipts[0]?.afterMs);
    }
  });

  test("may be two receipts of which one says delivered and the other not", () => {
    for (let text = 0; text < 50; text++) {
      const { receipts } = fateOf({ contradictReceipt: 1, undelivered: 0.5 }, text);
      expect(receipts.length).toBe(2);
      expect(receipts.filter(({ stat }) => stat === "DELIVRD").length).toBe(1);
    }
  });

  test("of a text that was not accepted has no receipt", () => {
    const all = { doubleReceipt: 1, foreignReceipt: 1, intermediateReceipt: 1 };
    expect(fateOf({ ...all, refuse: 1 }).receipts).toEqual([]);
    expect(fateOf({ ...all, ignore: 1 }).receipts).toEqual([]);
    expect(fateOf({ ...all, swallow: 1 }).receipts.length).toBe(4);
  });

  test("is not refused where there is nothing to refuse with", () => {
    expect(fateOf({ refuse: 1, refusals: [] }).oddities).toEqual([]);
  });
});
