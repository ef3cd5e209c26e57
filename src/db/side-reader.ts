import { openReader } from "./open.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";
import { type Reader, createReader, prepareStatements } from "./read.ts";
import { readDataVersion } from "./version.ts";

/** Reads beside the store of the process, from a thread of its own: sees every committed transaction. */
export type ReadConnection = {
  readonly read: Reader;
  /** A number that changes with every transaction that changed something. */
  readonly version: () => number;
  readonly close: () => void;
};

/** Opens a reading connection to a data directory that this process has open. */
export function openReadConnection(directory: string, openDatabase: OpenDatabase = openOnDisk): ReadConnection {
  const db = openReader(directory, openDatabase);
  const read = createReader(prepareStatements(db));
  return { read, version: () => readDataVersion(read), close: () => db.close() };
}
