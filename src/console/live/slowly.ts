import type { Clock } from "../../base/clock.ts";

/** Work takes no more than a fiftieth of the time, however long it is. */
const KEPT_TIMES = 50;

/**
 * What `make` made, kept for `keptMs` and for so long that making it costs others little; who asks meanwhile waits for the same.
 * What failed is not kept.
 */
export function slowly<Value>(
  clock: Clock,
  keptMs: number,
  make: () => Promise<Value>,
): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  let goodUntilMs = 0;
  const anew = async (): Promise<Value> => {
    const beganMs = clock.steadyMs();
    goodUntilMs = Number.POSITIVE_INFINITY;
    try {
      const value = await make();
      const nowMs = clock.steadyMs();
      goodUntilMs = nowMs + Math.max(keptMs, KEPT_TIMES * (nowMs - beganMs));
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
