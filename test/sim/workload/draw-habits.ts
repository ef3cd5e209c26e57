/** Habits of centres and receivers: good, mild with a few bad ones, or terrible. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens } from "../chance.ts";
import type { CentreHabits, ReceiverHabits } from "../plan.ts";
import { pick, rangeFrom, rarely, weighted } from "./draw.ts";

export type Temper = "good" | "mild" | "terrible";

/** How bad the world of a run is. */
export function drawTemper(chance: Chance, isFaulty: boolean): Temper {
  const drawn = weighted<Temper>(chance, [
    [2, "good"],
    [5, "mild"],
    [2, "terrible"],
  ]);
  return isFaulty ? drawn : "good";
}

/** A command_status each: what means later, what is final, and what nobody knows. */
const REFUSALS = [0x08, 0x14, 0x58, 0x64, 0x0a, 0x0b, 0x45, 0x01, 0x66, 0xff, 0x102, 0x0400] as const;

const MOST: Readonly<Record<Temper, number>> = { good: 0, mild: 0.04, terrible: 0.3 };

/** How a centre behaves all the time. */
export function drawCentreHabits(chance: Chance, temper: Temper): CentreHabits {
  const bad = () => rarely(chance, MOST[temper]);
  return {
    responseMs: weighted(chance, [
      [4, rangeFrom(chance, [1, 30], [1, 100])],
      [2, rangeFrom(chance, [50, 400], [0, 1500])],
      [temper === "terrible" ? 2 : 0, rangeFrom(chance, [0, 500], [3000, 25_000])],
    ]),
    receiptMs: weighted(chance, [
      [4, rangeFrom(chance, [20, 800], [0, 4000])],
      [2, rangeFrom(chance, [1000, 20_000], [0, 60_000])],
      [1, rangeFrom(chance, [0, 1000], [60_000, 240_000])],
    ]),
    swallow: bad(),
    ignore: bad(),
    doubleResponse: bad(),
    contradict: bad(),
    refuse: bad(),
    refusals: [pick(chance, REFUSALS), pick(chance, REFUSALS), pick(chance, REFUSALS)],
    noReceipt: bad(),
    earlyReceipt: bad(),
    doubleReceipt: bad(),
    foreignReceipt: bad(),
    intermediateReceipt: bad() * 2,
    undelivered: happens(chance, 0.7) ? Math.round(chance.fraction() * 200) / 1000 : 0,
    refuseBind: bad(),
    deafToEnquire: bad(),
    ids: weighted(chance, [
      [3, "decimal"],
      [2, "hex"],
      [2, "hex then decimal"],
      [1, "decimal then padded"],
    ]),
    marks: weighted(chance, [
      [5, "both"],
      [2, "esm_class"],
      [1, "none"],
    ]),
    contradictReceipt: bad(),
    payloadReceipt: weighted(chance, [
      [6, 0],
      [1, 0.3],
      [1, 1],
    ]),
  };
}

/** What a centre does otherwise for a while: one or two habits, much stronger. */
export function drawCentreMood(chance: Chance): Partial<CentreHabits> {
  const much = () => pick(chance, [0.2, 0.5, 0.9, 1]);
  const one = (): Partial<CentreHabits> => {
    const habit = pick(chance, MOODS);
    if (habit !== "refuse") return { [habit]: much() };
    return { refuse: much(), refusals: [pick(chance, REFUSALS), pick(chance, REFUSALS)] };
  };
  return weighted<() => Partial<CentreHabits>>(chance, [
    [4, one],
    [3, () => ({ ...one(), ...one() })],
    [1, () => ({ refuse: 1, refusals: [0x58] })],
    [1, () => ({ responseMs: rangeFrom(chance, [500, 8000], [0, 20_000]) })],
    [1, () => ({ receiptMs: rangeFrom(chance, [0, 5000], [10_000, 120_000]) })],
  ])();
}

const MOODS = [
  ...(["swallow", "ignore", "doubleResponse", "contradict", "refuse", "noReceipt", "earlyReceipt"] as const),
  ...([
    "doubleReceipt",
    "foreignReceipt",
    "intermediateReceipt",
    "undelivered",
    "contradictReceipt",
  ] as const),
  ...(["refuseBind", "deafToEnquire"] as const),
] as const;

const FAILURES = [500, 503, 429, 404, 410, 302, 400, 200] as const;

/** How a receiver behaves all the time. */
export function drawReceiverHabits(chance: Chance, temper: Temper): ReceiverHabits {
  const bad = () => rarely(chance, MOST[temper] * 2);
  return {
    answerMs: rangeFrom(chance, [1, 200], [1, temper === "terrible" ? 6000 : 500]),
    fail: bad(),
    failures: [pick(chance, FAILURES), pick(chance, FAILURES)],
    broken: bad(),
    silent: bad(),
  };
}

/** What a receiver does otherwise for a while: until it is disabled, in some. */
export function drawReceiverMood(chance: Chance): Partial<ReceiverHabits> {
  const much = pick(chance, [0.3, 0.7, 1, 1]);
  return weighted<Partial<ReceiverHabits>>(chance, [
    [4, { fail: much, failures: [pick(chance, FAILURES)] }],
    [2, { broken: much }],
    [2, { silent: much }],
    [2, { answerMs: [0, between(chance, [1000, 20_000])] }],
  ]);
}
