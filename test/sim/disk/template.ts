/** A database that is migrated and empty, made once a process: to migrate takes longer than to live. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DATABASE_FILE, openWriter } from "../../../src/db/connections.ts";

let made: Uint8Array | null = null;

/** The octets of such a file; its migrations have the time zero. */
export function migratedFile(): Uint8Array {
  if (made) return made;
  const directory = mkdtempSync(join(tmpdir(), "bendre-template-"));
  try {
    const db = openWriter(directory, 0);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    made = readFileSync(join(directory, DATABASE_FILE));
    return made;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
