import { BugError } from "../../base/assert.ts";
import type { Clock } from "../../base/clock.ts";
import { type Finding, type HealthCheck, well } from "../../base/health.ts";
import { errorText, type Log } from "../../base/log.ts";
import type { Readiness } from "../../base/readiness.ts";
import { rewriteHeader } from "../../store/probe.ts";
import type { Store } from "../../store/store.ts";

/** A commit proves the database for so long; after a failed one it is tried again this soon, asked or not. */
const PROVEN_MS = 10_000;
const AGAIN_MS = 1000;
/** A commit that takes longer than this is worth a look at the disk. */
const SLOW_MS = 5000;

type Proof =
  | { readonly kind: "proven" }
  | { readonly kind: "failed"; readonly sinceMs: number; readonly error: string };

/**
 * Whether the database can be written: proved by a commit that changes nothing, while somebody asks and no more
 * than every ten seconds, and when the disk did not take another write. While it fails the appliance is not ready, and it
 * is tried every second until it succeeds. One write that fails is no reason by itself: it may have been larger than what
 * is left, and others are taken.
 */
export function databaseCheck({
  store,
  clock,
  log,
  readiness,
}: {
  readonly store: Pick<Store, "write" | "whenDiskFails">;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
}): HealthCheck {
  let proof: Proof = { kind: "proven" };
  let beganMs: number | null = null;
  let dueMs = clock.steadyMs();
  let doubtedMs = Number.NEGATIVE_INFINITY;
  let free: (() => void) | null = null;

  const failed = (error: unknown): void => {
    if (error instanceof BugError) return; // The store is closed: the appliance is stopping.
    if (proof.kind === "proven") {
      proof = { kind: "failed", sinceMs: clock.nowMs(), error: errorText(error) };
      free = readiness.hold("the database cannot be written");
      log.error("the database cannot be written", { error: proof.error });
    }
    clock.after(AGAIN_MS, prove);
  };

  const succeeded = (): void => {
    if (proof.kind === "failed") log.info("the database can be written again");
    proof = { kind: "proven" };
    free?.();
    free = null;
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
    if (proof.kind === "failed" || clock.steadyMs() < doubtedMs + AGAIN_MS) return;
    doubtedMs = clock.steadyMs();
    prove();
  });

  const slow = (): Finding | null => {
    if (beganMs === null || clock.steadyMs() - beganMs < SLOW_MS) return null;
    const seconds = Math.floor((clock.steadyMs() - beganMs) / 1000);
    const detail = `a commit has been under way for ${seconds} s`;
    return { status: "degraded", detail, action: "look at the disk: it is very slow or does not answer" };
  };

  return {
    name: "database",
    look: () => {
      if (proof.kind === "proven" && clock.steadyMs() >= dueMs) prove();
      if (proof.kind === "proven") return slow() ?? well("the database can be written");
      return {
        status: "down",
        detail: `the database cannot be written: ${proof.error}`,
        action: "make room on its disk, or give its files to the user that the server runs as",
        sinceMs: proof.sinceMs,
      };
    },
  };
}
