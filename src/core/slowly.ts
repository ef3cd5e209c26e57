import type { Clock } from "./clock.ts";

/** Making takes no more than a fiftieth of the time, however long it is. */
const KEPT_TIMES = 50;

/**
 * What `make` made, kept for `keptMs`, or for so long that making it costs others little; who asks meanwhile waits for the same.
 * Making takes as long as the shorter of the last two times: a machine that stood still once has not counted long.
 * What failed is not kept.
 */
export function cacheExpensive<Value>(
  clock: Clock,
  keptMs: number,
  make: () => Promise<Value>,
): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  let goodUntilMs = 0;
  let lastTookMs = 0;
  const anew = async (): Promise<Value> => {
    const beganMs = clock.steadyMs();
    goodUntilMs = Number.POSITIVE_INFINITY;
    try {
      const value = await make();
      const nowMs = clock.steadyMs();
      const tookMs = nowMs - beganMs;
      goodUntilMs = nowMs + Math.max(keptMs, KEPT_TIMES * Math.min(tookMs, lastTookMs));
      lastTookMs = tookMs;
      return value;
    } catch (error) {
      made = null;
      throw error;
    }
  };
  return () => {
    if (made === null || clock.steadyMs() >= goodUntilMs) made = anew();
    return made;
  };
}
