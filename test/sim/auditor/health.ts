/** When the world was sick enough for an appliance to refuse what it else must do. */
import type { History } from "./history.ts";

/** How long before and after a disk that fails or a clock that was set the appliance may still be affected, ms. */
const SLACK_MS = 2_000;

/** Whether it was starting, stopping, dead, on a sick disk, or with a clock that was set, at some moment of a period. */
export function mayBeUnwell(history: History, fromMs: number, toMs: number): boolean {
  return isDown(history, fromMs, toMs) || hasSickDisk(history, fromMs, toMs) || hasSetClock(history, toMs);
}

/** Not ready at some moment of a period: no life, or one that starts or stops. */
function isDown({ lives }: History, fromMs: number, toMs: number): boolean {
  return !lives.some(
    ({ readyAtMs, stoppingAtMs, endedAtMs }) =>
      readyAtMs !== null &&
      readyAtMs <= fromMs &&
      toMs < Math.min(stoppingAtMs ?? Infinity, endedAtMs ?? Infinity),
  );
}

function hasSickDisk({ observations }: History, fromMs: number, toMs: number): boolean {
  let sickSinceMs: number | null = null;
  for (const seen of observations) {
    if (seen.kind !== "disk") continue;
    if (seen.state !== "well") sickSinceMs ??= seen.atMs;
    else if (sickSinceMs !== null) {
      if (sickSinceMs <= toMs && seen.atMs + SLACK_MS >= fromMs) return true;
      sickSinceMs = null;
    }
  }
  return sickSinceMs !== null && sickSinceMs <= toMs;
}

/** A start may distrust a clock that was ever set back or far ahead. */
function hasSetClock({ observations }: History, toMs: number): boolean {
  return observations.some((seen) => seen.kind === "clock" && seen.atMs <= toMs);
}
