/** Nothing becomes dearer unseen: what a message costs is counted, never timed, so it is the same on every machine. */
import { beforeAll, describe, expect, test } from "vitest";
import { CEILINGS, type Thing } from "./ceilings.ts";
import { faultsOf } from "./faults.ts";
import { type Measured, measureAll } from "./scenes.ts";

let measured: Readonly<Record<Thing, Measured>>;
beforeAll(() => {
  measured = measureAll();
}, 120_000);

describe("a message costs no more than it did", () => {
  test.each(Object.keys(CEILINGS) as Thing[])("%s", (thing) => {
    expect(faultsOf(CEILINGS[thing], measured[thing])).toEqual([]);
  });
});

describe("a ceiling", () => {
  const ceiling = { statements: 10, rows: 5, commits: 1, log_kb: 4, turns: 2, promises: null };
  const cost = { ...ceiling, promises: 7 };
  const booked = [{ sql: "SELECT  1", connection: "reader", runs: 11, nanoseconds: 0, rows: 11 } as const];

  test("holds what is not dearer", () => {
    expect(faultsOf(ceiling, { cost, booked, items: 1 })).toEqual([]);
  });

  test("names what is dearer, and the statements that ran", () => {
    const [fault = ""] = faultsOf(ceiling, { cost: { ...cost, statements: 11 }, booked, items: 1 });
    expect(fault).toMatch(/^11 statements, and its ceiling is 10/);
    expect(fault).toContain("11.00 runs, 11.00 rows: SELECT 1");
  });

  test("is to be lowered when something became much cheaper", () => {
    expect(faultsOf(ceiling, { cost: { ...cost, rows: 4 }, booked, items: 1 })).toEqual([
      "4 rows, less than its ceiling of 5: `bun scripts/budgets.ts --lower` writes the new number",
    ]);
  });

  test("leaves some room to what is the mean of many", () => {
    expect(faultsOf(ceiling, { cost: { ...cost, rows: 5.09 }, booked, items: 1000 })).toEqual([]);
    expect(faultsOf(ceiling, { cost: { ...cost, rows: 5.2 }, booked, items: 1000 })).toHaveLength(1);
  });
});
