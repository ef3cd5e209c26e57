/** The end of a process: its connections are closed, and the files are made what the next one finds. */
import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { Chance } from "../../../src/core/chance.ts";
import { type CrashedLog, cutShort, type Left, powerLost } from "./after-crash.ts";
import type { DiskParts, Life } from "./disk.ts";
import { copyHalf } from "./half-checkpoint.ts";

type How = "process" | "power";

/** Closes what the life has open, and does to its files what the crash does. */
export function leaveAsCrashed(disk: DiskParts, how: How, chance: Chance): void {
  const { life, log, path } = disk;
  const found = log.found(how, life.isInside);
  const gap = how === "power" ? log.gap() : null;
  const emptied = how === "power" ? log.emptied() : null;
  log.letGo();
  closeAll(path, life);
  if (life.checkpoint) {
    leaveHalfCheckpoint(disk, life.checkpoint, found, how, chance);
  } else if (how === "process" && !life.isInside) {
    disk.count("process: all is there");
  } else if (found) {
    const left = logLeft(disk, found, how, chance);
    if (gap && chance.fraction() < 0.7) {
      left.octets.fill(0, Math.min(gap[0], left.octets.length), Math.min(gap[1], left.octets.length));
      disk.count("power: a failed sync leaves a gap");
    }
    writeFileSync(`${path}-wal`, left.octets);
  } else if (emptied && chance.fraction() < 0.4) {
    writeFileSync(`${path}-wal`, emptied);
    disk.count("power: a log that was emptied is back");
  }
  log.settled(how);
}

function logLeft(disk: DiskParts, found: CrashedLog, how: How, chance: Chance): Left {
  if (found.from >= found.to) {
    disk.count(`${how}: nothing was under way`);
    return { octets: found.octets.slice(), how: "nothing was under way" };
  }
  const left = how === "process" ? cutShort(found, chance) : powerLost(found, chance);
  disk.count(`${how}: what was under way: ${left.how}`);
  return left;
}

/** The log is whole, since a checkpoint syncs it first; a power cut may come before that. */
function leaveHalfCheckpoint(
  disk: DiskParts,
  { from, to, empties }: NonNullable<Life["checkpoint"]>,
  found: CrashedLog | null,
  how: How,
  chance: Chance,
): void {
  const { path, count } = disk;
  if (!found) return;
  if (how === "power" && chance.fraction() < 0.25) {
    writeFileSync(`${path}-wal`, logLeft(disk, found, how, chance).octets);
    return;
  }
  const part = chance.fraction();
  if (empties && part < 0.2) {
    copyHalf(path, found.octets, [from, to], "whole", chance);
    truncateSync(`${path}-wal`);
    count(`${how}: a checkpoint, whole`);
    return;
  }
  copyHalf(path, found.octets, [from, to], how, chance);
  count(`${how}: a checkpoint, half`);
}

/**
 * Closes every connection and leaves the files alone. SQLite would copy the log into the database and delete it with the
 * last connection, unless it sees that the database has been moved: so it is moved.
 */
function closeAll(path: string, life: Life): void {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file));
  for (const file of files) renameSync(file, `${file}.aside`);
  for (const connection of life.connections) connection.close();
  life.connections.clear();
  rmSync(`${path}-shm`, { force: true });
  for (const file of files) renameSync(`${file}.aside`, file);
}
