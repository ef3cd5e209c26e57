/**
 * Our own figures for the goals of speed (src/docs/speed.md): `bun run bench [A|B|…] [--quick] [--rounds 5] [--size N] [--json FILE]
 * [--record] [--executable dist/bendre]`. Numbers instead of letters, `bun run bench 50000 10000 1`: one run of the main job.
 *
 * Every round is one fresh process of the product on an empty directory, from its source unless an executable is named; the simulated
 * operator, the receiver and the client have processes of their own. Rounds go through all goals, so that what else the machine does
 * meets all of them. Load, operator and product share the cores: read ratios.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { GOALS } from "./bench/goals/all.ts";
import type { Product } from "./bench/kit/appliance.ts";
import { type Figures, type Goal, runOnce } from "./bench/kit/goal.ts";
import { quiet } from "./bench/kit/quiet.ts";
import { record, where } from "./bench/kit/record.ts";
import { linesOf, type Summary, summaryOf } from "./bench/kit/summary.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    size: { type: "string" },
    json: { type: "string" },
    record: { type: "boolean", default: false },
    executable: { type: "string" },
  },
});

if (positionals.some((word) => /^\d+$/.test(word))) await import("./bench/main-job.ts");
else await measure();

async function measure(): Promise<void> {
  const unknown = positionals.find((letter) => !GOALS.some((goal) => goal.letter === letter));
  if (unknown !== undefined) {
    for (const { letter, what } of GOALS) console.error(`${letter}  ${what}`);
    console.error(`there is no goal ${unknown}`);
    process.exit(2);
  }
  const goals = GOALS.filter(({ letter }) => positionals.length === 0 || positionals.includes(letter));
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
  const product: Product = values.executable
    ? { kind: "executable", path: resolve(values.executable) }
    : { kind: "source" };
  const at = where(product.kind);
  if (values.record && (values.quick || at.isChanged)) {
    console.error("only whole rounds of a committed source are recorded");
    process.exit(2);
  }
  const runs = new Map<string, Figures[]>(goals.map(({ letter }) => [letter, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const goal of goals) {
      const figures = await once(goal, product);
      runs.get(goal.letter)?.push(figures);
      console.error(`round ${round} of ${rounds}  ${goal.letter}  ${JSON.stringify(figures)}`);
    }
  }
  const summaries = goals.map((goal): Summary => summaryOf(goal, sizeOf(goal), runs.get(goal.letter) ?? []));
  for (const summary of summaries) console.log(linesOf(summary).join("\n"));
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...at, goals: summaries }, null, 2)}\n`);
  if (values.record) record(at, summaries);
}

function sizeOf({ size, quick }: Goal): number {
  return Number(values.size ?? (values.quick ? quick : size));
}

/** One run, begun when others leave the machine alone; what they took before is one of its figures. */
async function once(goal: Goal, product: Product): Promise<Figures> {
  const busy = await quiet();
  return { ...(await runOnce(goal, product, sizeOf(goal))), cores_busy_before: busy };
}
