/**
 * Compares the free disk space with the reserve kept for what must still be written when the disk is nearly full
 * (docs/administration.md#full-disk). Submissions, which write the most, stop first; then claims, each of which brings an answer
 * and a receipt. Those, and commands, are written as long as the disk takes anything.
 */
import { statfsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Clock } from "../core/clock.ts";
import type { Readiness } from "../core/health.ts";
import type { Log } from "../core/log.ts";
import type { Store } from "../db/store.ts";
import { phrase } from "../i18n/phrase.ts";

const MEGABYTE = 1024 * 1024;
/** Without a reserve: below this nothing is sure to fit, since the write-ahead log of a few submissions takes as much. */
const NOTHING_BYTES = MEGABYTE;
/** Without a reserve: below this somebody should make room. */
const LITTLE_BYTES = 512 * MEGABYTE;
/** How long a measurement is cached; also the polling interval while there is no room. */
const GOOD_FOR_MS = 1000;
/** Between two log lines while there is no room. */
const TOLD_EVERY_MS = 60_000;

type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/** What the disk of a directory has left for this process's user. */
export type SpaceOf = (directory: string) => DiskSpace;

/** The free space by statfs. */
export const systemSpaceOf: SpaceOf = (directory) => {
  const { bavail, blocks, bsize } = statfsSync(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** "scarce": somebody should make room. "reserved": nothing new is accepted. "spent": nothing is claimed either. */
type DiskLevel = "ample" | "scarce" | "reserved" | "spent";

/** The level by free space and reserve, both in bytes; a reserve of 0 is none. */
export function deriveDiskLevel(freeBytes: number, reserveBytes: number): DiskLevel {
  if (freeBytes < reserveBytes / 2) return "spent";
  if (freeBytes < Math.max(reserveBytes, NOTHING_BYTES)) return "reserved";
  return freeBytes < (reserveBytes > 0 ? 2 * reserveBytes : LITTLE_BYTES) ? "scarce" : "ample";
}

export type DiskMonitor = {
  /**
   * Measures, and sets or clears the readiness accordingly.
   * @throws where the disk cannot be measured; what was held stays.
   */
  readonly measure: () => DiskSpace & { readonly level: DiskLevel };
  /** Measures, if the last time is a second ago; where that fails everything stays as it was. */
  readonly refresh: () => void;
  /** Whether messages may be claimed; measures as `refresh` does. */
  readonly mayClaim: () => boolean;
};

type DiskMonitorDeps = {
  readonly store: Pick<Store, "directory" | "whenDiskFails">;
  readonly settings: {
    readonly now: () => { readonly storage: Pick<Config["storage"], "reserve_megabytes"> };
  };
  readonly machine: { readonly spaceOf: SpaceOf };
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
};

/** Measures at once, on demand, and after a failed write. It costs nothing while idle. */
export function createDiskMonitor({
  store,
  settings,
  machine,
  clock,
  log,
  readiness,
}: DiskMonitorDeps): DiskMonitor {
  const reserveMegabytes = (): number => settings.now().storage.reserve_megabytes;
  let free: (() => void) | null = null;
  let level: DiskLevel = "ample";
  let measuredMs = Number.NEGATIVE_INFINITY;
  let isWatching = false;
  let toldMs = Number.NEGATIVE_INFINITY;
  let isTold = false;

  const tell = (freeBytes: number): void => {
    if (free === null && isTold)
      log.info("the disk has room again", { free_megabytes: megabytes(freeBytes) });
    if (free === null) isTold = false;
    if (free === null || clock.steadyMs() < toldMs + TOLD_EVERY_MS) return;
    toldMs = clock.steadyMs();
    isTold = true;
    const what =
      level === "spent" ? "submissions are refused and nothing is sent" : "submissions are refused";
    const fields = { free_megabytes: megabytes(freeBytes), reserve_megabytes: reserveMegabytes() };
    log.error(`the disk is full: ${what} until there is room`, fields);
  };

  const measure: DiskMonitor["measure"] = () => {
    const measured = machine.spaceOf(store.directory);
    measuredMs = clock.steadyMs();
    level = deriveDiskLevel(measured.freeBytes, reserveMegabytes() * MEGABYTE);
    const isShort = level === "reserved" || level === "spent";
    if (isShort) free ??= readiness.hold(phrase("readiness.disk_full"), "STORAGE_FULL");
    else {
      free?.();
      free = null;
    }
    tell(measured.freeBytes);
    if (isShort) watch();
    return { ...measured, level };
  };

  const tryToMeasure = (): void => {
    try {
      measure();
    } catch {
      // The check of the disk tells of it.
    }
  };

  const refresh = (): void => {
    if (clock.steadyMs() >= measuredMs + GOOD_FOR_MS) tryToMeasure();
  };

  const watch = (): void => {
    if (isWatching) return;
    isWatching = true;
    clock.after(GOOD_FOR_MS, () => {
      isWatching = false;
      tryToMeasure();
      if (free !== null) watch();
    });
  };

  store.whenDiskFails(tryToMeasure);
  tryToMeasure();
  return {
    measure,
    refresh,
    mayClaim: () => {
      refresh();
      return level !== "spent";
    },
  };
}

/** Whole megabytes, for people. */
export function megabytes(bytes: number): number {
  return Math.floor(bytes / MEGABYTE);
}
