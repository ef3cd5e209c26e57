/**
 * How long the event loop of this process is held: a timer that comes late tells. The kernel counts per thread what it had of a core,
 * and how long it could have run while others had them all (schedstat, proc(5)). So each hold is told three times: as a client
 * feels it; without the wait for a core, which is the machine's; and as work alone, without the waits for the disk and for the
 * garbage collector's other threads. A machine that is itself stolen from shows that in all three.
 */
import { openSync, readSync } from "node:fs";

/** Milliseconds; `endedMs` since the epoch. */
export type Hold = {
  readonly endedMs: number;
  readonly ms: number;
  /** Without the wait for a core. */
  readonly ownMs: number;
  readonly cpuMs: number;
};

export type HoldOptions = {
  /** How often it looks; a shorter hold is not seen. */
  readonly everyMs: number;
  readonly shortestMs: number;
  /** Told of every hold that is as long. */
  readonly told: (hold: Hold) => void;
  /** Told of every look, after what it saw. */
  readonly looked?: () => void;
};

/** Watches the main thread, on which it is called, until the process ends. It keeps no process alive. */
export function watchHolds({ everyMs, shortestMs, told, looked = () => {} }: HoldOptions): void {
  const spent = coreTime();
  let [last, before] = [performance.now(), spent()];
  const look = (): void => {
    const [now, after] = [performance.now(), spent()];
    const ms = now - last - everyMs;
    if (ms >= shortestMs) {
      const ownMs = Math.max(0, ms - (after.waitedMs - before.waitedMs));
      told({ endedMs: performance.timeOrigin + now, ms, ownMs, cpuMs: after.ranMs - before.ranMs });
    }
    looked();
    [last, before] = [performance.now(), spent()];
  };
  setInterval(look, everyMs).unref();
}

/** What the main thread had of a core so far, and how long it waited for one, in milliseconds. */
function coreTime(): () => { readonly ranMs: number; readonly waitedMs: number } {
  const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const text = Buffer.alloc(128);
  return () => {
    const length = readSync(schedstat, text, 0, text.length, 0);
    const [ran, waited] = text.toString("latin1", 0, length).split(" ").map(Number);
    return { ranMs: (ran ?? 0) / 1e6, waitedMs: (waited ?? 0) / 1e6 };
  };
}
