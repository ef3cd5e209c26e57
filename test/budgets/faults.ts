import type { Ceiling } from "./ceilings.ts";
import type { Cost } from "./cost.ts";
import type { Measured } from "./scenes.ts";

/** Of the mean of many: so much moves with where a commit falls, and one more in all. */
const SLACK = 0.02;
/** What is so much cheaper than its ceiling deserves a lower one. */
const GAIN = 0.1;
const MAX_TOLD = 60;

/** What is dearer than its ceiling or much cheaper, in words that say what to do. */
export function faultsOf(ceilings: Ceiling, { cost, booked, items }: Measured): readonly string[] {
  const figures = Object.keys(ceilings) as (keyof Cost)[];
  return figures.flatMap((figure) => {
    const ceiling = ceilings[figure];
    if (ceiling === null) return [];
    const now = Number(cost[figure].toFixed(items === 1 ? 1 : 4));
    if (now > (items === 1 ? ceiling : ceiling * (1 + SLACK) + 1 / items)) {
      return [
        `${now} ${figure}, and its ceiling is ${ceiling}: it must not cost more (test/budgets/ceilings.ts). ${hint(figure, booked, items)}`,
      ];
    }
    if (now < ceiling * (1 - GAIN)) {
      return [
        `${now} ${figure}, less than its ceiling of ${ceiling}: \`bun scripts/budgets.ts --lower\` writes the new number`,
      ];
    }
    return [];
  });
}

/** Where to look. */
function hint(figure: keyof Cost, booked: Measured["booked"], items: number): string {
  if (figure === "turns" || figure === "promises") return "A step was added to the way of every message.";
  const often = booked.toSorted((a, b) => b.runs - a.runs).slice(0, MAX_TOLD);
  const each = (value: number) => (value / items).toFixed(2);
  const lines = often.map(
    ({ sql, runs, rows }) => `${each(runs)} runs, ${each(rows)} rows: ${sql.replace(/\s+/g, " ").trim()}`,
  );
  return `These are its statements; compare them with those of the last commit:\n  ${lines.join("\n  ")}`;
}
