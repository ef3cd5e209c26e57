import { openReader } from "./open.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";
import { type Reader, createReader, prepareStatements } from "./read.ts";

/** Reads a data directory as it stands at one moment: whatever is committed meanwhile is not seen. */
export type InSnapshot = <T>(work: (read: Reader) => T) => T;

export type Snapshots = { readonly inSnapshot: InSnapshot; readonly close: () => void };

/**
 * Reads a data directory at one moment after the other, over a connection of its own; the writer does not wait. As long
 * as a moment lasts the write-ahead log keeps growing, so long work takes many short ones, in a thread of its own.
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

/** Work that reads a data directory at one moment after the other, and then lets it go. */
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
