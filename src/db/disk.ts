/** What the database takes of a disk: opening a file as SQLite, syncing, reading octets. A simulation brings its own. */
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** How a database file is opened: the options of `bun:sqlite` that are used here. */
export type DatabaseOptions = {
  readonly create?: boolean;
  readonly readwrite?: boolean;
  readonly readonly?: boolean;
  readonly strict?: boolean;
};

/** Opens a connection to a database file: the platform's disk. Simulations bring their own. */
export type OpenDatabase = (path: string, options: DatabaseOptions) => Database;

/** The real disk. */
export const openOnDisk: OpenDatabase = (path, options) => new Database(path, options);

/** Makes a file, or the names in a directory, durable. @throws what the system says. */
export type SyncPath = (path: string) => void;

/** On the real disk. */
export const syncOnDisk: SyncPath = (path) => {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};

/**
 * Puts a text in the place of a file, private to its owner: whoever reads it has the old one or the new one, whenever the machine dies.
 * @throws what the system says; the old one stays.
 */
export function replaceFile(path: string, text: string | Uint8Array): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncOnDisk(dirname(path));
}

/** The files of a database as the system has them. */
type RawFiles = {
  readonly logBytes: () => number;
  readonly file: () => number | null;
  /** Only behind the last connection to the database. */
  readonly close: () => void;
};

/** The files of a database at a path. The file is opened when it is first asked for. */
export function rawFiles(path: string): RawFiles {
  let opened: number | null = null;
  return {
    logBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    file: () => {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
      opened ??= openSync(path, "r");
      return opened;
    },
    close: () => {
      if (opened !== null) closeSync(opened);
    },
  };
}
