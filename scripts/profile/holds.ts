/** How long the event loop was held: a timer of a millisecond that comes late tells. */

/** `endedUs`: microseconds since the epoch, as samples of the processor bear them. */
export type Hold = { readonly ms: number; readonly endedUs: number };

export type HoldsWatch = { readonly longest: () => readonly Hold[]; readonly reset: () => void };

const KEPT = 5;

export function watchHolds(): HoldsWatch {
  let longest: Hold[] = [];
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    const ms = now - last - 1;
    last = now;
    if (ms <= (longest[KEPT - 1]?.ms ?? 0)) return;
    const hold: Hold = { ms, endedUs: (performance.timeOrigin + now) * 1000 };
    longest = [...longest, hold].toSorted((a, b) => b.ms - a.ms).slice(0, KEPT);
  }, 1);
  return {
    longest: () => [...longest],
    reset: () => {
      longest = [];
    },
  };
}
