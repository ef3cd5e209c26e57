/** Background jobs that are done again and again: after a pause, or at once when they are woken. */
import type { Cancel, Clock } from "./clock.ts";
import { errorFields, type Log } from "./log.ts";

/** A background job under way: it can be woken and it can be stopped, and stopping waits for the run under way. */
export type Loop = {
  /** Runs as soon as the run under way ends, instead of at the next interval. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

export type LoopOptions = {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Between the end of one run and the start of the next. */
  readonly everyMs: number;
  /** After a run that threw: doubles from `everyMs` up to this. */
  readonly longestBackoffMs?: number;
  /**
   * One round of work. True asks for another round at once, because there is more to do. A long round checks `isStopping` between
   * its steps and ends early, because stopping waits for it; what it awaits elsewhere ends with the signal.
   */
  readonly runOnce: (
    isStopping: () => boolean,
    stopping: AbortSignal,
  ) => Promise<boolean | undefined> | boolean | undefined;
};

/** Starts a job that runs `runOnce` again and again, never twice at a time, with back-off while it fails. */
export function startLoop(options: LoopOptions): Loop {
  const { clock, log, name, everyMs } = options;
  const longestBackoffMs = options.longestBackoffMs ?? 60_000;
  let cancelTimer: Cancel = () => {};
  let underWay = false;
  let running: Promise<void> = Promise.resolve();
  let wakeAsked = false;
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;
  let failures = 0;

  const run = async (): Promise<void> => {
    let again = false;
    try {
      again = (await options.runOnce(isStopped, stopping.signal)) === true;
      failures = 0;
    } catch (error) {
      failures += 1;
      log.error("background job failed", { job: name, ...errorFields(error), failures });
    }
    underWay = false;
    if (isStopped()) return;
    const backoffMs = Math.min(longestBackoffMs, Math.max(everyMs, 1) * 2 ** Math.min(failures, 16));
    if (failures > 0) schedule(backoffMs);
    else if (again || wakeAsked) schedule(0);
    else schedule(everyMs);
  };

  const begin = (): void => {
    if (isStopped() || underWay) return;
    wakeAsked = false;
    underWay = true;
    running = run();
  };

  const schedule = (delayMs: number): void => {
    cancelTimer();
    if (delayMs > 0) {
      cancelTimer = clock.after(delayMs, begin);
      return;
    }
    let cancelled = false;
    cancelTimer = () => {
      cancelled = true;
    };
    clock.soon(() => {
      if (!cancelled) begin();
    });
  };

  schedule(0);
  return {
    wake: () => {
      if (isStopped()) return;
      wakeAsked = true;
      if (!underWay && failures === 0) schedule(0);
    },
    stop: async () => {
      stopping.abort();
      cancelTimer();
      await running;
    },
  };
}
