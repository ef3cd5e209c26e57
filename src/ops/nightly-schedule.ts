/** When a nightly job is due; a night that was missed is made up for. */
import { Cron } from "croner";
import { deriveCached } from "../config/live-config.ts";
import type { Clock } from "../core/clock.ts";

/** What was not done is tried again this much later: it reads everything, and what was in its way may pass. */
const AGAIN_MS = 3_600_000;

type NightsDeps = {
  /** When, as a pattern of cron. */
  readonly pattern: () => string;
  /** Whose nights: an IANA name. */
  readonly timezone: () => string;
  readonly clock: Clock;
};

/** When something is due that is done once a night; a night that the appliance was off is made up for. */
type NightlySchedule = {
  readonly isDue: () => boolean;
  /** It is under way: unless it is done by then, it is due again in an hour. */
  readonly begun: () => void;
  readonly done: () => void;
};

/** `last`: when it was done last; where it never was, since when there is anything to do it to. */
export function nights(
  { pattern, timezone, clock }: NightsDeps,
  last: { readonly atMs: number; readonly hasFailed: boolean },
): NightlySchedule {
  const times = deriveCached(
    () => [pattern(), timezone()],
    ([at = "", zone = ""]) => new Cron(at, { timezone: zone, paused: true }),
  );
  const nightAfter = (atMs: number) => times().nextRun(new Date(atMs))?.getTime() ?? Number.POSITIVE_INFINITY;
  let dueMs = last.hasFailed ? last.atMs + AGAIN_MS : nightAfter(last.atMs);
  return {
    isDue: () => {
      // A clock that ran ahead, or another hour in the configuration, may have put it off.
      dueMs = Math.min(dueMs, nightAfter(clock.nowMs()));
      return clock.nowMs() >= dueMs;
    },
    begun: () => {
      dueMs = clock.nowMs() + AGAIN_MS;
    },
    done: () => {
      dueMs = nightAfter(clock.nowMs());
    },
  };
}
