import { openReader } from "./open.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";
import { type Reader, readerOn, statementsOf } from "./read.ts";
import { versionOf } from "./version.ts";

/** Reads beside the store of the process, from a thread of its own: sees every committed transaction. */
export type SideReader = {
  readonly read: Reader;
  /** A number that changes with every transaction that changed something. */
  readonly version: () => number;
  readonly close: () => void;
};

/** Opens a reading connection to a data directory that this process has open. */
export function openSideReader(directory: string, openDatabase: OpenDatabase = openOnDisk): SideReader {
  const db = openReader(directory, openDatabase);
  const read = readerOn(statementsOf(db));
  return { read, version: () => versionOf(read), close: () => db.close() };
}
