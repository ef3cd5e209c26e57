/**
 * Keeps a restored appliance from being ready until somebody decided about what it holds back (docs/administration.md#after-a-restore).
 */
import { isoUtc } from "../core/clock.ts";
import type { Readiness } from "../core/health.ts";
import type { Log } from "../core/log.ts";
import type { Store } from "../db/store.ts";
import { isRestoring, lastRestore } from "../domain/messages/restore-holds.ts";
import { phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

type RestoreWatchDeps = {
  readonly store: Pick<Store, "read">;
  readonly readiness: Pick<Readiness, "hold">;
  readonly log: Log;
};

const ACTION = phrase("readiness.restored.action");

/**
 * As long as nobody decided what becomes of what a restored database holds as waiting, the appliance is not ready. The function that
 * it returns looks again.
 */
export function watchRestore({ store, readiness, log }: RestoreWatchDeps): () => void {
  let release: (() => void) | null = null;
  const look = (): void => {
    const isHeld = isRestoring(store.read);
    if (isHeld && release === null) {
      const restore = lastRestore(store.read);
      const madeAtMs = restore?.madeAtMs ?? 0;
      release = readiness.hold(
        phrase("readiness.restored", {
          made: madeAtMs,
          action: ACTION,
        }),
        "RESTORING",
      );
      log.warn("restored from a backup: receipts are taken, nothing is accepted or sent", {
        made_at: isoUtc(madeAtMs),
        action: english(ACTION),
      });
    }
    if (!isHeld && release !== null) {
      release();
      release = null;
      log.info("the restore was decided: submissions are taken again");
    }
  };
  look();
  return look;
}
