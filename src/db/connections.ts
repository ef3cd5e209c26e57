/**
 * Opens the SQLite database of a data directory: the one writer, readers beside it (WAL), snapshots and read-only
 * inspection; compacts it.
 */
import { constants, Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "../core/log.ts";
import { phrase } from "../i18n/phrase.ts";
import { type OpenDatabase, openOnDisk } from "./disk.ts";
import { isDiskFailure, isSyncFailure, StoreError } from "./errors.ts";
import {
  applyMigrations,
  INTERMEDIATE_BUILD,
  isUpgradable,
  LATEST_SCHEMA,
  readSchema,
  readUpgradeNote,
  type UpgradeNote,
} from "./migrate.ts";
import { createReader, prepareStatements, type Reader, readDataVersion } from "./reader.ts";

export const DATABASE_FILE = "bendre.db";
/** "Bndr": marks the file as ours, so that another program's database is never migrated by mistake. */
export const APPLICATION_ID = 0x426e6472;

/**
 * Called before a database that is not empty is migrated, when nothing has been written yet: makes a backup of it, and returns
 * what is to be noted. @throws StoreError where that cannot be, and then nothing is changed.
 */
export type BeforeMigrating = (directory: string, read: Reader) => UpgradeNote;

/** What opening did to a database of an older schema; `backup` is null where none was made before. */
export type Upgraded = { readonly from: number; readonly to: number; readonly backup: string | null };

/** Opens the one connection that writes, migrated to the newest schema; `told` is called with the upgrade of an existing database. */
export function openWriter(
  directory: string,
  nowMs: number,
  openDatabase: OpenDatabase = openOnDisk,
  beforeMigrating: BeforeMigrating | null = null,
  told: (upgraded: Upgraded) => void = () => {},
): Database {
  const path = join(directory, DATABASE_FILE);
  let db: Database | null = null;
  let note: UpgradeNote | null = null;
  let schema = 0;
  try {
    db = openDatabase(path, { create: true, readwrite: true, strict: true });
    db.run("PRAGMA busy_timeout = 5000");
    // Before anything is set: the journal mode is written into the file.
    checkOwnership(db, path);
    schema = readSchema(db);
    if (beforeMigrating && schema > 0 && schema < LATEST_SCHEMA) {
      note = beforeMigrating(directory, createReader(prepareStatements(db)));
    }
    db.run("PRAGMA journal_mode = WAL");
  } catch (error) {
    db?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError("unusable", phrase("store.database_not_opened", { path, error: errorText(error) }));
  }
  try {
    // FULL makes each commit survive a power cut (sqlite.org/pragma.html#pragma_synchronous).
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA foreign_keys = ON");
    // So that REPLACE can't get round the triggers that keep the ledger (sqlite.org/lang_conflict.html).
    db.run("PRAGMA recursive_triggers = ON");
    db.run("PRAGMA cache_size = -32768");
    db.run("PRAGMA temp_store = MEMORY");
    // What is deleted is overwritten: texts and numbers that were purged (sqlite.org/pragma.html#pragma_secure_delete).
    db.run("PRAGMA secure_delete = ON");
    // What an earlier process left in the log is made durable before anything is built on it, whatever became of its
    // last sync: pages that the system only pretends to have written are written again.
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.run("PRAGMA busy_timeout = 5000");
    applyMigrations(db, nowMs, note);
    if (schema > 0 && schema < LATEST_SCHEMA) {
      told({ from: schema, to: LATEST_SCHEMA, backup: note?.backup ?? null });
    }
    return db;
  } catch (error) {
    // Closing would copy the log into the database, and nobody knows what of the log the disk holds.
    if (!isSyncFailure(error)) db.close();
    if (isDiskFailure(error)) {
      throw new StoreError(
        "unusable",
        phrase("store.database_not_written", { path, error: errorText(error) }),
      );
    }
    if (note) {
      const failed = { path, backup: note.backup, error: errorText(error) };
      throw new StoreError("unusable", phrase("store.upgrade_undone", failed));
    }
    throw error;
  }
}

/** Opens a connection that only reads and never waits for the writer (WAL). */
export function openReader(directory: string, openDatabase: OpenDatabase = openOnDisk): Database {
  const db = openDatabase(join(directory, DATABASE_FILE), { readonly: true, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.run("PRAGMA query_only = ON");
    db.run("PRAGMA cache_size = -8192");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens databases of a data directory that this process opened for reading alone, so that nobody writes into it: as they are, and
 * without making a file. Never beside a writer: what it wrote would not be seen.
 */
export const openForInspection: OpenDatabase = (path, options) =>
  isAtRest(path) ? openImmutable(path) : openOnDisk(path, options);

/** Whether no process left a log behind; its index would be beside it. */
function isAtRest(path: string): boolean {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? null;
  return sizeOf(path) !== null && sizeOf(`${path}-shm`) === null && (sizeOf(`${path}-wal`) ?? 0) === 0;
}

/** Opens a database at rest: SQLite neither looks for a log nor makes one (sqlite.org/uri.html, immutable). */
export function openImmutable(path: string): Database {
  const address = `${pathToFileURL(path).href}?immutable=1`;
  return new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
}

function checkOwnership(db: Database, path: string): void {
  const owner = pragmaNumber(db, "application_id");
  const schema = pragmaNumber(db, "user_version");
  if (owner === 0 && schema === 0) {
    const objects = db.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0;
    if (objects > 0) throw new StoreError("foreign", phrase("store.foreign", { path }));
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    return;
  }
  if (owner !== APPLICATION_ID) throw new StoreError("foreign", phrase("store.foreign", { path }));
  // A copy that was put here by hand: what it holds as waiting may have left since it was made.
  if (db.query("SELECT 1 FROM sqlite_schema WHERE name = 'backup_label'").get() !== null) {
    throw new StoreError("foreign", phrase("store.a_backup", { path }));
  }
  if (schema > LATEST_SCHEMA) {
    const note = readUpgradeNote(db);
    const known = { path, schema, latest: LATEST_SCHEMA };
    throw new StoreError(
      "newer",
      note
        ? phrase("store.newer.noted", { ...known, version: note.executable, backup: note.backup })
        : phrase("store.newer", known),
    );
  }
  if (schema < LATEST_SCHEMA && !isUpgradable(schema)) {
    throw new StoreError("unsupported", phrase("store.unsupported", { path, schema, ...INTERMEDIATE_BUILD }));
  }
}

function pragmaNumber(db: Database, name: string): number {
  const row = db.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
}

/** Reads a data directory as it was at one moment: whatever is committed meanwhile is not seen. */
export type InSnapshot = <T>(work: (read: Reader) => T) => T;

export type Snapshots = { readonly inSnapshot: InSnapshot; readonly close: () => void };

/**
 * Reads a data directory in one snapshot after another, over a connection of its own; the writer does not wait. As long as a
 * snapshot lasts the write-ahead log keeps growing, so long work takes many short ones, in a thread of its own.
 */
export function openSnapshots(directory: string, openDatabase: OpenDatabase = openOnDisk): Snapshots {
  const db = openReader(directory, openDatabase);
  const read = createReader(prepareStatements(db));
  // Statements that outlive the connection would keep the snapshot open.
  const letGo = (): void => {
    if (db.inTransaction) db.run("ROLLBACK");
  };
  return {
    inSnapshot: (part) => {
      db.run("BEGIN");
      try {
        return part(read);
      } finally {
        letGo();
      }
    },
    close: () => db.close(),
  };
}

/** Runs work that reads a data directory in snapshots, and then closes the connection. */
export function readInSnapshots<T>(
  directory: string,
  work: (inSnapshot: InSnapshot) => T,
  openDatabase: OpenDatabase = openOnDisk,
): T {
  const moments = openSnapshots(directory, openDatabase);
  try {
    return work(moments.inSnapshot);
  } finally {
    moments.close();
  }
}

/** Reads beside the store of the process, from a thread of its own: sees every committed transaction. */
export type ReadConnection = {
  readonly read: Reader;
  /** A number that changes with every transaction that changed something. */
  readonly version: () => number;
  readonly close: () => void;
};

/** Opens a reading connection to a data directory that this process has open. */
export function openReadConnection(
  directory: string,
  openDatabase: OpenDatabase = openOnDisk,
): ReadConnection {
  const db = openReader(directory, openDatabase);
  const read = createReader(prepareStatements(db));
  return { read, version: () => readDataVersion(read), close: () => db.close() };
}

/**
 * Rewrites the database without its free pages, and gives their room back to the disk, while nobody else writes. It is one
 * transaction: whatever interrupts it, the database is as it was. It needs the database's size again, twice.
 */
export function compact(directory: string, openDatabase: OpenDatabase = openOnDisk): void {
  const db = openDatabase(join(directory, DATABASE_FILE), { readwrite: true, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA secure_delete = ON");
    // Its temporary files lie beside the database, and not where the system keeps such files.
    db.run(`PRAGMA temp_store_directory = '${directory.replaceAll("'", "''")}'`);
    db.run("VACUUM");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}
