/**
 * What a power cut may do to the built executable: records every write of a real run, and tries the states that a disk may be
 * in at every sync of it (test/power-cut/disk.ts says which). Needs gcc on Linux:
 *
 *   bun run build && bun run power-cut [--load small|large] [--states N] [--drawn N] [--started N] [--seed N]
 *
 * What was told to the outside before the cut must be there, the books must agree, and the executable must start. Exits 1
 * if anything is otherwise, and leaves the recorded run where it says.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.ts";
import { seededChance } from "../test/kit/test-chance.ts";
import { choose } from "../test/power-cut/chosen.ts";
import { crashStates } from "../test/power-cut/crash-states.ts";
import { judgeByStore } from "../test/power-cut/judge.ts";
import { logOf } from "../test/power-cut/recorded-appliance.ts";
import { type Judge, replay } from "../test/power-cut/replay.ts";
import { LOADS, recordRun } from "../test/power-cut/scenario.ts";
import { startOn } from "../test/power-cut/start-on.ts";
import { type Fact, toldBy } from "../test/power-cut/told.ts";
import { type Entry, readWriteLog } from "../test/power-cut/write-log.ts";
import { builtExecutable } from "./rehearse/executable.ts";

const { values } = parseArgs({
  options: {
    load: { type: "string", default: "small" },
    states: { type: "string", default: "4000" },
    drawn: { type: "string", default: "7" },
    started: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
  },
});
const load = LOADS[values.load];
if (load === undefined) throw new Error(`--load is one of ${Object.keys(LOADS).join(", ")}`);
const drawn = Number(values.drawn);
const chance = () => seededChance(Number(values.seed));
const say = (words: string) => process.stdout.write(`${words}\n`);
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`;

const executable = builtExecutable();
const beganAt = performance.now();
const { place, apiKey } = await recordRun(executable, load);
const entries = readWriteLog(logOf(place));
const told = toldBy(entries);
say(
  `recorded in ${seconds(beganAt)}: ${entries.length} records (${countsOf(entries)}), ${told.length} facts told`,
);

const chosen = choose(
  crashStates(entries, chance(), drawn),
  Number(values.states),
  Number(values.started),
  chance(),
);
say(
  `${chosen.all} states may be left; ${chosen.tried.size} are tried, on ${chosen.started.size} of them it starts`,
);
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const scratch = mkdtempSync(join(memory, "bendre-power-cut-"));
const judgeStore = judgeByStore(join(scratch, "data"), systemClock);
const starter = { executable, path: scratch, authority: place.authority, apiKey, clock: systemClock };
const judge: Judge<Fact> = async (files, promises, number) => [
  ...(await judgeStore(files, promises, number)),
  ...(chosen.started.has(number) ? await startOn(starter, files, promises) : []),
];
const options = {
  chance: chance(),
  drawn,
  isTried: (number: number) => chosen.tried.has(number),
  mostFindings: 20,
};
const triedAt = performance.now();
const { points, states, findings } = await replay(entries, told, judge, options);
say(`tried ${states} states at ${points} syncs in ${seconds(triedAt)}: ${findings.length} findings`);
for (const { before, what, problem } of findings) say(`FOUND before record ${before} (${what}): ${problem}`);

const lied = await replay(withoutLogSyncs(entries), told, judgeStore, {
  ...options,
  chance: chance(),
  isTried: (number) => number % 50 === 49,
  mostFindings: 1,
});
say(`a disk that only says that it synced is ${lied.findings.length > 0 ? "caught" : "NOT caught"}`);
rmSync(scratch, { recursive: true, force: true });
const isRight = findings.length === 0 && lied.findings.length > 0;
if (isRight) place.remove();
else say(`the recorded run is in ${place.path}`);
process.exit(isRight ? 0 : 1);

function countsOf(all: readonly Entry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/** The same run on a disk that takes the syncs of the log and does nothing. */
function withoutLogSyncs(all: readonly Entry[]): readonly Entry[] {
  return all.filter((entry) => entry.kind !== "sync" || !entry.name.endsWith("-wal"));
}
