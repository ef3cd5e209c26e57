/** How registrations become those that were ticked. */
import { describe, expect, test } from "vitest";
import { planRegistrations } from "../../src/console/ui/pages/access/plan-registrations.ts";

const ROUTES = ["a", "b", "c"].map((route) => ({ operator: "orange", route }));
const ALL = ROUTES.map(({ route }) => `orange/${route}`);

/** What the server has after the steps, by its rules; throws where it would refuse one, or nothing is left in between. */
function play(known: readonly string[], chosen: readonly string[]): readonly string[] {
  let codes = [...known];
  for (const { verb, operator: code } of planRegistrations(known, chosen, ROUTES)) {
    if (verb === "register") codes = [...new Set([...codes, code])];
    else if (!code.includes("/")) codes = codes.filter((one) => one !== code && !one.startsWith(`${code}/`));
    else if (code.startsWith("orange/") && codes.includes("orange")) {
      const others = ALL.filter((one) => one !== code);
      if (!others.every((one) => codes.includes(one))) throw new Error(`${code} is refused`);
      codes = codes.filter((one) => one !== "orange" && one !== code);
    } else codes = codes.filter((one) => one !== code);
    const stays =
      chosen.some((one) => one.startsWith("orange")) && known.some((one) => one.startsWith("orange"));
    if (stays && !codes.some((one) => one.startsWith("orange")))
      throw new Error("nothing is left in between");
  }
  return codes.toSorted();
}

describe("registrations become those that were ticked", () => {
  test.each([
    [[], ["moov"], ["moov"]],
    [["moov", "orange"], ["orange"], ["orange"]],
    [["orange"], ["orange/a"], ["orange/a"]],
    [["orange"], ["orange/b", "orange/c"], ["orange/b", "orange/c"]],
    [
      ["orange", "orange/c"],
      ["orange/a", "moov"],
      ["moov", "orange/a"],
    ],
    [["orange"], [], []],
    [["orange/a"], ["orange/b"], ["orange/b"]],
    [["orange/a"], [], []],
    [["telecel", "orange/a"], ["orange/a"], ["orange/a"]],
  ] as const)("from %j to %j", (known, chosen, after) => {
    expect(play(known, chosen)).toEqual([...after]);
  });

  test("a route beside all of them is not taken back, and each route by itself is all of them", () => {
    expect(planRegistrations(["orange", "orange/a"], ["orange"], ROUTES)).toEqual([]);
    expect(planRegistrations(["orange"], ALL, ROUTES)).toEqual([]);
    expect(play(["orange/a"], ["orange", "orange/a"])).toEqual(["orange", "orange/a"]);
  });
});
