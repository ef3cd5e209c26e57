/**
 * The simulated disk: real SQLite files whose every commit is seen, that may refuse to be written, and of which a crash leaves
 * what a crash may leave. One disk outlives the processes on it; `crash` comes after each of them.
 *
 * `openDatabase` goes to `openStore`. `killAt` ends the life under way at a commit, and from then on each call of its databases
 * throws `Killed`. `crash` closes what the dead left without what an orderly close does to the files, and makes of them
 * what the next life finds. The same calls with the same chance leave the same state.
 */
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Chance } from "../../../src/core/chance.ts";
import { DATABASE_FILE } from "../../../src/db/connections.ts";
import type { OpenDatabase } from "../../../src/db/disk.ts";
import { type Connection, guarded } from "./connection.ts";
import { leaveAsCrashed } from "./crash.ts";
import { copyDirectory } from "./directories.ts";
import { diskError } from "./disk-errors.ts";
import { Killed } from "./killed.ts";
import { type LogWatch, logWatch } from "./log-watch.ts";
import { type DiskState, type Refusals, refusals } from "./refusals.ts";
import type { StatementKind } from "./statement-kind.ts";
import { migratedFile } from "./template.ts";

/**
 * Where a life ends: before its n-th commit from now, inside it (written, not synced, and nobody heard of it) or right after it
 * (durable, and nobody heard of it); or inside the first checkpoint after so many commits that has pages to copy.
 */
export type KillAt = {
  readonly commits: number;
  readonly where: "before" | "inside" | "after" | "in a checkpoint";
  /** The life is over: nothing that it does may be heard of from here on. */
  readonly onKill: () => void;
};

export type Disk = {
  readonly directory: string;
  readonly openDatabase: OpenDatabase;
  /** Commits of the writer so far, of all lives. */
  readonly commits: () => number;
  /** Told after each commit that was heard of. */
  readonly onCommit: (told: (commits: number) => void) => void;
  /** Takes the place of what was asked before; null: nothing. */
  readonly killAt: (at: KillAt | null) => void;
  /** Between two commits. */
  readonly kill: () => void;
  /** The end of a process, however it came. Of an orderly one nothing is left to do but this. */
  readonly crash: (how: "process" | "power", chance: Chance) => void;
  readonly refuse: (state: DiskState, chance: Chance) => void;
  /** The next sync fails, or the next of a checkpoint, and what it was to keep is forgotten by the system. The process must end. */
  readonly failNextSync: (at?: "anything" | "a checkpoint") => void;
  /** It does not fail after all. */
  readonly failNoSync: () => void;
  /** The database and its log as they stand, copied to another directory, which a disk may be opened on: another machine. */
  readonly copyTo: (directory: string) => void;
  /** Between two lives: an old copy takes the place of what is there. */
  readonly putBack: (directory: string) => void;
  /** Between two lives: whatever `put` does takes the place of what is there. */
  readonly exchange: (put: () => Promise<void>) => Promise<void>;
  /** What was done, by name, how often: for coverage. */
  readonly counts: () => Readonly<Record<string, number>>;
};

/** A process on the disk. */
export type Life = {
  isDead: boolean;
  readonly connections: Set<Connection>;
  /** Died inside a commit. */
  isInside: boolean;
  /** Died inside a checkpoint of these frames. */
  checkpoint: { readonly from: number; readonly to: number; readonly empties: boolean } | null;
};

/** What a disk is made of. */
export type DiskParts = {
  readonly path: string;
  log: LogWatch;
  readonly refusals: Refusals;
  readonly count: (name: string) => void;
  life: Life;
  commits: number;
  armed: { left: number; readonly at: KillAt } | null;
  failingSync: "anything" | "a checkpoint" | null;
  readonly told: ((commits: number) => void)[];
};

/**
 * Opens a disk on a directory that is made if need be. `begin`: with a migrated database where there is none, or without, so
 * that the first start migrates.
 */
export function openDisk(directory: string, begin: "migrated" | "empty" = "migrated"): Disk {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, DATABASE_FILE);
  if (begin === "migrated" && !existsSync(path)) {
    writeFileSync(path, migratedFile());
    chmodSync(path, 0o600);
  }
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const disk: DiskParts = {
    path,
    log: logWatch(path),
    refusals: refusals(count),
    count,
    life: newLife(),
    commits: 0,
    armed: null,
    failingSync: null,
    told: [],
  };
  return {
    directory,
    openDatabase: (file, options) => opened(disk, file, options),
    commits: () => disk.commits,
    onCommit: (told) => void disk.told.push(told),
    killAt: (at) => {
      disk.armed = at && { left: at.commits, at };
    },
    kill: () => {
      disk.life.isDead = true;
    },
    crash: (how, chance) => {
      disk.life.isDead = true;
      leaveAsCrashed(disk, how, chance);
      disk.life = newLife();
      disk.armed = null;
      disk.failingSync = null;
    },
    refuse: (state, chance) => {
      disk.refusals.set(state, chance);
      count(`disk ${state}`);
    },
    failNextSync: (at = "anything") => {
      disk.failingSync = at;
    },
    failNoSync: () => {
      disk.failingSync = null;
    },
    copyTo: (to) => copyDirectory(directory, to),
    putBack: (from) => {
      count("an old copy put back");
      disk.log.letGo();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
      copyDirectory(from, directory);
      disk.log = logWatch(path);
    },
    exchange: async (put) => {
      count("a backup restored");
      disk.log.letGo();
      await put();
      disk.log = logWatch(path);
    },
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function newLife(): Life {
  return { isDead: false, connections: new Set(), isInside: false, checkpoint: null };
}

function opened(disk: DiskParts, file: string, options: Parameters<OpenDatabase>[1]): Database {
  const { life } = disk;
  if (life.isDead) throw new Killed();
  const isData = basename(file) === DATABASE_FILE;
  const connection = guarded(
    file,
    new Database(file, options),
    options.readonly === true,
    (asking, kind, call) => {
      if (life.isDead) throw new Killed();
      disk.refusals.check(asking, kind);
      return isData && !asking.isReadonly ? written(disk, asking, kind, call) : call();
    },
    (closed) => {
      life.connections.delete(closed);
      if (isData) disk.log.letGo();
    },
  );
  life.connections.add(connection);
  disk.refusals.opened(connection);
  return connection.db;
}

/** A call of the connection that writes. */
function written<T>(disk: DiskParts, connection: Connection, kind: StatementKind, call: () => T): T {
  switch (kind.kind) {
    case "synchronous":
      connection.synchronous = kind.level;
      return call();
    case "begin":
      disk.log.begun();
      return call();
    case "commit":
      return committed(disk, connection, call);
    case "write":
      if (connection.isInTransaction()) return call();
      disk.log.begun();
      return committed(disk, connection, call);
    case "checkpoint":
      return checkpointed(disk, kind.mode, call);
    case "read":
    case "rollback":
    case "journal mode":
      return call();
  }
}

function committed<T>(disk: DiskParts, connection: Connection, call: () => T): T {
  const { armed, life } = disk;
  disk.commits += 1;
  if (armed) armed.left -= 1;
  const where = armed?.left === 0 ? armed.at.where : null;
  if (where === "before") return die(disk, "killed before a commit");
  const isSynced = connection.synchronous === "FULL";
  const result = call();
  if (where === "inside") {
    life.isInside = true;
    return die(disk, "killed inside a commit");
  }
  if (isSynced && disk.failingSync === "anything") {
    disk.failingSync = null;
    disk.log.syncFailed();
    disk.count("sync failed at a commit");
    throw diskError("SQLITE_IOERR_FSYNC");
  }
  disk.log.committed(isSynced);
  disk.count(isSynced ? "commit, synced" : "commit, not synced");
  if (where === "after") return die(disk, "killed after a commit");
  for (const told of disk.told) told(disk.commits);
  return result;
}

function checkpointed<T>(disk: DiskParts, mode: string, call: () => T): T {
  const { armed, life, log } = disk;
  const now = log.position();
  const hasWork = now !== null && now.copied < now.frames;
  if (armed && armed.left <= 0 && armed.at.where === "in a checkpoint" && hasWork) {
    life.checkpoint = { from: now.copied, to: now.frames, empties: mode === "TRUNCATE" };
    return die(disk, "killed in a checkpoint");
  }
  if (hasWork && disk.failingSync !== null) {
    disk.failingSync = null;
    log.syncFailed();
    disk.count("sync failed at a checkpoint");
    throw diskError("SQLITE_IOERR_FSYNC");
  }
  log.checkpointing(mode);
  const result = call();
  log.checkpointed();
  if (hasWork) disk.count(`checkpoint ${mode}`);
  return result;
}

function die(disk: DiskParts, how: string): never {
  const { armed, life } = disk;
  life.isDead = true;
  disk.armed = null;
  disk.count(how);
  armed?.at.onKill();
  throw new Killed();
}
