import { openReader } from "./open.ts";
import { type Reader, readerOn, statementsOf } from "./read.ts";

/**
 * Reads a data directory as it stands at one moment, over a connection of its own: whatever is committed meanwhile is
 * not seen, and the writer does not wait. Long work belongs in a thread of its own.
 */
export function readSnapshot<T>(directory: string, work: (read: Reader) => T): T {
  const db = openReader(directory);
  try {
    db.run("BEGIN");
    return work(readerOn(statementsOf(db)));
  } finally {
    // Its statements may outlive the connection, and would hold the moment fast.
    if (db.inTransaction) db.run("ROLLBACK");
    db.close();
  }
}
