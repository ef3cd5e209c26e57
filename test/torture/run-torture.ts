/** A whole run of torture: lives and deaths, rest, closing questions, judgement. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import type { ActorEdges } from "../sim/actors.ts";
import { forked } from "../sim/chance.ts";
import type { Plan } from "../sim/plan.ts";
import { openPeople } from "../sim/workload/people.ts";
import { askOverTcp } from "./ask-over-tcp.ts";
import { backlogOf } from "./backlog.ts";
import { ACCOUNTS, CENTRES, DOCUMENT } from "./cast.ts";
import { commandByExecutable, commandOverSocket, numbers } from "./command-over-socket.ts";
import {
  diskChanges,
  judgeLog,
  live,
  type Mishap,
  newStory,
  type Run,
  type Story,
  startNext,
  stop,
} from "./conduct.ts";
import { doubtfulOf } from "./doubtful.ts";
import { freePort } from "./free-port.ts";
import { lineFile } from "./observation-lines.ts";
import { openPlace, type Place } from "./place.ts";
import { within } from "./process-life.ts";
import { recorder } from "./recorder.ts";
import { comesToRest, nothingIsOwed } from "./rest.ts";
import { openSurroundings } from "./surroundings.ts";
import { drawTorture } from "./torture-plan.ts";

export type Options = {
  readonly executable: string;
  readonly seed: number;
  readonly kills: number;
  readonly messages: number;
  /** Told after each life. */
  readonly progress: (story: Story, lives: number, seconds: number) => void;
};

export type Outcome = {
  readonly story: Story;
  readonly place: Place;
  /** How long the lives took, and all until rest, seconds. */
  readonly seconds: { readonly lives: number; readonly all: number };
};

/** People who repeat themselves wait a tenth as long as the simulated ones, for whom waiting costs nothing. */
const HASTE = 10;
/** How long rest may take to come. */
const MAX_UNREST_MS = 300_000;
const MAX_SET_UP_MS = 60_000;

/** Runs, and leaves what was seen in the place; the caller judges, and closes the place. */
export async function runTorture({ executable, seed, kills, messages, progress }: Options): Promise<Outcome> {
  const clock = systemClock;
  const place = openPlace();
  const file = lineFile(place.observations);
  const watched = recorder(clock, file);
  const edges: ActorEdges = { clock, chance: forked(seed, "actors"), observe: watched.observe };
  const port = await freePort(forked(clock.nowMs(), "port"));
  const around = await openSurroundings(edges, place.disk);
  const { lives } = drawTorture({ seed, kills, messages, hasSmallDisk: place.disk !== null });
  const plan: Plan = {
    seed,
    document: DOCUMENT,
    accounts: ACCOUNTS,
    centres: CENTRES,
    receivers: around.receivers,
    steps: lives.flatMap(({ steps }) => steps),
    calmAtMs: 0,
    overrides: {},
    wallStartMs: clock.nowMs(),
  };
  place.writeConfig({
    ...around.realDocument(DOCUMENT),
    server: { listen: `127.0.0.1:${port}` },
    storage: { directory: place.data, reserve_megabytes: 0 },
  });
  watched.observe({ kind: "settings", document: DOCUMENT });
  const ids = numbers();
  const command = commandOverSocket(place.data, ids, watched.observe);
  const ask = askOverTcp(clock, port, watched.observe);
  const people = openPeople(plan, { ...edges, clock: hasty(clock) }, { ask, command });
  const typed = commandByExecutable(executable, place.config, ids, watched.observe);
  const story = newStory();
  const run: Run = {
    clock,
    executable,
    place,
    recorder: watched,
    people,
    trouble: around.trouble,
    command,
    typed,
    story,
    backlog: backlogOf(watched),
    busy: new Set(),
  };
  const beganMs = clock.steadyMs();
  const setUp = people.setUp();
  await setUpInPeace(run, setUp);
  for (const life of lives) {
    await live(run, life);
    file.flush();
    progress(story, lives.length, (clock.steadyMs() - beganMs) / 1000);
  }
  const livesMs = clock.steadyMs() - beganMs;
  await lastLife(run, around.calm, file.flush);
  around.close();
  file.close();
  const allMs = clock.steadyMs() - beganMs;
  story.mishaps.push(...damages(place).map((what) => ({ life: story.lives, what }) satisfies Mishap));
  return { story, place, seconds: { lives: livesMs / 1000, all: allMs / 1000 } };
}

function hasty(clock: Clock): Clock {
  return { ...clock, after: (delayMs, callback) => clock.after(delayMs / HASTE, callback) };
}

/** The first life ends in order once every account is there. */
async function setUpInPeace(run: Run, setUp: Promise<void>): Promise<void> {
  const life = startNext(run);
  const isSetUp = await within(
    run.clock,
    MAX_SET_UP_MS,
    Promise.race([setUp.then(() => true), life.ended.then(() => false)]),
  );
  if (isSetUp !== true) throw new Error(`the accounts could not be set up: ${life.lines.join("\n")}`);
  await stop(run, life, null);
  judgeLog(run, run.story.lives, life, diskChanges(run));
}

/** Left alone until nothing moves; then everything is asked, and it stops in order. */
async function lastLife(run: Run, calm: () => Promise<void>, flush: () => void): Promise<void> {
  const { clock, people, recorder: watched, story, place } = run;
  await calm();
  const life = startNext(run);
  const isDone = async (): Promise<true> => {
    await life.ready;
    while (run.busy.size > 0) await Promise.all([...run.busy]);
    return true;
  };
  if ((await within(clock, MAX_UNREST_MS, isDone())) === null) {
    story.mishaps.push({
      life: story.lives,
      what: `${run.busy.size} clients got no answer in the last life`,
    });
  }
  if (!(await comesToRest(clock, watched, () => nothingIsOwed(run.command), MAX_UNREST_MS))) {
    story.mishaps.push({ life: story.lives, what: "it did not come to rest" });
  }
  watched.observe({ kind: "rest" });
  await people.askEverything(() => {
    flush();
    return doubtfulOf(place.observations);
  });
  await stop(run, life, null);
  judgeLog(run, story.lives, life, diskChanges(run));
}

/** What is wrong with the database file itself. */
function damages(place: Place): string[] {
  const db = new Database(join(place.data, "bendre.db"), { readonly: true });
  try {
    const rows = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    return rows.map((row) => row.integrity_check).filter((words) => words !== "ok");
  } finally {
    db.close();
  }
}
