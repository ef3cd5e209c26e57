/** How fast one session, or several that share it, may submit (`Pace`): a rate limit that is halved when the operator throttles, and restored step by step. */
import { assert } from "../core/assert.ts";

/**
 * How fast one session may submit: at most `throughput` submit_sm in any one-second span, as the operator counts them. When the
 * operator still answers "too fast", the granted rate is halved and nothing leaves for a second, for longer each time when even
 * the slowest rate was too much; after quiet time it climbs back step by step. The submits of a second are spread over it:
 * operators count in shorter spans too, and an urgent message that comes in the middle of a campaign soon gets its turn.
 * Time is an argument throughout: milliseconds that never step backwards.
 */
export type Pace = {
  /** How many may leave at this moment. */
  readonly available: (nowMs: number) => number;
  /** Counts `count` submits as leaving now; never more than are available. */
  readonly take: (nowMs: number, count: number) => void;
  /** The earliest moment at which one more may leave: now, or later. */
  readonly nextAtMs: (nowMs: number) => number;
  /** Sets another throughput from now on. What left in the last second still counts, and so do the operator's throttle answers. */
  readonly allow: (throughput: number) => void;
  /** The operator answered a submit that left at `sentAtMs` with "too much". Those sent before the last slow-down count once. */
  readonly throttled: (nowMs: number, sentAtMs: number) => void;
  /** Whether nothing leaves for a while, because the operator answered "too much". */
  readonly isResting: (nowMs: number) => boolean;
  /** Submits a second granted at this moment, for `operator status`. */
  readonly grantedPerSecond: (nowMs: number) => number;
  /** Submits that left in the last second. */
  readonly lastSecond: (nowMs: number) => number;
  /** The session goes by this pace from now on: what left by the one before in the last second counts, and its rest goes on. */
  readonly takeOver: (before: Pace, nowMs: number) => void;
};

/** A second and 20 ms: what leaves evenly may still arrive bunched by the network. */
const SPAN_MS = 1_020;
const SECOND_MS = 1_000;
/** How far ahead of an even flow submits may leave, to make up for what a busy event loop misses. */
const BURST_MS = SPAN_MS / 20;
/** They leave a few at a time, this long apart, rather than each in a turn of its own. */
const TURN_MS = SPAN_MS / 50;
const MIN_REST_MS = 1_000;
const MAX_REST_MS = 10_000;
/** The rate climbs one step for each such time without a throttle answer. */
const QUIET_MS = 5_000;
/** Each step adds this share of the current rate, so that it climbs carefully however far off the throughput is. */
const STEP_SHARE = 0.25;
/** Tolerance, so that a third and two thirds make one. */
const TINY = 1e-9;

/** A slow session may be two submits ahead, or it would lose each submit that is a little late. */
function burstOf(shareMs: number): number {
  return Math.max(BURST_MS, 2 * shareMs);
}

type LeavingTimes = {
  /** When the submit `places` before the next one left: 1 is the latest. */
  readonly back: (places: number) => number;
  readonly add: (atMs: number) => void;
  /** How many of the last `most` left less than `spanMs` ago. */
  readonly within: (nowMs: number, spanMs: number, most: number) => number;
  /** The same times in a buffer of another size. */
  readonly resized: (size: number) => LeavingTimes;
};

/** When each of the last `size` submits left: a ring buffer, so that the cost does not grow with the rate. */
function leavingTimes(size: number): LeavingTimes {
  const leftAtMs = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  const back = (places: number): number =>
    leftAtMs[(next - places + size) % size] ?? Number.NEGATIVE_INFINITY;
  return {
    back,
    resized: (other: number) => {
      const resized = leavingTimes(other);
      for (let places = Math.min(size, other); places > 0; places--) resized.add(back(places));
      return resized;
    },
    add: (atMs) => {
      leftAtMs[next] = atMs;
      next = (next + 1) % size;
    },
    within: (nowMs, spanMs, most) => {
      // They are in order, so a binary search finds it.
      let recent = 0;
      let bound = most;
      while (recent < bound) {
        const middle = Math.floor((recent + bound) / 2);
        if (nowMs - back(middle + 1) < spanMs) recent = middle + 1;
        else bound = middle;
      }
      return recent;
    },
  };
}

/** The pace of one session, from its configured throughput in submit_sm a second. */
export function createPace(configured: number): Pace {
  assert(Number.isInteger(configured) && configured > 0, "throughput must be a whole number above 0");
  let throughput = configured;
  let left = leavingTimes(throughput);
  /** Until when what has left would have lasted, had it left evenly. */
  let flownUntilMs = Number.NEGATIVE_INFINITY;
  let reduced = throughput;
  let restMs = MIN_REST_MS;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  let reducedAtMs = Number.NEGATIVE_INFINITY;

  const granted = (nowMs: number): number => {
    if (reduced === throughput) return throughput;
    const quietSteps = Math.max(0, Math.floor((nowMs - restsUntilMs) / QUIET_MS));
    let rate = reduced;
    for (let step = 0; step < quietSteps && rate < throughput; step++) rate += Math.ceil(rate * STEP_SHARE);
    return Math.min(throughput, rate);
  };

  /** How many more an even flow allows at this moment: each takes its share of the span. */
  const evenly = (nowMs: number, rate: number): number => {
    const shareMs = SPAN_MS / rate;
    const aheadMs = Math.max(0, flownUntilMs - nowMs);
    return Math.max(0, Math.floor((burstOf(shareMs) - aheadMs) / shareMs + TINY));
  };

  const available = (nowMs: number): number => {
    if (nowMs < restsUntilMs) return 0;
    const rate = granted(nowMs);
    return Math.min(rate - left.within(nowMs, SPAN_MS, rate), evenly(nowMs, rate));
  };

  const count = (nowMs: number, submits: number): void => {
    for (let taken = 0; taken < submits; taken++) left.add(nowMs);
    flownUntilMs = Math.max(flownUntilMs, nowMs) + (submits * SPAN_MS) / granted(nowMs);
  };

  const throttled = (nowMs: number, sentAtMs: number): void => {
    if (nowMs < restsUntilMs || sentAtMs < reducedAtMs) return;
    const rate = granted(nowMs);
    restMs = rate === 1 && reduced === 1 ? Math.min(MAX_REST_MS, restMs * 2) : MIN_REST_MS;
    reduced = Math.max(1, Math.floor(rate / 2));
    reducedAtMs = nowMs;
    restsUntilMs = nowMs + restMs;
  };

  return {
    available,
    take: (nowMs, submits) => {
      assert(submits <= available(nowMs), "more submits than the pace allows");
      count(nowMs, submits);
    },
    nextAtMs: (nowMs) => {
      const rate = granted(nowMs);
      const shareMs = SPAN_MS / rate;
      const wantedMs = Math.max(TURN_MS, shareMs);
      const evenlyAtMs = flownUntilMs - burstOf(shareMs) + wantedMs;
      return Math.max(nowMs, restsUntilMs, left.back(rate) + SPAN_MS, Math.ceil(evenlyAtMs));
    },
    allow: (allowed) => {
      reduced = reduced === throughput ? allowed : Math.min(reduced, allowed);
      if (allowed !== throughput) left = left.resized(allowed);
      throughput = allowed;
    },
    throttled,
    isResting: (nowMs) => nowMs < restsUntilMs,
    grantedPerSecond: granted,
    lastSecond: (nowMs) => left.within(nowMs, SECOND_MS, throughput),
    takeOver: (before, nowMs) => {
      count(nowMs, before.lastSecond(nowMs));
      if (before.isResting(nowMs)) throttled(nowMs, nowMs);
    },
  };
}

/** One session's part of a pace that several share: what leaves by it counts for all, and what left by it alone is told. */
export function createPacePart(shared: Pace, configured: number): Pace {
  let throughput = configured;
  let left = leavingTimes(throughput);
  const count = (nowMs: number, submits: number): void => {
    for (let taken = 0; taken < submits; taken++) left.add(nowMs);
  };
  return {
    ...shared,
    take: (nowMs, submits) => {
      shared.take(nowMs, submits);
      count(nowMs, submits);
    },
    allow: (allowed) => {
      shared.allow(allowed);
      if (allowed !== throughput) left = left.resized(allowed);
      throughput = allowed;
    },
    lastSecond: (nowMs) => left.within(nowMs, SECOND_MS, throughput),
    takeOver: (before, nowMs) => {
      shared.takeOver(before, nowMs);
      count(nowMs, before.lastSecond(nowMs));
    },
  };
}
