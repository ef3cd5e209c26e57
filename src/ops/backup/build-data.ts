import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unlabelCopy } from "../../db/copy.ts";
import { DATABASE_FILE, openWriter } from "../../db/open.ts";
import { syncOnDisk } from "../../db/sync-directory.ts";
import { copyFile } from "./backup-file.ts";
import type { KeyFiles } from "./sealed-keys.ts";

/** Copies one file into another. */
export type CopyTo = (from: string, to: string) => void;

/**
 * Makes of a backup what a data directory holds, in a directory that is made: the database, migrated to the newest schema, and the keys.
 * All of it is on the disk when it returns.
 * @throws what the system and SQLite say; what was made stays.
 */
export function buildData(
  file: string,
  into: string,
  keys: KeyFiles,
  nowMs: number,
  copy: CopyTo = copyFile,
): void {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const path = join(into, DATABASE_FILE);
  copy(file, path);
  chmodSync(path, 0o600);
  unlabelCopy(path);
  openWriter(into, nowMs).close();
  for (const [name, octets] of keys) writeFileSync(join(into, name), octets, { mode: 0o600, flag: "wx" });
  for (const name of [DATABASE_FILE, ...keys.keys()]) syncFile(join(into, name));
  syncOnDisk(into);
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
