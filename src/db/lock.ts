import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../core/log.ts";
import { phrase } from "../i18n/phrase.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";
import { StoreError } from "./store-error.ts";

export const LOCK_FILE = "bendre.lock";

/**
 * Takes the data directory for as long as something is read, so that nobody writes meanwhile, and makes no file: where there is none to
 * lock, no process has the directory. Of a file that cannot be written the lock is a shared one, which a writer's keeps out.
 */
export function lockToRead(directory: string): () => void {
  return existsSync(join(directory, LOCK_FILE)) ? lockDirectory(directory) : () => {};
}

/**
 * Takes the data directory for this process, or says that another one has it. The lock is the operating
 * system's, held on a file of its own, so it is gone with the process however that ends. Nobody else may open the
 * file: whoever can read one can lock it.
 */
export function lockDirectory(directory: string, openDatabase: OpenDatabase = openOnDisk): () => void {
  const path = join(directory, LOCK_FILE);
  let lock: Database | null = null;
  try {
    lock = openDatabase(path, { create: true, readwrite: true });
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(errorText(error))) {
      throw new StoreError("locked", phrase("store.locked", { directory }));
    }
    throw new StoreError("unusable", phrase("store.not_lockable", { directory, error: errorText(error) }));
  }
}
