/**
 * What a message costs, beside its ceilings: `bun scripts/budgets.ts`. With `--lower` the table takes the numbers that have become less.
 */
import { writeFileSync } from "node:fs";
import { CEILINGS, CEILINGS_FILE, type Ceiling, type Thing } from "../test/budgets/ceilings.ts";
import type { Cost } from "../test/budgets/cost.ts";
import { type Measured, measureAll } from "../test/budgets/scenes.ts";

const isLowering = process.argv.includes("--lower");
const measured = measureAll();
const lowered = Object.fromEntries(
  (Object.keys(CEILINGS) as Thing[]).map((thing) => [thing, told(thing, CEILINGS[thing], measured[thing])]),
);
if (isLowering) writeFileSync(CEILINGS_FILE, `${JSON.stringify(lowered, null, 2)}\n`);

/** Prints what a thing costs; its ceilings, where they are not higher than that. */
function told(thing: Thing, ceilings: Ceiling, { cost, items }: Measured): Ceiling {
  console.log(thing);
  const figures = Object.keys(ceilings) as (keyof Cost)[];
  const entries = figures.map((figure) => {
    const ceiling = ceilings[figure];
    // Upwards, so that the same cost stays below its ceiling.
    const digits = items === 1 ? 10 : 10_000;
    const now = Math.ceil(Number((cost[figure] * digits).toFixed(3))) / digits;
    const mark =
      ceiling === null
        ? "not held"
        : now > ceiling
          ? `ABOVE ${ceiling}`
          : now < ceiling
            ? `of ${ceiling}`
            : "";
    console.log(`  ${figure.padEnd(12)}${String(now).padStart(10)}  ${mark}`);
    return [figure, ceiling === null ? null : Math.min(ceiling, now)] as const;
  });
  return Object.fromEntries(entries) as Ceiling;
}
