/** Takes one more arrival and tells how many came in the span before it, itself included. Times never step backwards. */
export type RateWatch = (arrivedMs: number, nowMs: number) => number;

/** A little under a second: what left a second apart may arrive closer, bunched by the network. */
const SPAN_MS = 950;

/**
 * Counts arrivals that cannot be further apart than the span. `arrivedMs` is the earliest moment at which this one can have come,
 * which is before `nowMs` when we were busy with something else and only now read it.
 */
export function createRateWatch(): RateWatch {
  let arrivals: number[] = [];
  let gone = 0;
  return (arrivedMs, nowMs) => {
    arrivals.push(arrivedMs);
    while ((arrivals[gone] ?? nowMs) <= nowMs - SPAN_MS) gone += 1;
    if (gone * 2 > arrivals.length) {
      arrivals = arrivals.slice(gone);
      gone = 0;
    }
    return arrivals.length - gone;
  };
}
