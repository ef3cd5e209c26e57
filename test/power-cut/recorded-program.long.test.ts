import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { seededChance } from "../kit/test-chance.ts";
import { crashStates } from "./crash-states.ts";
import { filesGround, scratchInMemory } from "./ground.ts";
import { buildRecorder } from "./recorded-appliance.ts";
import { type Judge, type Replayed, replay } from "./replay.ts";
import { type Fact, toldBy } from "./told.ts";
import { readWriteLog } from "./write-log.ts";

const path = scratchInMemory();
afterAll(() => rmSync(path, { recursive: true, force: true }));

/** Of several hundred: the first once something was told. */
const STATES = 40;

/** Records the program, and tries what a power cut may leave of it. */
async function recordedAndTried(when: "durable" | "early", library: string): Promise<Replayed> {
  const [data, log] = [join(path, when), join(path, `${when}.log`)];
  const program = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, "recorded-program.ts"), data, log, when],
    {
      env: { ...process.env, LD_PRELOAD: library, RECORDED_LOG: log, RECORDED_DIRECTORY: data },
    },
  );
  if (program.exitCode !== 0) throw new Error(program.stderr.toString());
  const entries = readWriteLog(readFileSync(log));
  const ground = filesGround(join(path, `${when}-tried`), systemClock);
  const judge: Judge<Fact> = (files, promises) => {
    ground.put(files);
    return ground.judge(promises);
  };
  const drawing = () => ({ chance: seededChance(1), drawn: 2, medium: "files" as const });
  const told = toldBy(entries);
  const after = [...crashStates(entries, drawing())].findIndex(({ before }) => before > (told[0]?.at ?? 0));
  const isTried = (number: number) => number >= after && number < after + STATES;
  return replay(entries, told, judge, { ...drawing(), isTried, mostFindings: 1 });
}

// The recorder is a Linux library that gcc builds; where there is no gcc the replay alone is tested.
const hasRecorder = process.platform === "linux" && Bun.which("gcc") !== null;

describe.skipIf(!hasRecorder)("what the store says is durable", () => {
  test("is there after a power cut at any sync, and the books agree", async () => {
    const { states, findings } = await recordedAndTried("durable", buildRecorder(path));
    expect(findings).toEqual([]);
    expect(states).toBe(STATES);
  }, 30_000);

  test("is missed where a program tells it before the disk has it", async () => {
    const { findings } = await recordedAndTried("early", buildRecorder(path));
    expect(findings.map(({ problem }) => problem).join()).toContain("missing: account");
  }, 30_000);
});
