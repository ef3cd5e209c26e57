import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../../src/db/connections.ts";

/** Copies the database and its log to a directory that is made. */
export function copyDirectory(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}
