import type { Cancel, Clock } from "../../core/clock.ts";
import { type MetricsRegistry, SHORT_SECONDS } from "../../core/count-book.ts";

/** How much later than asked the event loop came round. */
export const LOOP_HOLD_SECONDS = "bendre_loop_hold_seconds";

/** A hold is seen by a timer that is due meanwhile: so often one is, which costs nothing that could be measured. */
const LOOK_MS = 50;

/** Measures how long the event loop is held, until the function that it gives is called. */
export function measureLoopDelay(clock: Clock, tally: MetricsRegistry): () => void {
  const holds = tally.histograms(LOOP_HOLD_SECONDS, SHORT_SECONDS).of();
  let cancel: Cancel = () => {};
  const wait = (): void => {
    const dueMs = clock.steadyMs() + LOOK_MS;
    cancel = clock.after(LOOK_MS, () => {
      holds.observe(Math.max(0, clock.steadyMs() - dueMs) / 1000);
      wait();
    });
  };
  wait();
  return () => cancel();
}
