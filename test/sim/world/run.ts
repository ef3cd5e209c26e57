/** Carries a plan out, from the first start to the last question, and hands over what was seen. */
import { openReader } from "../../../src/db/connections.ts";
import { historyOf } from "../auditor/history.ts";
import { repeatedMessages } from "../auditor/repeats.ts";
import type { Observation } from "../observation.ts";
import type { Plan, Step } from "../plan.ts";
import { nextDocument } from "../workload/next-document.ts";
import { isPeoples } from "../workload/people.ts";
import { calmDown, calmSettings } from "./calm.ts";
import { type Lives, type LoggedLine, openLives } from "./lives.ts";
import { type Passing, passing } from "./passing.ts";
import { performWorlds } from "./perform.ts";
import { leaveRoom, roomFor } from "./room-for.ts";
import { openWorld, type World } from "./world.ts";

export type Run = {
  readonly observations: readonly Observation[];
  readonly log: readonly LoggedLine[];
  /** What the world itself found wrong: it did not come to rest, an error that nobody caught. */
  readonly troubles: readonly string[];
  readonly figures: RunFigures;
};

export type RunFigures = {
  readonly simulatedMs: number;
  readonly lives: number;
  readonly commits: number;
  /** What was done to the disk, by name. */
  readonly disk: Readonly<Record<string, number>>;
};

/**
 * After faults ended, everything must have come to an end within this: a clock may have been set back by hours, and what marketing was
 * accepted under other hours than those of the calm may be worth sending until they open the next day.
 */
const MAX_MS = 36 * 3_600_000;
/** Between two looks whether it has. */
const LOOK_MS = 10_000;
/** What goes on after batches have ended: events, the ledger's folding. */
const AFTERWARDS_MS = 150_000;
/** Longer than an orderly stop may take. */
const STOPPING_MS = 20_000;

/** Runs a plan. The same plan gives the same run, to the octet. */
export function run(plan: Plan): Run {
  const directory = roomFor(plan.seed);
  try {
    const world = openWorld(plan, directory);
    const lives = openLives(world);
    const troubles: string[] = [];
    live(world, lives, (words) => troubles.push(words));
    const { disk, time, observations } = world;
    const figures = {
      simulatedMs: time.nowMs(),
      lives: lives.count(),
      commits: disk.commits(),
      disk: disk.counts(),
    };
    return { observations, log: lives.log, troubles, figures };
  } finally {
    leaveRoom(directory);
  }
}

/** All of a run: faults, calm, rest, and the last questions. */
function live(world: World, lives: Lives, trouble: (words: string) => void): void {
  const { plan, time, people, observe, observations } = world;
  const { until, keeping } = passing(time, trouble);
  lives.start();
  const deeds = [people.setUp()];
  for (const step of plan.steps) time.after(step.atMs, () => deeds.push(perform(step, world, lives)));
  time.settle();
  until(plan.calmAtMs, () => false);
  calmDown(world);
  keeping("the start after the calm", lives.ready());
  lives.change(nextDocument(lives.document(), calmSettings(plan)), "now");
  keeping("what people began", Promise.allSettled(deeds));
  keeping("the last start", lives.ready());
  if (!comeToRest(world, until)) trouble("it did not come to rest");
  observe({ kind: "rest" });
  keeping(
    "the closing questions",
    people.askEverything(() => repeatedMessages(historyOf(observations))),
  );
  lives.stop(Number.POSITIVE_INFINITY);
  if (!until(time.nowMs() + STOPPING_MS, () => lives.now() === null)) trouble("it did not stop");
}

/** Carries a step out. */
async function perform(step: Step, world: World, lives: Lives): Promise<void> {
  if (step.kind === "restore") return restore(step, world, lives);
  if (!isPeoples(step)) {
    performWorlds(step, world, lives);
    return;
  }
  const { people } = world;
  if (step.kind !== "rename operator" && step.kind !== "retire operator") return people.perform(step);
  world.fault(step.kind, JSON.stringify(step));
  lives.change(nextDocument(lives.document(), step), "next start");
  lives.stop(step.downMs);
  // The one that is ready now is the one that stops.
  await new Promise<void>((resolve) => world.time.after(step.downMs, resolve));
  await lives.ready();
  await people.perform(step);
}

/** A copy is made, the machine dies some time later, and the copy goes on in its place until somebody has decided everything. */
async function restore(
  step: Extract<Step, { readonly kind: "restore" }>,
  world: World,
  lives: Lives,
): Promise<void> {
  const { people, time, observe } = world;
  const { index, atMs } = step;
  const pause = (ms: number) => new Promise<void>((resolve) => time.after(ms, resolve));
  world.fault(step.kind, JSON.stringify(step));
  const fromMs = time.nowMs();
  await people.perform({ kind: "command", index, atMs, name: "backup create", args: {} });
  const toMs = time.nowMs();
  await pause(step.lostMs);
  await lives.ready();
  if (!(await lives.restore(step.downMs))) return;
  observe({ kind: "restored", fromMs, toMs });
  await lives.ready();
  await pause(step.undecidedMs);
  for (const { args, thenMs } of step.decisions) {
    await people.perform({ kind: "resume", index, atMs, args });
    await pause(thenMs);
  }
}

/** Lets time pass until no batch is open, no event or receipt waits to be told, and no part waits for others. */
function comeToRest(world: World, until: Passing["until"]): boolean {
  const { time, disk } = world;
  const untilMs = time.nowMs() + MAX_MS;
  while (time.nowMs() < untilMs) {
    until(time.nowMs() + LOOK_MS, () => false);
    if (isAtRest(disk.directory)) {
      until(time.nowMs() + AFTERWARDS_MS, () => false);
      return true;
    }
  }
  return false;
}

/** A look at the disk, only to know when to ask: what is asked decides what is right. */
function isAtRest(directory: string): boolean {
  const db = openReader(directory);
  try {
    const open = db.query<{ n: number }, []>(OPEN_WORK).get();
    return open?.n === 0;
  } finally {
    db.close();
  }
}

const OPEN_WORK = `
  SELECT (SELECT count(*) FROM batches WHERE ended_at IS NULL) + (SELECT count(*) FROM webhook_retries)
    + (SELECT count(*) FROM smpp_receipts) + (SELECT count(*) FROM smpp_parts WHERE state IS NULL) AS n`;
