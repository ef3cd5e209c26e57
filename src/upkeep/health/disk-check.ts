import { statfsSync } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import { type HealthCheck, well } from "../../base/health.ts";
import type { Log } from "../../base/log.ts";
import type { Readiness } from "../../base/readiness.ts";
import type { Store } from "../../store/store.ts";

const MEGABYTE = 1024 * 1024;
/** Below this much somebody should make room. */
const LITTLE_BYTES = 512 * MEGABYTE;
/** Below this much nothing is known to fit any more: the log of a few submissions takes as much. */
const NOTHING_BYTES = MEGABYTE;
/** While there is no room it is looked at this often, asked or not. */
const AGAIN_MS = 1000;

export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/** What the disk of a directory has left for this process's user. */
export type SpaceOf = (directory: string) => DiskSpace;

/** As the file system says. */
export const systemSpaceOf: SpaceOf = (directory) => {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

export type DiskDeps = {
  readonly space: () => DiskSpace;
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
  /** Calls back when a write failed for want of a disk that takes it. */
  readonly whenDiskFails: Store["whenDiskFails"];
};

/**
 * Whether the data directory's disk has room, measured when somebody asks and when a write failed. Without any the
 * appliance is not ready until there is some.
 */
export function diskCheck({ space, clock, log, readiness, whenDiskFails }: DiskDeps): HealthCheck {
  let free: (() => void) | null = null;

  const measure = (): DiskSpace => {
    const measured = space();
    if (measured.freeBytes >= NOTHING_BYTES) {
      if (free !== null) log.info("the disk has room again");
      free?.();
      free = null;
    } else if (free === null) {
      free = readiness.hold("the disk is full");
      log.error("the disk is full: submissions are refused until there is room");
      clock.after(AGAIN_MS, again);
    }
    return measured;
  };

  /** A disk that can't even be measured is the look's to tell of; what is held stays. */
  function tryToMeasure(): void {
    try {
      measure();
    } catch {}
  }

  function again(): void {
    tryToMeasure();
    if (free !== null) clock.after(AGAIN_MS, again);
  }

  whenDiskFails(tryToMeasure);

  return {
    name: "disk",
    look: () => {
      const { freeBytes, totalBytes } = measure();
      const detail = `${megabytes(freeBytes)} MB of ${megabytes(totalBytes)} MB free`;
      if (freeBytes >= LITTLE_BYTES) return well(detail);
      const status = free === null ? "degraded" : "down";
      return { status, detail, action: "make room: on a full disk nothing is accepted" };
    },
  };
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / MEGABYTE);
}
