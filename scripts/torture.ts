/**
 * Torments the executable: `bun scripts/torture.ts [--kills 300] [--messages 200000] [--seed N] [--executable dist/bendre]`. Clients,
 * operators, receivers and administrators go on while the process is killed again and again; what all of them saw is judged at the
 * end by the auditor of the simulation. `--replay FILE` judges again what a run left. Ends with 1 when anything was found.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemChance } from "../src/core/chance.ts";
import { judge } from "../test/torture/judge.ts";
import { runTorture } from "../test/torture/run-torture.ts";
import { stories, summary } from "../test/torture/summary.ts";
import { builtExecutable } from "./rehearse/executable.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "300" },
    messages: { type: "string", default: "200000" },
    seed: { type: "string", default: String(Math.floor(systemChance.fraction() * 2 ** 31)) },
    executable: { type: "string" },
    replay: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});

function replay(path: string): number {
  const verdict = judge(path);
  for (const line of stories([], verdict)) console.log(line);
  console.log(`${verdict.findings.length} findings in ${verdict.figures.messages} messages`);
  return verdict.findings.length;
}

async function torture(): Promise<number> {
  const { place, ...ran } = await runTorture({
    executable: values.executable === undefined ? builtExecutable() : resolve(values.executable),
    seed: Number(values.seed),
    kills: Number(values.kills),
    messages: Number(values.messages),
    progress: ({ lives, mishaps }, all, seconds) => {
      if (lives % 25 !== 0) return;
      console.log(`${seconds.toFixed(0).padStart(5)} s  life ${lives} of ${all}, ${mishaps.length} mishaps`);
    },
  });
  const verdict = judge(place.observations);
  for (const line of summary({ place, ...ran }, verdict)) console.log(line);
  for (const line of stories(ran.story.mishaps, verdict)) console.log(line);
  const found = verdict.findings.length + ran.story.mishaps.length;
  const isKept = found > 0 || values.keep;
  place.close(isKept);
  if (isKept) console.log(`seed ${values.seed}; what was seen, the logs and the data are in ${place.path}`);
  return found;
}

const found = values.replay === undefined ? await torture() : replay(values.replay);
process.exit(found === 0 ? 0 : 1);
