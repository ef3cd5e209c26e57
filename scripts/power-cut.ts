/**
 * What a power cut may do to the built executable: records every write of a real run, and tries the states that a disk may be
 * in at every sync of it (test/power-cut/disk.ts says which). Needs gcc on Linux:
 *
 *   bun run build && bun scripts/power-cut.ts [--on files|device] [--load small|large|device]
 *     [--states N] [--drawn N] [--started N] [--again N] [--seed N] [--recorded PATH]
 *
 * On files, the writes of the process are recorded. On a device, those of the whole file system below it, which root alone
 * can mount. What was told to the outside before the cut must be there, the books must agree, and the executable must
 * start, also after a second cut in that start. Exits 1 if anything is otherwise, and leaves the recorded run where it says.
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/core/clock.ts";
import { seededChance } from "../test/kit/test-chance.ts";
import type { Medium } from "../test/power-cut/fates.ts";
import { filesGround, scratchInMemory } from "../test/power-cut/ground.ts";
import { caught, LIES } from "../test/power-cut/lies.ts";
import { deviceGround, whyNoDevice } from "../test/power-cut/logged-disk.ts";
import { makeRun, readRun } from "../test/power-cut/run.ts";
import { LOADS } from "../test/power-cut/scenario.ts";
import { type Trial, tryAgain, tryStates } from "../test/power-cut/try-states.ts";
import type { Entry } from "../test/power-cut/write-log.ts";
import { builtExecutable } from "./rehearse/executable.ts";

const { values } = parseArgs({
  options: {
    on: { type: "string", default: "files" },
    load: { type: "string" },
    states: { type: "string" },
    drawn: { type: "string", default: "7" },
    started: { type: "string" },
    again: { type: "string", default: "10" },
    recorded: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const say = (words: string) => process.stdout.write(`${words}\n`);
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`;
const medium: Medium = values.on === "device" ? "device" : "files";
const load = LOADS[values.load ?? (medium === "device" ? "device" : "small")];
if (load === undefined) throw new Error(`--load is one of ${Object.keys(LOADS).join(", ")}`);
const whyNot = medium === "device" ? whyNoDevice() : null;
if (whyNot !== null) {
  say(`no block device can be made here that writes down what is done to it: ${whyNot}`);
  process.exit(2);
}

const executable = builtExecutable();
const recordedAt = performance.now();
const run =
  values.recorded === undefined ? await makeRun(executable, medium, load) : readRun(resolve(values.recorded));
const { place, entries, told } = run;
say(
  `recorded in ${seconds(recordedAt)}: ${entries.length} records (${countsOf(entries)}), ${told.length} facts told`,
);

const isDevice = run.medium === "device";
const scratch = scratchInMemory();
const trial: Trial = {
  entries,
  told,
  drawing: () => ({
    chance: seededChance(Number(values.seed)),
    drawn: Number(values.drawn),
    medium: run.medium,
    initial: run.initial,
  }),
  ground: isDevice ? deviceGround(scratch) : filesGround(scratch, systemClock),
  starter: { executable, path: scratch, authority: place.authority, apiKey: run.apiKey },
  states: Number(values.states ?? (isDevice ? 200 : 4000)),
  started: Number(values.started ?? (isDevice ? 10 : 100)),
};
const triedAt = performance.now();
const first = await tryStates(trial, ({ all, tried, started }) =>
  say(`${all} states may be left; ${tried.size} are tried, and the executable starts on ${started.size}`),
);
say(
  `tried ${first.states} states at ${first.points} syncs in ${seconds(triedAt)}: ${first.findings.length} findings`,
);

const againAt = performance.now();
const cuts = isDevice ? 0 : Number(values.again);
const again = await tryAgain(trial, cuts, join(place.path, "recorder.so"));
if (cuts > 0)
  say(
    `cut ${cuts} of the starts again: ${again.states} states at ${again.points} syncs in ${seconds(againAt)}: ` +
      `${again.findings.length} findings`,
  );
const findings = [...first.findings, ...again.findings];
for (const { before, what, problem } of findings) say(`FOUND before record ${before} (${what}): ${problem}`);

let uncaught = 0;
for (const lie of LIES[run.medium]) {
  const problem = await caught(trial, lie);
  uncaught += problem === null ? 1 : 0;
  say(`a disk that swallows ${lie.name} is ${problem === null ? "NOT caught" : `caught: ${problem}`}`);
}
rmSync(scratch, { recursive: true, force: true });
const isRight = findings.length === 0 && uncaught === 0;
if (isRight && values.recorded === undefined) place.remove();
else say(`the recorded run is in ${place.path}: --recorded ${place.path} tries it again`);
process.exit(isRight ? 0 : 1);

function countsOf(all: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}
