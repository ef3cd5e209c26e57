/**
 * Copies of a database: whole at one moment, in one file, with a label that says what it is. A labelled file is a copy and no
 * database that anybody runs on: `openStore` refuses it, because what it holds as waiting may have left since.
 */
import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "../core/log.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { APPLICATION_ID, DATABASE_FILE, type InSnapshot } from "./connections.ts";
import { type OpenDatabase, openOnDisk } from "./disk.ts";
import { INTERMEDIATE_BUILD, isUpgradable, LATEST_SCHEMA } from "./migrate.ts";
import { createReader, prepareStatements, type Reader } from "./reader.ts";

/** The label of a copy. */
type CopyLabel = {
  readonly madeAtMs: number;
  /** Of the executable that made it. */
  readonly version: string;
  /** Sealed key files; null where there were none, or where they were left out. */
  readonly keys: Uint8Array | null;
  /** How many key files the copy should hold. */
  readonly keyFiles: number;
  /** What the console keeps of the configuration, its passwords sealed with one of the keys; null where that was nothing. */
  readonly console: string | null;
};

/**
 * Copies the database of a directory into the empty file `to`, as it is at one moment, without its free pages. The writer does
 * not wait for it. It takes as long as reading and writing all of it, so it is for a thread.
 */
export function copyDatabase(directory: string, to: string, openDatabase: OpenDatabase = openOnDisk): void {
  const db = openDatabase(join(directory, DATABASE_FILE), { readonly: true, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.prepare("VACUUM INTO ?").run(to);
  } finally {
    db.close();
  }
}

/** Puts a label on a copy. */
export function labelCopy(path: string, label: CopyLabel): void {
  const { madeAtMs, version, keys, keyFiles, console: kept } = label;
  const db = new Database(path, { readwrite: true, strict: true });
  try {
    db.run(
      "CREATE TABLE backup_label (made_at INTEGER NOT NULL, version TEXT NOT NULL, keys BLOB, key_files INTEGER NOT NULL, console TEXT)",
    );
    db.prepare(
      "INSERT INTO backup_label (made_at, version, keys, key_files, console) VALUES (?, ?, ?, ?, ?)",
    ).run(madeAtMs, version, keys, keyFiles, kept);
  } finally {
    db.close();
  }
}

/** Removes the label: the file is a database again. */
export function unlabelCopy(path: string): void {
  const db = new Database(path, { readwrite: true, strict: true });
  try {
    db.run("DROP TABLE IF EXISTS backup_label");
  } finally {
    db.close();
  }
}

/** Whether a database is a copy with a label. */
function isLabelled(read: Pick<Reader, "get">): boolean {
  return read.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_label'") !== null;
}

type OpenedCopy = {
  readonly label: CopyLabel;
  readonly schema: number;
  /** Of a file that nobody writes, every moment is the same. */
  readonly inSnapshot: InSnapshot;
  readonly read: Reader;
  readonly close: () => void;
};

/** Why a file cannot be taken for a copy. */
type NoCopy = { readonly why: Phrase };

/** Opens a copy without making any file beside it. */
export function openCopy(path: string): OpenedCopy | NoCopy {
  if (!existsSync(path)) return { why: phrase("backup.absent") };
  let db: Database | null = null;
  try {
    // immutable: SQLite neither looks for a log nor makes one (sqlite.org/uri.html).
    const address = `${pathToFileURL(path).href}?immutable=1`;
    db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
    const read = createReader(prepareStatements(db));
    const why = explainNotACopy(read);
    if (why !== null) {
      db.close();
      return { why };
    }
    const opened = db;
    return {
      label: labelOf(read),
      schema: schemaOf(read),
      read,
      inSnapshot: (part) => part(read),
      close: () => opened.close(),
    };
  } catch (error) {
    db?.close();
    return { why: said(errorText(error)) };
  }
}

function explainNotACopy(read: Reader): Phrase | null {
  const owner = read.get<{ application_id: number }>("PRAGMA application_id")?.application_id;
  if (owner !== APPLICATION_ID) return phrase("backup.no_database");
  if (!isLabelled(read)) return phrase("backup.unlabelled");
  const schema = schemaOf(read);
  if (schema > LATEST_SCHEMA) {
    return phrase("backup.of_newer", { version: labelOf(read).version, schema, known: LATEST_SCHEMA });
  }
  if (schema === LATEST_SCHEMA || isUpgradable(schema)) return null;
  return phrase("backup.of_unsupported", { schema, ...INTERMEDIATE_BUILD });
}

function schemaOf(read: Reader): number {
  return read.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

function labelOf(read: Reader): CopyLabel {
  const row = read.get<Omit<CopyLabel, "console">>(
    "SELECT made_at AS madeAtMs, version, keys, key_files AS keyFiles FROM backup_label",
  );
  const label = row ?? { madeAtMs: 0, version: "unknown", keys: null, keyFiles: 0 };
  // Copies of before there was such a file have no column for it.
  const hasConsole = read.get("SELECT 1 FROM pragma_table_info('backup_label') WHERE name = 'console'");
  const kept =
    hasConsole === null ? null : read.get<{ console: string | null }>("SELECT console FROM backup_label");
  return { ...label, console: kept?.console ?? null };
}

/** The first faults that SQLite finds in the pages and references of a database; none of a sound one. */
export function checkIntegrity(read: Reader): readonly Phrase[] {
  const pages = read
    .all<{ integrity_check: string }>("PRAGMA integrity_check(10)")
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok");
  const references = read.all<{ table: string }>("PRAGMA foreign_key_check");
  return [
    ...pages.map(said),
    ...references.slice(0, 10).map(({ table }) => phrase("backup.row_names_gone", { table })),
  ];
}

/** How much a copy of a database takes at most, in bytes: its pages that are in use. */
export function copyBytes(read: Reader): number {
  const pages = read.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  const free = read.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
  const size = read.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? 0;
  return (pages - free) * size;
}
