/**
 * Looks at what a data directory holds without changing it: a database of this version, an older, newer, foreign or damaged one.
 */
import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "../core/log.ts";
import { APPLICATION_ID, DATABASE_FILE } from "./connections.ts";
import { isRestorePending } from "./data-directory.ts";
import { isCorruption } from "./errors.ts";
import { isUpgradable, LATEST_SCHEMA } from "./migrate.ts";
import { createReader, prepareStatements, type Reader } from "./reader.ts";

/** What is in a data directory, as far as this executable is concerned. */
export type Inspected =
  | { readonly kind: "absent" }
  /** A restore was interrupted: whoever opens the directory to write has the copy take its place. */
  | { readonly kind: "restored" }
  /** It may be sound: the caller cannot tell. */
  | { readonly kind: "unreadable"; readonly detail: string }
  /** No start can use it. */
  | { readonly kind: "damaged"; readonly detail: string }
  /** Of another program. */
  | { readonly kind: "foreign" }
  /** Older: the next start migrates it. Newer: this executable refuses it. Unsupported: another build must migrate it first. */
  | { readonly kind: "older" | "newer" | "unsupported"; readonly schema: number; readonly latest: number }
  | {
      readonly kind: "current";
      readonly schema: number;
      readonly read: Reader;
      /** Call it when nothing is read any more. */
      readonly close: () => void;
    };

/**
 * Inspects the database of a directory without a trace: nothing is created, migrated or locked, whether a server runs on it or
 * not. Where none runs, no file of a write-ahead log is made either: it would belong to the caller.
 */
export function inspectDatabase(directory: string): Inspected {
  const path = join(directory, DATABASE_FILE);
  if (isRestorePending(directory)) return { kind: "restored" };
  if (!existsSync(path)) return { kind: "absent" };
  // immutable: SQLite neither looks for a log nor makes one (sqlite.org/uri.html). A server's log has its index beside it.
  const isInUse = existsSync(`${path}-wal`) && existsSync(`${path}-shm`);
  const address = `${pathToFileURL(path).href}${isInUse ? "" : "?immutable=1"}`;
  let db: Database | null = null;
  try {
    db = new Database(address, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
    const read = createReader(prepareStatements(db));
    const owner = read.get<{ application_id: number }>("PRAGMA application_id")?.application_id;
    const schema = read.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
    if (owner === APPLICATION_ID && schema === LATEST_SCHEMA) {
      const opened = db;
      return { kind: "current", schema, read, close: () => opened.close() };
    }
    const isEmpty =
      owner === 0 && schema === 0 && read.all("SELECT 1 FROM sqlite_schema LIMIT 1").length === 0;
    db.close();
    if (owner !== APPLICATION_ID && !isEmpty) return { kind: "foreign" };
    if (schema > LATEST_SCHEMA) return { kind: "newer", schema, latest: LATEST_SCHEMA };
    return { kind: isUpgradable(schema) ? "older" : "unsupported", schema, latest: LATEST_SCHEMA };
  } catch (error) {
    db?.close();
    return { kind: isCorruption(error) ? "damaged" : "unreadable", detail: errorText(error) };
  }
}
