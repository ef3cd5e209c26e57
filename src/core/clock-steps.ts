/** By how much a wall clock was put forward, and when; setting it back takes the latest of it away. */
export type ClockSteps = {
  /** Notes that the clock was set by `byMs`, and shows `wallMs` since. */
  readonly note: (byMs: number, wallMs: number) => void;
  /** By how much the clock was put forward since it showed `beganMs`, in milliseconds. */
  readonly putForwardMs: (beganMs: number) => number;
};

/** Steps that are remembered. */
const MOST_STEPS = 50;

export function clockSteps(): ClockSteps {
  const forward: { readonly atMs: number; byMs: number }[] = [];
  return {
    note: (byMs, wallMs) => {
      if (byMs > 0) forward.push({ atMs: wallMs - byMs, byMs });
      if (forward.length > MOST_STEPS) forward.shift();
      for (let backMs = -byMs; backMs > 0; ) {
        const last = forward.at(-1);
        if (!last) return;
        const takenMs = Math.min(backMs, last.byMs);
        last.byMs -= takenMs;
        backMs -= takenMs;
        if (last.byMs === 0) forward.pop();
      }
    },
    putForwardMs: (beganMs) =>
      forward.reduce((sumMs, { atMs, byMs }) => (atMs >= beganMs ? sumMs + byMs : sumMs), 0),
  };
}
