import type { Link } from "./link.ts";

/** How often a line that may claim nothing yet asks again. */
const HELD_LOOK_MS = 1000;

/**
 * When a line is to look again what its links may submit, on the steady clock: while it is held in a second, else when the
 * first of the bound links that have used up their pace may go on; null when there is none.
 */
export function nextTurnMs(links: readonly Link[], nowMs: number, isHeld: boolean): number | null {
  if (isHeld) return nowMs + HELD_LOOK_MS;
  const waiting = links.filter((link) => link.isBound && link.pace.available(nowMs) < 1);
  return waiting.length === 0 ? null : Math.min(...waiting.map((link) => link.pace.nextAtMs(nowMs)));
}
