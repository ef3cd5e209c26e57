/** What an operator said in the last minutes, from counters that only rise. */

/** What is counted of one operator since the start. */
export type OperatorCounts = {
  readonly operator: string;
  readonly throttled: number;
  readonly matched: number;
  readonly unmatched: number;
};

type Look = OperatorCounts & { readonly atMs: number };

/** What is remembered of one operator between two looks. */
export type TrafficMemory = {
  /** One look a minute, for fifteen minutes. */
  readonly looks: readonly Look[];
  /** Since when it throttles, and when it last did. */
  readonly throttledSinceMs: number | null;
  readonly throttledAtMs: number;
  readonly lastThrottled: number;
};

/** An operator's receipts in the last 15 minutes, and since when it asks for less; null while it does not. */
export type Traffic = {
  readonly operator: string;
  readonly matched: number;
  readonly unmatched: number;
  readonly throttledSinceMs: number | null;
};

const SPAN_MS = 900_000;
const LOOK_MS = 60_000;
/** An operator that asked for less so recently still does: after each time the pace climbs back step by step. */
const THROTTLING_MS = 120_000;

/** Takes a look into account: what is remembered, and what it comes to. Pure. */
export function advanceTraffic(
  memory: TrafficMemory | undefined,
  counts: OperatorCounts,
  nowMs: number,
): { readonly memory: TrafficMemory; readonly traffic: Traffic } {
  const { operator } = counts;
  const now: Look = { ...counts, atMs: nowMs };
  const before = memory?.looks ?? [{ ...now, throttled: 0, matched: 0, unmatched: 0 }];
  const latest = before.at(-1) ?? now;
  const kept = before.filter(({ atMs }, place) => atMs > nowMs - SPAN_MS || place === before.length - 1);
  const looks = nowMs - latest.atMs >= LOOK_MS ? [...kept, now] : kept;
  const isNew = counts.throttled > (memory ? memory.lastThrottled : 0);
  const throttledAtMs = isNew ? nowMs : (memory?.throttledAtMs ?? Number.NEGATIVE_INFINITY);
  const isThrottling = nowMs - throttledAtMs < THROTTLING_MS;
  const throttledSinceMs = isThrottling ? (memory?.throttledSinceMs ?? nowMs) : null;
  const first = kept[0] ?? now;
  return {
    memory: { looks, throttledSinceMs, throttledAtMs, lastThrottled: counts.throttled },
    traffic: {
      operator,
      matched: Math.max(0, counts.matched - first.matched),
      unmatched: Math.max(0, counts.unmatched - first.unmatched),
      throttledSinceMs,
    },
  };
}
