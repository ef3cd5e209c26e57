/**
 * Read-only access: opens the data directory for what only reads, and neither makes, changes nor deletes a file in it. So it also
 * works where nothing can be written, such as on a disk that was mounted read-only.
 */
import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import { errorText } from "../core/log.ts";
import { createMetricsRegistry } from "../core/metrics-registry.ts";
import { phrase } from "../i18n/phrase.ts";
import { DATABASE_FILE, openImmutable } from "./connections.ts";
import { isRestorePending, lockToRead, requireReadable } from "./data-directory.ts";
import { rawFiles } from "./disk.ts";
import { StoreError } from "./errors.ts";
import { inspectDatabase } from "./inspect.ts";
import { applyMigrations } from "./migrate.ts";
import { openPseudonyms } from "./pseudonyms.ts";
import { createReader, prepareStatements, readDataVersion } from "./reader.ts";
import { createRowCache } from "./row-cache.ts";
import type { Store } from "./store.ts";
import type { Tx } from "./writer.ts";

/**
 * Opens a data directory for reading alone: a transaction may read everything, and fails when it writes. Where there is no
 * database it reads as an empty one. Null where a writer must come first: the database is of an older schema, or a restore was
 * interrupted.
 * @throws StoreError when it cannot be read, or another process has it.
 */
export function openReadOnly(directory: string, clock: Clock): Store | null {
  requireReadable(directory);
  // First: the data may be moved aside already, and the copy not yet in their place.
  if (isRestorePending(directory)) return null;
  if (!existsSync(join(directory, DATABASE_FILE))) return storeOn(directory, emptyDatabase(clock), () => {});
  const unlock = lockToRead(directory);
  try {
    const db = isCurrent(directory) ? openQuietly(directory) : null;
    if (db !== null) return storeOn(directory, db, unlock);
    unlock();
    return null;
  } catch (error) {
    unlock();
    if (error instanceof StoreError) throw error;
    throw new StoreError("unusable", phrase("store.unreadable", { directory, error: errorText(error) }));
  }
}

function emptyDatabase(clock: Clock): Database {
  const db = new Database(":memory:", { strict: true });
  applyMigrations(db, clock.nowMs());
  return db;
}

/** Whether this executable reads the database as it is. Other faults are reported by whoever opens it to write. */
function isCurrent(directory: string): boolean {
  const found = inspectDatabase(directory);
  if (found.kind === "current") found.close();
  return found.kind === "current";
}

/**
 * A connection to a database that nobody else has open. A write-ahead log that a process left behind is read with it; SQLite
 * needs the index of the log for that, and makes one where it can.
 */
function openQuietly(directory: string): Database {
  const path = join(directory, DATABASE_FILE);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const db = log > 0 ? new Database(path, { readonly: true, strict: true }) : openImmutable(path);
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.query("SELECT count(*) FROM sqlite_schema").get();
    return db;
  } catch (error) {
    db.close();
    if (log === 0) throw error;
    throw new StoreError("unusable", phrase("store.log_left", { directory, error: errorText(error) }));
  }
}

function storeOn(directory: string, db: Database, unlock: () => void): Store {
  const names = openPseudonyms(directory);
  const tally = createMetricsRegistry();
  const read = createReader(prepareStatements(db), createRowCache(), names.of);
  const refuse = (): never => {
    throw new StoreError("unusable", phrase("store.opened_to_read", { directory }));
  };
  const write: Store["write"] = async (job) => {
    const effects: (() => void)[] = [];
    const value = job({
      ...read,
      run: refuse,
      insert: refuse,
      afterCommit: (effect) => void effects.push(effect),
      onRollback: () => {},
      tally,
      steps: null,
    });
    for (const effect of effects) effect();
    return value;
  };
  const { close: closeRaw, ...raw } = rawFiles(join(directory, DATABASE_FILE));
  return {
    directory,
    isReadOnly: true,
    upgraded: null,
    tightened: [],
    tally,
    names,
    read,
    write,
    writeEach: <Item, T>(items: readonly Item[], work: (tx: Tx, items: readonly Item[]) => readonly T[]) =>
      Promise.allSettled(items.map((item) => write((tx) => work(tx, [item])[0] as T))),
    whenDiskFails: () => {},
    version: () => readDataVersion(read),
    pauseWrites: (work) => work(),
    truncateWal: () => {},
    ...raw,
    close: async () => {
      db.close();
      closeRaw();
      unlock();
    },
  };
}
