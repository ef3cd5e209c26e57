/** The lives of a run, one after the other on the same data directory. */
import { type Clock, wait } from "../../src/core/clock.ts";
import type { Command } from "../sim/actors.ts";
import type { Workload } from "../sim/workload/people.ts";
import type { PeoplesStep } from "../sim/workload/perform.ts";
import { type Backlog, caughtUp } from "./backlog.ts";
import { logFaults, NO_START } from "./log-faults.ts";
import { moment } from "./moment.ts";
import type { Place } from "./place.ts";
import { type Ended, type ProcessLife, startLife, within } from "./process-life.ts";
import type { Recorder } from "./recorder.ts";
import type { LifeEnd, LifePlan, WorldsStep } from "./torture-plan.ts";

/** What the processes themselves did wrong, apart from what the auditor finds. */
export type Mishap = { readonly life: number; readonly what: string };

export type Story = {
  readonly mishaps: Mishap[];
  readonly kills: Record<string, number>;
  stops: number;
  /** Starts on a full disk, which end with a message. */
  refusedStarts: number;
  lives: number;
  /** From the start of a process to its readiness, milliseconds. */
  readonly startsMs: number[];
  readonly stopsMs: number[];
};

export type Run = {
  readonly clock: Clock;
  readonly executable: string;
  readonly place: Place;
  readonly recorder: Recorder;
  readonly people: Workload;
  readonly backlog: Backlog;
  /** Does what the world does; back to what is usual by itself. */
  readonly trouble: (step: WorldsStep) => void;
  /** Gives a command over the control socket. */
  readonly command: Command;
  /** Gives a command by the executable. */
  readonly typed: Command;
  readonly story: Story;
  /** Whatever people still do. */
  readonly busy: Set<Promise<void>>;
};

/** A start on a large database takes its time; this one hangs. */
const MAX_START_MS = 30_000;
/** Whatever moment was awaited, a life ends then. */
const MAX_LIFE_MS = 3000;
/** A patient life lets go what waits but for so many before its end is awaited, as long as that takes no longer. */
const BACKLOG = 1500;
const CATCHING_UP_MS = 6000;
/** What is promised, and what a busy machine adds (docs/administration.md#stop). */
const MAX_STOP_MS = 10_000;

export function newStory(): Story {
  return { mishaps: [], kills: {}, stops: 0, refusedStarts: 0, lives: 0, startsMs: [], stopsMs: [] };
}

/** Starts the process and lets what is planned happen until its end. */
export async function live(run: Run, plan: LifePlan): Promise<void> {
  const { clock, story } = run;
  const before = diskChanges(run);
  const life = startNext(run);
  const number = story.lives;
  for (const step of plan.steps) clock.after(step.atMs, () => perform(run, step));
  for (const trouble of plan.troubles) clock.after(trouble.atMs, () => run.trouble(trouble));
  const log = `${run.place.data}/bendre.db-wal`;
  const begun = life.ready.then(() =>
    plan.isPatient ? caughtUp(clock, run.backlog, BACKLOG, CATCHING_UP_MS) : null,
  );
  const comes = moment(clock, run.recorder, log, begun, plan.end.moment);
  const atLast = begun.then(() => wait(clock, MAX_LIFE_MS));
  const longestMs = MAX_START_MS + CATCHING_UP_MS + MAX_LIFE_MS;
  await within(clock, longestMs, Promise.race([comes, atLast, life.ended]));
  await end(run, life, plan.end);
  if (plan.typed !== null) await run.typed(plan.typed, {});
  await wait(clock, plan.downMs);
  judgeLog(run, number, life, before);
}

/** How often the disk was filled or freed until now: an odd number, and it is full. */
export function diskChanges({ recorder }: Run): number {
  return recorder.counts.get("disk") ?? 0;
}

/** Starts a process; when it is ready or fails is written down. */
export function startNext({ clock, executable, place, recorder, story }: Run): ProcessLife {
  story.lives += 1;
  const number = story.lives;
  recorder.observe({ kind: "life", life: number, what: "starting" });
  const beganMs = clock.steadyMs();
  const life = startLife(executable, place.config, place.log);
  void life.ready.then((isReady) => {
    if (!isReady) return;
    story.startsMs.push(clock.steadyMs() - beganMs);
    recorder.observe({ kind: "life", life: number, what: "ready" });
  });
  return life;
}

async function end(run: Run, life: ProcessLife, planned: LifeEnd): Promise<unknown> {
  const { story } = run;
  const number = story.lives;
  if (life.isOver())
    return refusedByDisk(run, life) ?? failed(run, number, await life.ended, "it ended by itself");
  if (planned.kind === "kill") {
    life.kill();
    const ended = await life.ended;
    if (ended.signal !== "SIGKILL") return failed(run, number, ended, "it ended by itself");
    return killed(run, number, planned.moment.at === "seen" ? planned.moment.what : planned.moment.at);
  }
  await stop(run, life, planned.killedAfterMs);
}

/** SIGTERM; it must exit 0 within its time, unless it is killed meanwhile. */
export async function stop(run: Run, life: ProcessLife, killedAfterMs: number | null): Promise<unknown> {
  const { clock, recorder, story } = run;
  const number = story.lives;
  const isReady = await within(clock, 0, life.ready);
  recorder.observe({ kind: "life", life: number, what: "stopping" });
  const beganMs = clock.steadyMs();
  life.stop();
  const ended = await within(clock, killedAfterMs ?? MAX_STOP_MS + 2000, life.ended);
  const tookMs = clock.steadyMs() - beganMs;
  if (ended === null) {
    life.kill();
    const late = await life.ended;
    if (killedAfterMs === null) mishap(run, number, `it did not stop within ${MAX_STOP_MS} ms`);
    if (late.signal === "SIGKILL") return killed(run, number, "stopping");
  }
  const { code, signal } = await life.ended;
  // A signal before its handlers are there ends it as it ends any program.
  const isTooEarly = signal === "SIGTERM" && isReady !== true;
  if (isTooEarly) return killed(run, number, "starting, by SIGTERM");
  // A full disk may refuse the start while the signal is on its way.
  if (code !== 0)
    return refusedByDisk(run, life) ?? failed(run, number, { code, signal }, "it was asked to stop");
  if (tookMs > MAX_STOP_MS) mishap(run, number, `it took ${Math.round(tookMs)} ms to stop`);
  story.stops += 1;
  story.stopsMs.push(tookMs);
  recorder.observe({ kind: "life", life: number, what: "stopped" });
}

function killed({ recorder, story }: Run, life: number, when: string): void {
  story.kills[when] = (story.kills[when] ?? 0) + 1;
  recorder.observe({ kind: "life", life, what: "killed", detail: when });
}

/** A process that cannot write does not start, and says so; what was planned for it is left out. */
function refusedByDisk({ place, recorder, story }: Run, life: ProcessLife): true | null {
  if (place.disk === null || !life.lines.some((line) => NO_START.test(line))) return null;
  story.refusedStarts += 1;
  recorder.observe({ kind: "life", life: story.lives, what: "failed", detail: "its disk is full" });
  return true;
}

function failed(run: Run, life: number, { code, signal }: Ended, why: string): void {
  const detail = `${why}: exit ${code ?? signal}`;
  run.recorder.observe({ kind: "life", life, what: "failed", detail });
  mishap(run, life, detail);
}

function mishap({ story }: Run, life: number, what: string): void {
  story.mishaps.push({ life, what });
}

/** What the log of a life holds that it may not; `before` is what `diskChanges` was when it began. */
export function judgeLog(run: Run, number: number, life: ProcessLife, before: number): void {
  const hadDiskTrouble = before % 2 === 1 || diskChanges(run) > before;
  for (const line of logFaults(life.lines, hadDiskTrouble)) mishap(run, number, `logged: ${line}`);
}

function perform(run: Run, step: PeoplesStep): void {
  const done: Promise<void> = run.people.perform(step).then(
    () => {
      run.busy.delete(done);
    },
    (error: Error) => {
      run.busy.delete(done);
      mishap(
        run,
        run.story.lives,
        `step ${step.index} (${step.kind}) failed: ${error.stack ?? error.message}`,
      );
    },
  );
  run.busy.add(done);
}
