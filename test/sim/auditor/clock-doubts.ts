/**
 * When a start's clock was doubted: "a start more than five minutes behind the newest stored wall time, or more than 400 days ahead of
 * it, is not `ready`, until the clock agrees or `clock accept` was said". Nobody outside sees what is stored: it is the highest that
 * the clock had shown while it was believed.
 */
import { clockSetsOf } from "./circumstances.ts";
import type { History, Life } from "./history.ts";
import { commandsNamed, once } from "./once.ts";

/** Times are true ones. */
export type Doubt = { readonly fromMs: number; readonly toMs: number };

/** A minute less, as the time is noted once a minute. */
const BEHIND_MS = 4 * 60_000;
/** A day less. */
const AHEAD_MS = 399 * 86_400_000;
/** A jump ahead by more is not believed before it lasted for ten minutes. */
const JUMP_MS = 6 * 3_600_000;
const LASTING_MS = 9 * 60_000;

/** From then to then the wall clock was that far ahead of where it stood at the beginning. */
type Stretch = { readonly fromMs: number; readonly toMs: number; readonly aheadMs: number };

/** Starts whose clock was doubted: until it agrees, an administrator says it is right, or the life ends. */
export const clockDoubts = once((history): readonly Doubt[] => {
  const accepts = commandsNamed(history, "clock accept").filter(({ wasDone }) => wasDone === "yes");
  const doubts: Doubt[] = [];
  let newestMs: number | null = null;
  for (const life of history.lives) {
    const stretches = stretchesOf(history, life);
    const isAcceptedIn = (fromMs: number, toMs: number) =>
      accepts.some(({ endedAtMs }) => endedAtMs !== null && endedAtMs > fromMs && endedAtMs <= toMs);
    let believedFromMs = life.startedAtMs;
    if (newestMs !== null && isDoubted(life.startedAtMs + (stretches[0]?.aheadMs ?? 0), newestMs)) {
      const accepted = accepts.find(({ endedAtMs }) => (endedAtMs ?? 0) > life.startedAtMs)?.endedAtMs;
      believedFromMs = Math.min(accepted ?? Infinity, whenAgreed(stretches, newestMs));
      doubts.push({
        fromMs: life.startedAtMs,
        toMs: Math.min(life.endedAtMs ?? Infinity, believedFromMs),
      });
    }
    // A clock that is set back a little while nobody believes it is as far ahead as before.
    let believedAheadMs = stretches[0]?.aheadMs ?? 0;
    let jumpedAtMs: number | null = null;
    for (const { fromMs, toMs, aheadMs } of stretches) {
      const isJump = aheadMs - believedAheadMs > JUMP_MS;
      jumpedAtMs = isJump ? (jumpedAtMs ?? fromMs) : null;
      const isBelieved =
        jumpedAtMs === null || toMs - jumpedAtMs > LASTING_MS || isAcceptedIn(jumpedAtMs, toMs);
      if (isBelieved) believedAheadMs = aheadMs;
      if (toMs > believedFromMs && isBelieved) newestMs = Math.max(newestMs ?? -Infinity, toMs + aheadMs);
    }
  }
  return doubts;
});

function isDoubted(wallMs: number, newestMs: number): boolean {
  return newestMs - wallMs >= BEHIND_MS || wallMs - newestMs >= AHEAD_MS;
}

function whenAgreed(stretches: readonly Stretch[], newestMs: number): number {
  const moments = stretches.flatMap(({ fromMs, toMs, aheadMs }) => {
    const agreesAtMs = Math.max(fromMs, newestMs - aheadMs);
    return agreesAtMs < toMs && !isDoubted(agreesAtMs + aheadMs, newestMs) ? [agreesAtMs] : [];
  });
  return Math.min(...moments);
}

/** A life by what its wall clock said. */
function stretchesOf(history: History, { startedAtMs, endedAtMs }: Life): readonly Stretch[] {
  const endMs = endedAtMs ?? history.endAtMs;
  const sets = clockSetsOf(history);
  const aheadAt = (atMs: number) =>
    sets.reduce((sum, seen) => (seen.atMs <= atMs ? sum + seen.byMs : sum), 0);
  const within = sets.map(({ atMs }) => atMs).filter((atMs) => atMs > startedAtMs && atMs < endMs);
  const begins = [startedAtMs, ...within];
  return begins.map((fromMs, index) => ({
    fromMs,
    toMs: begins[index + 1] ?? endMs,
    aheadMs: aheadAt(fromMs),
  }));
}
