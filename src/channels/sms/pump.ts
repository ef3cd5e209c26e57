import type { Cancel, Clock } from "../../core/clock.ts";
import type { Link } from "./link.ts";

/** When a line looks what its links may take: as soon as something has changed, and when their pace allows more. */
export type Pump = {
  /** Something has changed: looks once at the end of this turn, however often it is asked. */
  readonly ask: () => void;
  readonly stop: () => void;
};

/** How often a line that may claim nothing yet asks again. */
const HELD_LOOK_MS = 1000;

/** `look` is asked for each link in turn, with the steady clock's time; `isHeld`: nothing may be claimed for now. */
export function pump(
  clock: Clock,
  links: readonly Link[],
  isHeld: () => boolean,
  look: (link: Link, nowMs: number) => void,
): Pump {
  let isAsked = false;
  let isStopped = false;
  let cancelTimer: Cancel = () => {};

  /** One reading of the clock decides what may leave and when to look again, or a moment in between would be missed. */
  const run = (): void => {
    if (isStopped) return;
    const nowMs = clock.steadyMs();
    for (const link of links) look(link, nowMs);
    cancelTimer();
    const nextMs = nextLookMs(links, nowMs, isHeld());
    if (nextMs !== null) cancelTimer = clock.after(Math.max(1, nextMs - nowMs), run);
  };

  return {
    ask: () => {
      if (isAsked || isStopped) return;
      isAsked = true;
      queueMicrotask(() => {
        isAsked = false;
        run();
      });
    },
    stop: () => {
      isStopped = true;
      cancelTimer();
    },
  };
}

/**
 * When a line is to look again what its links may submit, on the steady clock: while it is held in a second, else when the
 * first of the bound links that have used up their pace may go on; null when there is none.
 */
function nextLookMs(links: readonly Link[], nowMs: number, isHeld: boolean): number | null {
  if (isHeld) return nowMs + HELD_LOOK_MS;
  const waiting = links.filter((link) => link.isBound && link.pace.available(nowMs) < 1);
  return waiting.length === 0 ? null : Math.min(...waiting.map((link) => link.pace.nextAtMs(nowMs)));
}
