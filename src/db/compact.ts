import { join } from "node:path";
import { DATABASE_FILE } from "./open.ts";
import { type OpenDatabase, openOnDisk } from "./open-database.ts";

/**
 * Writes the database anew without what is free in it, and gives the rest back to the disk, while nobody else writes. It is one
 * transaction: whatever breaks it off, the database is as it was. It takes as much room again, twice.
 */
export function compact(directory: string, openDatabase: OpenDatabase = openOnDisk): void {
  const db = openDatabase(join(directory, DATABASE_FILE), { readwrite: true, strict: true });
  try {
    db.run("PRAGMA busy_timeout = 5000");
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA secure_delete = ON");
    // What is written in between lies beside the database, and not where the system keeps its temporary files.
    db.run(`PRAGMA temp_store_directory = '${directory.replaceAll("'", "''")}'`);
    db.run("VACUUM");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}
