/**
 * How a restored database takes its place: whole or not at all, whenever the machine dies. It is made in a directory of its own, and
 * from the moment that this is called `restored` it is the data; what is left to do then is done by whoever opens the directory next.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "./open.ts";
import { type SyncDirectory, syncOnDisk } from "./sync-directory.ts";

/** Where it is made: worth nothing until it has the other name. */
export const RESTORING = "restoring";
const RESTORED = "restored";
/** Names the directory that what is there is moved to; gone once that is done. */
export const REPLACES_FILE = "replaces";

/** Whether a file of a data directory is data: the database with its log, and the keys. */
export function isData(name: string): boolean {
  return name === DATABASE_FILE || name.startsWith(`${DATABASE_FILE}-`) || name.endsWith(".key");
}

/** From here on it is the data. Everything in it must be on the disk. */
export function commitRestore(directory: string, syncDirectory: SyncDirectory = syncOnDisk): void {
  renameSync(join(directory, RESTORING), join(directory, RESTORED));
  syncDirectory(directory);
}

/** Whether a restore was cut off, so that what it made must take its place before anything is read. */
export function isRestorePending(directory: string): boolean {
  return existsSync(join(directory, RESTORED));
}

/** Does what is left of a restore that was cut off: all of it, or away with what was not whole. Under the lock of the directory. */
export function finishRestore(directory: string, syncDirectory: SyncDirectory = syncOnDisk): void {
  const draft = join(directory, RESTORING);
  if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
  const from = join(directory, RESTORED);
  if (!existsSync(from)) return;
  const marker = join(from, REPLACES_FILE);
  if (existsSync(marker)) {
    const aside = readFileSync(marker, "utf8");
    moveData(directory, aside, syncDirectory);
    rmSync(marker);
    syncDirectory(from);
  }
  moveData(from, directory, syncDirectory);
  rmSync(from, { recursive: true });
  syncDirectory(directory);
}

/** Moves data from one directory to another; the database last, so that it never stands there without its keys. */
function moveData(from: string, to: string, syncDirectory: SyncDirectory): void {
  const names = readdirSync(from).filter(isData);
  for (const name of names.filter((each) => each !== DATABASE_FILE)) {
    renameSync(join(from, name), join(to, name));
  }
  syncDirectory(to);
  if (names.includes(DATABASE_FILE)) renameSync(join(from, DATABASE_FILE), join(to, DATABASE_FILE));
  syncDirectory(to);
  syncDirectory(from);
}
