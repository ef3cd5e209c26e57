/** Tells how many came in the span before each; time in milliseconds that never step backwards. */
export type RateWatch = (nowMs: number) => number;

/** Nine tenths of a second: what left a second apart is read closer when the network, or we, were slow the first time. */
const SPAN_MS = 900;

/** Counts arrivals: the number in the span that ends with this one, itself included. */
export function rateWatch(): RateWatch {
  let arrivals: number[] = [];
  let gone = 0;
  return (nowMs) => {
    arrivals.push(nowMs);
    while ((arrivals[gone] ?? nowMs) <= nowMs - SPAN_MS) gone += 1;
    if (gone * 2 > arrivals.length) {
      arrivals = arrivals.slice(gone);
      gone = 0;
    }
    return arrivals.length - gone;
  };
}
