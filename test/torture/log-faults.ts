/**
 * What a log may not hold. Errors that the world of a run explains (a full disk) are allowed while that lasted; everything else at
 * the level `error`, and everything that is no log line at all, is a finding.
 */

/** Errors that a full or read-only disk explains. */
const OF_THE_DISK =
  /"message":"request",.*"status":500|disk|full|SQLITE_FULL|database cannot be written|could not be (written|read|given up|offered|validated|made)|request failed|command failed|background job failed/i;

/** What a start on a full disk says. */
export const NO_START = /^bendre: .*disk is full/;

/** The lines of a life's log that are findings, in the order they were written. */
export function logFaults(lines: readonly string[], hadDiskTrouble: boolean): string[] {
  return lines.filter((line) => line !== "" && isFault(line, hadDiskTrouble));
}

function isFault(line: string, hadDiskTrouble: boolean): boolean {
  if (hadDiskTrouble && NO_START.test(line)) return false;
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return true;
  }
  if (typeof read !== "object" || read === null || !("level" in read)) return true;
  if (read.level !== "error") return false;
  return !(hadDiskTrouble && OF_THE_DISK.test(line));
}
