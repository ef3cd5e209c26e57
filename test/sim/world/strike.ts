/** Kills a process where a plan says. */
import type { Disk } from "../disk/disk.ts";
import type { Blow } from "../plan.ts";
import type { End, Life } from "./life.ts";
import type { Scheduler } from "./scheduler.ts";

/** A death that waits for a commit comes after this, when there is none. */
const MAX_WAIT_MS = 20_000;

export type Strike = {
  /** The one to be killed; it may be struck while it only begins to start. */
  readonly victim: (life: Life) => void;
};

/** Kills the next victim that is named. `ending` is told just before its end. */
export function strike(
  { disk, time }: { readonly disk: Disk; readonly time: Scheduler },
  blow: Blow,
  ending: () => void,
): Strike {
  const end: End = blow.how === "power" ? "power lost" : "killed";
  let victim: Life | null = null;
  let fell: string | null = null;
  const die = (detail: string): void => {
    fell ??= detail;
    if (!victim?.isAlive()) return;
    ending();
    victim.end(end, fell);
  };
  const fall = (detail: string): void => {
    if (!victim?.isAlive()) return;
    disk.killAt(null);
    disk.kill();
    die(detail);
  };
  if (blow.where === "between two commits") {
    time.after(blow.inMs, () => fall(blow.where));
  } else {
    const { where, commits } = blow;
    disk.killAt({ commits, where, onKill: () => die(`${where}, commit ${commits} from the step`) });
    time.after(MAX_WAIT_MS, () => fall("at rest"));
  }
  return {
    victim: (life) => {
      victim = life;
      if (fell !== null) die(fell);
    },
  };
}
