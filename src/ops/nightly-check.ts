/** Proves the books once a night (docs/behaviour.md#proof-of-the-books), and logs what differs. */
import type { AdminContext } from "../admin/operations/context.ts";
import { runLedgerCheck } from "../admin/reports/ledger-check.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import { readCreatedAtMs } from "../db/clock-marks.ts";
import type { Store } from "../db/store.ts";
import { lastCheck } from "../domain/ledger/books-check.ts";
import { english } from "../i18n/text.ts";
import { nights } from "./nightly-schedule.ts";

/** When the books are checked every night. */
const NIGHTLY = "30 3 * * *";

type NightlyDeps = {
  /** Whose nights: an IANA name. */
  readonly timezone: () => string;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: AdminContext["machine"];
};

/** One round; what it waits for ends with the signal. */
type NightlyCheck = (isStopping?: () => boolean, stopping?: AbortSignal) => Promise<boolean>;

/**
 * Asked every minute or so, checks the books once a night; a night that the appliance was off is made up for. A
 * difference is an alert in the log, and in `GET /health` until a check finds none; so is a check that fails.
 */
export function nightlyCheck({ timezone, store, clock, log, machine }: NightlyDeps): NightlyCheck {
  const last = lastCheck(store.read);
  const due = nights(
    { pattern: () => NIGHTLY, timezone, clock },
    last
      ? { atMs: last.checkedAtMs, hasFailed: last.failure !== null }
      : { atMs: readCreatedAtMs(store.read), hasFailed: false },
  );
  return async (_isStopping, stopping) => {
    if (!due.isDue()) return false;
    due.begun();
    try {
      const { found } = await runLedgerCheck({ store, clock, machine }, stopping);
      due.done();
      const { differences, ...counts } = found;
      if (differences.length === 0) log.info("the books agree", counts);
      else
        log.error("the books differ", {
          ...counts,
          differences: differences.length,
          first: differences.slice(0, 1).map(english)[0],
        });
    } catch (error) {
      if (stopping?.aborted) return false;
      log.error("the books could not be checked", { ...errorFields(error) });
    }
    return false;
  };
}
