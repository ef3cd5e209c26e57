/**
 * Where the time of one goal goes: `bun scripts/profile.ts C [--size 5000] [--keep DIR]`, a page for each letter that is given.
 *
 * The appliance runs from its source, with a sampling profiler of each thread and a book of the statements of its main one; the simulated operator
 * and the clients have processes of their own. The profiler slows it, by a tenth and more: read shares, and compare speeds with `bun run bench`.
 * With --keep, the samples stay as DIR/C/cpu.json: rename it to .cpuprofile, and a browser's inspector opens it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { GOALS } from "./bench/goals/all.ts";
import { type Goal, runOnce } from "./bench/kit/goal.ts";
import { garbageOf } from "./profile/garbage.ts";
import { pageOf } from "./profile/page.ts";
import { type CpuProfile, samplesOf } from "./profile/samples.ts";
import { FILES, type Seen, threadFile } from "./profile/seen.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: "string" }, keep: { type: "string" } },
});

const goals = GOALS.filter(({ letter }) => positionals.includes(letter));
if (goals.length === 0) {
  for (const { letter, what } of GOALS) console.error(`${letter}  ${what}`);
  console.error("usage: bun scripts/profile.ts LETTER… [--size N] [--keep DIR]");
  process.exit(2);
}

const scratch = values.keep ?? mkdtempSync(join(tmpdir(), "bendre-profile-"));
try {
  for (const goal of goals) console.log(`${await profiled(goal)}\n`);
} finally {
  if (values.keep === undefined) rmSync(scratch, { recursive: true, force: true });
}

async function profiled(goal: Goal): Promise<string> {
  const { letter, what, quick } = goal;
  const directory = join(scratch, letter);
  mkdirSync(directory, { recursive: true });
  const items = Number(values.size ?? quick);
  const figures = await runOnce(goal, { kind: "profiled", directory }, items);
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const log = readFileSync(join(directory, FILES.log), "latin1");
  const seen = JSON.parse(read(FILES.seen)) as Seen;
  return pageOf({
    title: `${letter}: ${what}`,
    items,
    figures,
    seen,
    samples: samplesOf(JSON.parse(read(FILES.cpu)) as CpuProfile),
    threads: seen.threads.map((id) => samplesOf(JSON.parse(read(threadFile(id))) as CpuProfile)),
    garbage: garbageOf(log),
    log,
  });
}
