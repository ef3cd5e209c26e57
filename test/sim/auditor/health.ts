/** When the world was sick enough for an appliance to refuse what it else must do. */
import { diskStatesOf } from "./circumstances.ts";
import { clockDoubts } from "./clock-doubts.ts";
import type { History } from "./history.ts";

/** How long after a disk that failed or a clock that is believed again the appliance may still be affected, ms. */
const SLACK_MS = 2_000;

/** Whether it was starting, stopping, dead, on a sick disk, or doubted its clock since its start, at some moment of a period. */
export function mayBeUnwell(history: History, fromMs: number, toMs: number): boolean {
  return (
    isDown(history, fromMs, toMs) || hasSickDisk(history, fromMs, toMs) || doubtsClock(history, fromMs, toMs)
  );
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

function hasSickDisk(history: History, fromMs: number, toMs: number): boolean {
  let sickSinceMs: number | null = null;
  for (const seen of diskStatesOf(history)) {
    if (seen.state !== "well") sickSinceMs ??= seen.atMs;
    else if (sickSinceMs !== null) {
      if (sickSinceMs <= toMs && seen.atMs + SLACK_MS >= fromMs) return true;
      sickSinceMs = null;
    }
  }
  return sickSinceMs !== null && sickSinceMs <= toMs;
}

function doubtsClock(history: History, fromMs: number, toMs: number): boolean {
  return clockDoubts(history).some((doubt) => doubt.fromMs <= toMs && doubt.toMs + SLACK_MS >= fromMs);
}
