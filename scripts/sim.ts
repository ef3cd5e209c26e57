/**
 * Simulates the whole appliance, and judges it by what was seen from outside:
 *
 *   bun run sim --seed 7                    one run; [--story] [--log] [--shrink] [--rule never-twice] [--only 3,9] [--messages 1000] [--faults kill,disk]
 *   bun run sim --seeds 1-1000              so many, on all processors [--processes 2] [--coverage, --brief] [--pairs]
 *   bun run sim --minutes 60 [--seed 5000]  new seeds for so long; from a random one unless told
 *
 * `--shrink --keep NAME` keeps what is left of a failing plan, so that it runs in every test; `--past NAME` runs it here.
 *
 * Exits 1 when a promise was broken.
 */

import type { Finding } from "../test/sim/auditor/finding.ts";
import { Killed } from "../test/sim/disk/killed.ts";
import { coverageLines } from "../test/sim/judge/coverage-lines.ts";
import { type Judged, judge } from "../test/sim/judge/judge.ts";
import { linesOf, many } from "../test/sim/judge/many.ts";
import { type SimOptions, simOptions } from "../test/sim/judge/options.ts";
import { shrink } from "../test/sim/judge/shrink.ts";
import { stepsInWords, storyOf } from "../test/sim/judge/story.ts";
import { keepFailure, pastFailure } from "../test/sim/past/past.ts";
import type { Plan } from "../test/sim/plan.ts";
import { drawPlan, withOnly } from "../test/sim/workload/draw-plan.ts";

const MAX_SHOWN = 12;

// What a dead process still waited for.
process.on("unhandledRejection", (reason) => {
  if (!(reason instanceof Killed)) console.error("nobody handles", reason);
});

process.on("uncaughtException", (error) => {
  if (error instanceof Killed) return;
  console.error("nobody caught", error);
  process.exit(2);
});

/** In a turn of its own: simulated promises settle inside it. */
const inATurn = <T>(work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });

const options = simOptions(process.argv.slice(2));
if (options.isChild) await serveSeeds(options);
else if (options.first === options.last) process.exit((await tellOne(options)) ? 0 : 1);
else process.exit((await tellMany(options)) ? 0 : 1);

function planOf(seed: number, { messages, faults, only, past }: SimOptions): Plan {
  const plan = past === null ? drawPlan(seed, { messages, faults }) : pastFailure(past).plan;
  return only === null ? plan : withOnly(plan, only);
}

async function serveSeeds(asked: SimOptions): Promise<void> {
  for await (const line of linesOf(Bun.stdin.stream())) {
    const { judged } = await inATurn(() => judge(planOf(Number(line), asked)));
    console.log(JSON.stringify(judged));
  }
}

/** One seed, told at length. */
async function tellOne(asked: SimOptions): Promise<boolean> {
  let plan = planOf(asked.first, asked);
  let { judged, run } = await inATurn(() => judge(plan));
  const wanted = ({ rule }: Finding) => asked.rule === null || rule === asked.rule;
  const first = judged.findings.find(wanted);
  if (first && asked.shrinks) {
    const fails = (smaller: Plan) => judge(smaller).judged.findings.some(({ rule }) => rule === first.rule);
    plan = await inATurn(() => shrink(plan, fails, (steps) => console.error(`${steps} steps`)));
    ({ judged, run } = await inATurn(() => judge(plan)));
    console.log(`bun run sim --seed ${plan.seed} --only ${plan.steps.map(({ index }) => index).join(",")}`);
  }
  const finding = judged.findings.find(wanted);
  if (asked.tellsStory || asked.shrinks) {
    for (const line of stepsInWords(plan)) console.log(line);
    if (finding) for (const line of storyOf(finding, run.observations)) console.log(line);
  }
  if (asked.keep !== null && finding) keepFailure(asked.keep, finding, plan);
  if (asked.tellsLog) for (const { life, line } of run.log) console.log(life, line);
  console.log(lineOf(judged));
  tellFindings(judged);
  return judged.findings.length === 0;
}

async function tellMany(asked: SimOptions): Promise<boolean> {
  const beganMs = performance.now();
  const untilMs = asked.minutes === null ? Number.POSITIVE_INFINITY : beganMs + asked.minutes * 60_000;
  let seed = asked.first;
  if (asked.minutes !== null) console.log(`seeds from ${seed} on`);
  const failed: number[] = [];
  const all: Judged[] = [];
  const own = process.argv.slice(2).filter((word) => !/^--(story|log|shrink)$/.test(word));
  await many({
    next: () => {
      const isOver = seed > asked.last || performance.now() >= untilMs;
      return isOver || (asked.untilFound && failed.length > 0) ? null : seed++;
    },
    processes: asked.processes,
    command: [process.execPath, import.meta.path, ...own, "--child"],
    told: (judged) => {
      all.push(judged);
      if (judged.findings.length === 0) return;
      failed.push(judged.seed);
      console.log(lineOf(judged));
      tellFindings(judged);
    },
  });
  for (const line of coverageLines(all, asked)) console.log(line);
  const sum = (name: string) => all.reduce((total, { figures }) => total + (figures[name] ?? 0), 0);
  const minutes = ((performance.now() - beganMs) / 60_000).toFixed(1);
  console.log(
    `${all.length} seeds from ${asked.first}, ${sum("messages")} messages, ${sum("lives")} lives, ` +
      `${sum("commits")} commits, ${sum("pdus")} PDUs, ${sum("requests")} requests, ${sum("events")} events, ` +
      `${(sum("simulatedMs") / 3_600_000).toFixed(0)} simulated hours in ${minutes} min`,
  );
  console.log(
    failed.length === 0
      ? "every promise was kept"
      : `seeds that fail: ${failed.sort((a, b) => a - b).join(" ")}`,
  );
  return failed.length === 0;
}

function lineOf({ seed, figures, findings }: Judged): string {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value)}`);
  return `seed ${seed}: ${findings.length === 0 ? "kept" : `${findings.length} BROKEN`}  ${words.join(", ")}`;
}

function tellFindings({ findings, seed }: Judged): void {
  for (const { rule, promise, what } of findings.slice(0, MAX_SHOWN))
    console.log(`  ${rule} (${promise}): ${what}`);
  if (findings.length > MAX_SHOWN) console.log(`  and ${findings.length - MAX_SHOWN} more`);
  if (findings.length > 0) console.log(`  again: bun run sim --seed ${seed} --shrink`);
}
