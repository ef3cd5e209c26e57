import { Cron } from "croner";
import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { derived } from "../config/in-force.ts";
import type { AdminContext } from "../operations/context.ts";
import { checkBooks } from "../reports/ledger-check.ts";
import type { Store } from "../store/store.ts";
import { lastCheck } from "../wallet/checks.ts";

/** When the books are checked every night. */
const NIGHTLY = "30 3 * * *";

/** A check that came to no end is tried again this much later: it reads everything, and what was in its way may pass. */
const AGAIN_MS = 3_600_000;

export type NightlyDeps = {
  /** Whose nights: an IANA name. */
  readonly timezone: () => string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: AdminContext["machine"];
};

/** One look; what it waits for ends with the signal. */
type NightlyCheck = (isStopping?: () => boolean, stopping?: AbortSignal) => Promise<boolean>;

/**
 * Asked every minute or so, checks the books once a night; a night that the appliance was off is made up for. A
 * difference is an alarm in the log, and in `GET /health` until a check finds none; so is a check that fails.
 */
export function nightlyCheck({ timezone, store, clock, log, machine }: NightlyDeps): NightlyCheck {
  const nights = derived(timezone, (zone) => new Cron(NIGHTLY, { timezone: zone, paused: true }));
  const nightAfter = (atMs: number) =>
    nights().nextRun(new Date(atMs))?.getTime() ?? Number.POSITIVE_INFINITY;
  const last = lastCheck(store.read);
  let dueMs = last?.failure ? last.checkedAtMs + AGAIN_MS : nightAfter(last?.checkedAtMs ?? clock.nowMs());
  return async (_isStopping, stopping) => {
    // A clock that ran ahead may have put it off for years.
    dueMs = Math.min(dueMs, nightAfter(clock.nowMs()));
    if (clock.nowMs() < dueMs) return false;
    dueMs = clock.nowMs() + AGAIN_MS;
    try {
      const { found } = await checkBooks({ store, clock, machine }, stopping);
      dueMs = nightAfter(clock.nowMs());
      const { differences, ...counts } = found;
      if (differences.length === 0) log.info("the books agree", counts);
      else
        log.error("the books differ", { ...counts, differences: differences.length, first: differences[0] });
    } catch (error) {
      if (stopping?.aborted) return false;
      log.error("the books could not be checked", { ...errorFields(error) });
    }
    return false;
  };
}
