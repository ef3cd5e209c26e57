/** A power cut in the start that follows a power cut: that start is recorded too, and what it leaves is tried. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { going } from "../../scripts/rehearse/going.ts";
import type { Drawing } from "./crash-states.ts";
import type { Files } from "./disk.ts";
import { type Ground, isKept } from "./ground.ts";
import { recordedCommand } from "./recorded-appliance.ts";
import { type Replayed, replay } from "./replay.ts";
import { configureStart, type Starter } from "./start-on.ts";
import type { Fact } from "./told.ts";
import { readWriteLog } from "./write-log.ts";

export type Again = {
  readonly starter: Starter;
  readonly library: string;
  readonly ground: Ground;
  readonly drawing: Omit<Drawing, "initial">;
};

const MAX_FINDINGS = 5;

/** Starts on files and stops, recorded, and tries what a cut at any sync of that leaves. */
export async function cutAgain(
  { starter, library, ground, drawing }: Again,
  files: Files,
  promises: readonly Fact[],
): Promise<Replayed> {
  const log = join(starter.path, "again.log");
  const initial: Files = new Map([...files].filter(([name]) => isKept(name)));
  rmSync(log, { force: true });
  ground.put(initial);
  const config = await configureStart(starter, ground.data);
  const command = recordedCommand(starter.executable, { library, log, directory: ground.data });
  const server = going([...command, "serve", "--config", config]);
  await server.line('"ready"');
  await server.stop();
  const entries = readWriteLog(readFileSync(log), [...initial.keys()]);
  const told = promises.map((promise) => ({ at: -1, promise }));
  const judge = (left: Files, due: readonly Fact[]) => {
    ground.put(left);
    return ground.judge(due);
  };
  return replay(entries, told, judge, { ...drawing, initial, mostFindings: MAX_FINDINGS });
}
