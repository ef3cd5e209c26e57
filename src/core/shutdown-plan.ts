/**
 * How everything is stopped: one plan, one owner, one deadline. What must not happen any more is ended first, at once and without
 * waiting; then every room stops, all together, against the one deadline; at the end comes what must never be left out, even when
 * a room hangs. A room that has not stopped in time is named in the log and left behind.
 */
import type { Clock } from "./clock.ts";
import { errorFields, type Log } from "./log.ts";

/** The moment by which a room must have ended. */
export type Deadline = {
  /** Milliseconds until then; 0 once it has passed. */
  readonly leftMs: () => number;
};

/** Stops one room. What it still waits for at the deadline is not waited for any more. */
type StopHook = (deadline: Deadline) => Promise<void> | void;

export type ShutdownPlan = {
  /** Done at once, in this order, before anything is waited for. */
  readonly first: (name: string, now: () => void) => void;
  /** Ended together with all others. */
  readonly together: (name: string, stop: StopHook) => void;
  /** Ended after all others, one after the other, the last added first, each with `lastMs` of its own. */
  readonly last: (name: string, stop: StopHook) => void;
  /** Runs the plan, once; returns the names of what was left behind. Never rejects. */
  readonly run: () => Promise<readonly string[]>;
};

type ShutdownPlanOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** For all that ends together, and for each that ends last. */
  readonly togetherMs: number;
  readonly lastMs: number;
};

type Part = { readonly name: string; readonly stop: StopHook };

/** An empty plan; rooms add themselves as they start. */
export function createShutdownPlan({ clock, log, togetherMs, lastMs }: ShutdownPlanOptions): ShutdownPlan {
  const firsts: { readonly name: string; readonly now: () => void }[] = [];
  const togethers: Part[] = [];
  const lasts: Part[] = [];
  let running: Promise<readonly string[]> | null = null;

  const failed = (name: string, error: unknown): void => {
    log.error("a part of the appliance did not stop cleanly", { part: name, ...errorFields(error) });
  };

  /** True when it ended, well or not; false when the deadline came first. */
  const within = async ({ name, stop }: Part, deadline: Deadline): Promise<boolean> => {
    const work = (async () => stop(deadline))().then(
      () => true,
      (error) => {
        failed(name, error);
        return true;
      },
    );
    const late = Promise.withResolvers<boolean>();
    const cancel = clock.after(deadline.leftMs(), () => late.resolve(false));
    const ended = await Promise.race([work, late.promise]);
    cancel();
    if (!ended) log.warn("a part of the appliance was left behind while stopping", { part: name });
    return ended;
  };

  const carryOut = async (): Promise<readonly string[]> => {
    const left: string[] = [];
    for (const { name, now } of firsts) {
      try {
        now();
      } catch (error) {
        failed(name, error);
      }
    }
    const deadline = createDeadline(clock, togetherMs);
    const ended = await Promise.all(togethers.map((part) => within(part, deadline)));
    left.push(...togethers.filter((_, index) => !ended[index]).map(({ name }) => name));
    for (const part of lasts.toReversed()) {
      if (!(await within(part, createDeadline(clock, lastMs)))) left.push(part.name);
    }
    return left;
  };

  return {
    first: (name, now) => {
      firsts.push({ name, now });
    },
    together: (name, stop) => {
      togethers.push({ name, stop });
    },
    last: (name, stop) => {
      lasts.push({ name, stop });
    },
    run: () => {
      running ??= carryOut();
      return running;
    },
  };
}

/** The moment `ms` from now. */
export function createDeadline(clock: Clock, ms: number): Deadline {
  const atMs = clock.steadyMs() + ms;
  return { leftMs: () => Math.max(0, atMs - clock.steadyMs()) };
}

/** Resolves with the work, or once `ms` have passed without it; a failure of the work is the caller's as well. */
export async function settleWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(ms, late.resolve);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
