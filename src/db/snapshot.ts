import { openReader } from "./open.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";
import { type Reader, readerOn, statementsOf } from "./read.ts";

/** Reads a data directory as it stands at one moment: whatever is committed meanwhile is not seen. */
export type AtOneMoment = <T>(work: (read: Reader) => T) => T;

export type Moments = { readonly atOneMoment: AtOneMoment; readonly close: () => void };

/**
 * Reads a data directory at one moment after the other, over a connection of its own; the writer does not wait. As long
 * as a moment lasts the write-ahead log keeps growing, so long work takes many short ones, in a thread of its own.
 */
export function openMoments(directory: string, openDatabase: OpenDatabase = openOnDisk): Moments {
  const db = openReader(directory, openDatabase);
  const read = readerOn(statementsOf(db));
  // Statements that outlive the connection would keep the snapshot open.
  const letGo = (): void => {
    if (db.inTransaction) db.run("ROLLBACK");
  };
  return {
    atOneMoment: (part) => {
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
export function readMoments<T>(
  directory: string,
  work: (atOneMoment: AtOneMoment) => T,
  openDatabase: OpenDatabase = openOnDisk,
): T {
  const moments = openMoments(directory, openDatabase);
  try {
    return work(moments.atOneMoment);
  } finally {
    moments.close();
  }
}
