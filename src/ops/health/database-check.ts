import { BugError } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import { errorText, type Log } from "../../core/log.ts";
import type { Readiness } from "../../core/readiness.ts";
import { rewriteHeader } from "../../db/probe.ts";
import type { Store } from "../../db/store.ts";
import { phrase } from "../../i18n/phrase.ts";

/** A commit proves the database for so long; after a failed one it is tried again this soon, asked or not. */
const PROVEN_MS = 10_000;
const AGAIN_MS = 1000;
/** A commit that takes longer than this is worth a look at the disk. */
const SLOW_SECONDS = 5;

type Failure = { readonly sinceMs: number; readonly error: string; readonly free: () => void };

type DatabaseCheckDeps = {
  readonly store: Pick<Store, "write" | "whenDiskFails">;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
};

/**
 * Whether the database can be written: proved by a commit that changes nothing, while somebody asks and no more
 * than every ten seconds, and when the disk did not take another write. While it fails the appliance is not ready, and it
 * is tried every second until it succeeds. One write that fails is no reason by itself: it may have been larger than what
 * is left, and others are taken.
 */
export function databaseCheck(deps: DatabaseCheckDeps): HealthCheck {
  const { clock } = deps;
  const proof = proofOfWriting(deps);
  return {
    name: "database",
    look: () => {
      const { failure, beganMs } = proof.look();
      if (failure) {
        return {
          status: "down",
          detail: phrase("health.database.down", { error: failure.error }),
          action: phrase("health.database.down.action"),
          sinceMs: failure.sinceMs,
        };
      }
      const seconds = beganMs === null ? 0 : Math.floor((clock.steadyMs() - beganMs) / 1000);
      if (seconds < SLOW_SECONDS) return well(phrase("health.database"));
      return {
        status: "degraded",
        detail: phrase("health.database.slow", { seconds }),
        action: phrase("health.database.slow.action"),
      };
    },
  };
}

function proofOfWriting({ store, clock, log, readiness }: DatabaseCheckDeps) {
  let failure: Failure | null = null;
  let beganMs: number | null = null;
  let dueMs = clock.steadyMs();
  let doubtedMs = Number.NEGATIVE_INFINITY;

  const failed = (thrown: unknown): void => {
    if (thrown instanceof BugError) return; // The store is closed: the appliance is stopping.
    if (!failure) {
      const error = errorText(thrown);
      const free = readiness.hold(phrase("readiness.database"));
      failure = { sinceMs: clock.nowMs(), error, free };
      log.error("the database cannot be written", { error });
    }
    clock.after(AGAIN_MS, prove);
  };

  const succeeded = (): void => {
    if (failure) log.info("the database can be written again");
    failure?.free();
    failure = null;
    dueMs = clock.steadyMs() + PROVEN_MS;
  };

  function prove(): void {
    if (beganMs !== null) return;
    beganMs = clock.steadyMs();
    store
      .write(rewriteHeader)
      .finally(() => {
        beganMs = null;
      })
      .then(succeeded, failed);
  }

  store.whenDiskFails(() => {
    if (failure || clock.steadyMs() < doubtedMs + AGAIN_MS) return;
    doubtedMs = clock.steadyMs();
    prove();
  });

  return {
    /** How it stands, and since when a proof is under way; proves it again where that is due. */
    look: (): { readonly failure: Failure | null; readonly beganMs: number | null } => {
      if (!failure && clock.steadyMs() >= dueMs) prove();
      return { failure, beganMs };
    },
  };
}
