/**
 * What an end of the process may undo. What the appliance heard counts once it is committed, and nobody outside sees that: it needs a
 * moment, and as long as the disk takes no writes or others have the machine it waits.
 */
import { lifeBegunBy } from "./circumstances.ts";
import type { History, Life } from "./history.ts";
import { once } from "./once.ts";

/** So long may what was heard wait for its commit in a simulated world: some syncs of the slowest disk, and what waits before it. */
const COMMIT_MS = 250;
/** The same on a real machine, where others may have the cores, and large submissions are written meanwhile. */
const BUSY_COMMIT_MS = 10_000;

/** What a disk refused is tried again so long after it is well. */
const AGAIN_MS = 2_000;

/** So long may what was heard wait for its commit. A run that is seen at the centres' end alone is one of real processes. */
export const commitMs = once(({ observations }: History): number =>
  observations.some((seen) => seen.kind === "pdu" && seen.at === "appliance") ? COMMIT_MS : BUSY_COMMIT_MS,
);

export type Unwell = { readonly fromMs: number; readonly toMs: number };

/** When the machine had hardly time for the process. */
const busyTimes = once((history) => readUnwell(history, "machine"));

/** When the disk took no writes, or the machine had hardly time for the process. */
export const unwellTimes = once((history) => [...readUnwell(history, "disk"), ...busyTimes(history)]);

/** When what left then may have been handed over: a process that is held up hands over long before anything leaves. */
export function handedOverMs(history: History, leftAtMs: number): number {
  const held = busyTimes(history).filter(
    ({ fromMs, toMs }) => fromMs <= leftAtMs && leftAtMs <= toMs + commitMs(history),
  );
  return Math.min(leftAtMs, ...held.map(({ fromMs }) => fromMs));
}

function readUnwell({ observations, endAtMs }: History, of: "disk" | "machine"): readonly Unwell[] {
  const times: Unwell[] = [];
  let since: number | null = null;
  for (const seen of observations) {
    if (seen.kind !== of || !("state" in seen)) continue;
    if (seen.state !== "well") since ??= seen.atMs;
    else if (since !== null) {
      times.push({ fromMs: since, toMs: seen.atMs });
      since = null;
    }
  }
  return since === null ? times : [...times, { fromMs: since, toMs: endAtMs }];
}

/**
 * The end of the life that may have undone what was heard then; null when it is safe. An orderly stop undoes nothing but what the
 * disk did not take, which is not tried again once it was asked for (docs/administration.md#stop).
 */
export function deathThatUndid(history: History, heardAtMs: number): Life | null {
  const life = lifeBegunBy(history.lives, heardAtMs);
  if (!life || life.endedAtMs === null) return null;
  const endedAtMs = life.endedAtMs;
  const withinMs = commitMs(history);
  // Also of a stop that death cut short.
  const lastTryMs = life.stoppingAtMs ?? endedAtMs;
  if (endedAtMs - heardAtMs <= withinMs && life.end !== "stopped") return life;
  const waited = unwellTimes(history).some(
    ({ fromMs, toMs }) => fromMs <= heardAtMs + withinMs && toMs + Math.max(withinMs, AGAIN_MS) >= lastTryMs,
  );
  return waited ? life : null;
}
