/** A database that is migrated and empty: to migrate takes longer than most tests last, so it is done once for all of them. */
import { createHash, randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/base/clock.ts";
import { DATABASE_FILE, openWriter } from "../../src/store/open.ts";

const KEPT_IN = "node_modules/.cache/bendre";
const STORE = "src/store";
const MIGRATIONS = join(STORE, "migrations");

const read = new Map<number, Uint8Array>();

/** The octets of such a file, made at `atMs`. They are made anew when a program or a script that makes them changes. */
export function migratedFile(atMs: number): Uint8Array {
  const known = read.get(atMs) ?? keptOrMade(atMs);
  read.set(atMs, known);
  return known;
}

function keptOrMade(atMs: number): Uint8Array {
  const kept = join(KEPT_IN, `migrated-${atMs}-${whatMakesIt()}.db`);
  try {
    return readFileSync(kept);
  } catch {
    const made = madeNow(atMs);
    mkdirSync(KEPT_IN, { recursive: true });
    // Two processes that make it at once write the same; a rename leaves no half of it to a third.
    const beside = `${kept}.${randomBytes(8).toString("hex")}`;
    writeFileSync(beside, made);
    renameSync(beside, kept);
    return made;
  }
}

/** Puts it where an appliance, or a store, is to start for the first time. */
export function putMigrated(directory: string, clock: Pick<Clock, "nowMs">): void {
  writeFileSync(join(directory, DATABASE_FILE), migratedFile(clock.nowMs()), { mode: 0o600, flag: "wx" });
}

/** Makes it by the migrations, whatever was kept. */
export function madeNow(atMs: number): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), "bendre-migrated-"));
  try {
    const db = openWriter(directory, atMs);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    return readFileSync(join(directory, DATABASE_FILE));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function whatMakesIt(): string {
  const hash = createHash("sha256").update(Bun.version);
  const programs = ["open.ts", "migrate.ts", "open-database.ts"].map((name) => join(STORE, name));
  const scripts = readdirSync(MIGRATIONS)
    .sort()
    .map((name) => join(MIGRATIONS, name));
  for (const path of [...programs, ...scripts]) hash.update(path).update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}
