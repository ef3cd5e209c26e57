/** When the world was sick enough for an appliance to refuse what it else must do. */
import { clockSetsOf, diskStatesOf } from "./circumstances.ts";
import type { History, Life } from "./history.ts";
import { commandsNamed, once } from "./once.ts";

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

/** A start whose clock is more than five minutes behind the newest stored time is not ready; a minute less, as nobody knows that time. */
const BEHIND_MS = 4 * 60_000;

type Doubt = { readonly fromMs: number; readonly toMs: number };

function doubtsClock(history: History, fromMs: number, toMs: number): boolean {
  return clockDoubts(history).some((doubt) => doubt.fromMs <= toMs && doubt.toMs + SLACK_MS >= fromMs);
}

/** Lives that began with a clock behind what was stored: until it agrees, an administrator says it is right, or they end. */
const clockDoubts = once((history): readonly Doubt[] => {
  const accepts = commandsNamed(history, "clock accept").filter(({ wasDone }) => wasDone === "yes");
  return history.lives.flatMap((life) => {
    const newestMs = newestWallMs(history, life);
    const behindMs = newestMs - (life.startedAtMs + setByMs(history, life.startedAtMs));
    if (behindMs < BEHIND_MS) return [];
    const accepted = accepts.find(({ endedAtMs }) => (endedAtMs ?? 0) > life.startedAtMs)?.endedAtMs;
    const agreed = whenAgreed(history, life, newestMs);
    return [
      {
        fromMs: life.startedAtMs,
        toMs: Math.min(life.endedAtMs ?? Infinity, accepted ?? Infinity, agreed),
      },
    ];
  });
});

/** By how much the wall clock had been set by a moment. */
function setByMs(history: History, atMs: number): number {
  return clockSetsOf(history).reduce((sum, seen) => (seen.atMs <= atMs ? sum + seen.byMs : sum), 0);
}

/** The highest that the wall clock had shown before a life, as true time of a clock that was never set. */
function newestWallMs(history: History, { startedAtMs }: Life): number {
  const sets = clockSetsOf(history).filter((seen) => seen.atMs <= startedAtMs);
  return Math.max(...sets.map(({ atMs }) => atMs + setByMs(history, atMs - 0.001)), -Infinity);
}

function whenAgreed(history: History, { startedAtMs }: Life, newestMs: number): number {
  const sets = clockSetsOf(history).filter((seen) => seen.atMs > startedAtMs);
  const moments = [startedAtMs, ...sets.map(({ atMs }) => atMs)];
  const agreements = moments.map((atMs, index) => {
    const agreesAtMs = Math.max(atMs, newestMs - setByMs(history, atMs));
    return agreesAtMs < (moments[index + 1] ?? Infinity) ? agreesAtMs : Infinity;
  });
  return Math.min(...agreements);
}
