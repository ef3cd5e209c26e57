/**
 * The database: one writer, and reads that never wait for it. The only room that imports `bun:sqlite`.
 *
 * `openStore` locks the directory, makes sure that it is ours, and migrates the schema to the newest (`data-directory.ts`,
 * `migrate.ts`: a new one begins with `schema.sql`, others go through `migrations/`, never edited); `read-only.ts` opens it for what
 * only looks.
 * `writer.ts` is the one writer: jobs that wait together share a transaction and an fsync. `reader.ts` prepares each statement
 * once.
 * A job is synchronous, may be run again, and has no effect but on the database; what follows a commit is asked for by
 * `afterCommit`.
 * SQL of the domain stands in the room that owns the table, never here.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { BugError } from "../core/assert.ts";
import { type Clock, wait } from "../core/clock.ts";
import { errorText } from "../core/log.ts";
import { createMetricsRegistry, type MetricsRegistry } from "../core/metrics-registry.ts";
import { settleWithin } from "../core/shutdown-plan.ts";
import { phrase } from "../i18n/phrase.ts";
import { checkpointer } from "./checkpoint.ts";
import { type BeforeMigrating, DATABASE_FILE, openReader, openWriter, type Upgraded } from "./connections.ts";
import { finishRestore, lockDirectory, prepareDirectory, restrictPermissions } from "./data-directory.ts";
import { type OpenDatabase, openOnDisk, rawFiles, type SyncPath } from "./disk.ts";
import { isDiskFailure, isRefusedBySystem, isSyncFailure, StoreError } from "./errors.ts";
import { openPseudonyms, type Pseudonyms } from "./pseudonyms.ts";
import {
  createReader,
  prepareStatements,
  type Reader,
  readDataVersion,
  type StoreTrace,
  traceSlow,
} from "./reader.ts";
import { createRowCache } from "./row-cache.ts";
import { openQueuedWriter, type Writer } from "./writer.ts";

/** The database as the rooms see it: one writer, and reads that never wait for it. */
export type Store = {
  readonly directory: string;
  /** Whether it was opened for reading alone: every write is refused. */
  readonly isReadOnly: boolean;
  /** What opening it did to a database of an older schema; null where there was nothing to do. */
  readonly upgraded: Upgraded | null;
  /** Files that others could read until now. */
  readonly tightened: readonly string[];
  /** Sees every committed transaction, nothing of the one under way. */
  readonly read: Reader;
  /** Counts since it was opened, by whoever writes into it. */
  readonly tally: MetricsRegistry;
  /** Pseudonyms in place of erased texts. */
  readonly names: Pseudonyms;
  readonly write: Writer["write"];
  readonly writeEach: Writer["writeEach"];
  /** Has `told` called whenever the disk did not take a write; the writer waits meanwhile, so it must be short. */
  readonly whenDiskFails: (told: () => void) => void;
  /** A number that changes with every transaction that changed something: while it stays the same, what was read is still current. */
  readonly version: () => number;
  /** Runs work during which nothing is written: what is asked for meanwhile waits. */
  readonly pauseWrites: Writer["pause"];
  /**
   * After the next commit the write-ahead log is copied into the database and emptied, as soon as nobody reads: what was
   * overwritten is in no file any more then.
   */
  readonly truncateWal: () => void;
  /** Octets of the write-ahead log: 0 once it was emptied, and nothing was written since. */
  readonly logBytes: () => number;
  /**
   * The database file, open for reading as it is; null where the disk is none of files. It stays open as long as the store: closing a
   * file gives back whatever the process has locked of it (fcntl(2)), and that is SQLite's.
   */
  readonly file: () => number | null;
  /**
   * Waits for the writer's jobs, copies the write-ahead log into the database and unlocks the directory. A write asked for after
   * it is refused; what waits longer than `longestMs` is left undone. Where the log cannot be copied it rejects: what was
   * committed is in the log, and the next opening finds it there.
   */
  readonly close: (longestMs?: number) => Promise<void>;
};

export type StoreOptions = {
  /**
   * Called when the disk failed to keep what was committed: the process must end without closing the store, so that the next one
   * reads what the log really holds. Where it is absent, the error is thrown on a turn of its own.
   */
  readonly onSyncFailure?: ((error: unknown) => void) | undefined;
  /** The trace of slow statements; null for none. */
  readonly look?: StoreTrace | null;
  /** The disk; the real one where none is given. */
  readonly openDatabase?: OpenDatabase | undefined;
  /** Called before a database of an older schema is migrated; without it there is no backup. */
  readonly beforeMigrating?: BeforeMigrating | undefined;
  readonly syncPath?: SyncPath | undefined;
};

/**
 * Opens the data directory: locks it, migrates, and returns the store.
 * @throws StoreError when the directory cannot be used; nothing was changed then.
 */
export function openStore(directory: string, clock: Clock, options: StoreOptions = {}): Store {
  const { openDatabase = openOnDisk } = options;
  const tightened = prepareDirectory(directory, options.syncPath);
  const unlock = lockDirectory(directory, openDatabase);
  const open: Database[] = [];
  const kept = (db: Database): Database => {
    open.push(db);
    return db;
  };
  try {
    finishRestore(directory, options.syncPath);
    let upgraded: Upgraded | null = null;
    const writing = kept(
      openWriter(directory, clock.nowMs(), openDatabase, options.beforeMigrating, (told) => {
        upgraded = told;
      }),
    );
    const reading = kept(openReader(directory, openDatabase));
    restrictPermissions(directory);
    return storeOn({ directory, upgraded, tightened, writing, reading, unlock }, clock, options);
  } catch (error) {
    if (!isSyncFailure(error)) for (const db of open) db.close();
    unlock();
    if (isRefusedBySystem(error)) {
      throw new StoreError(
        "unusable",
        phrase("store.directory_not_written", { directory, error: errorText(error) }),
      );
    }
    if (!isDiskFailure(error)) throw error;
    throw new StoreError("unusable", phrase("store.unusable", { directory, error: errorText(error) }));
  }
}

type Opened = {
  readonly directory: string;
  readonly upgraded: Upgraded | null;
  readonly tightened: readonly string[];
  readonly writing: Database;
  readonly reading: Database;
  readonly unlock: () => void;
};

function storeOn(
  { directory, upgraded, tightened, writing, reading, unlock }: Opened,
  clock: Clock,
  { onSyncFailure = failLoudly(clock), look = null }: StoreOptions,
): Store {
  let isLost = false;
  const onLost = (error: unknown): void => {
    isLost = true;
    onSyncFailure(error);
  };
  const onDiskFailure: (() => void)[] = [];
  const known = createRowCache();
  const log = checkpointer(writing);
  const tally = createMetricsRegistry();
  const names = openPseudonyms(directory);
  const writer = openQueuedWriter(writing, clock, {
    known,
    tally,
    nameOf: names.of,
    keeper: log,
    onSyncFailure: onLost,
    look,
    onDiskFailure: () => {
      for (const told of onDiskFailure) told();
    },
  });
  const prepared = prepareStatements(reading);
  const read = createReader(look ? traceSlow(prepared, "reader", clock, look) : prepared, known, names.of);
  let isClosed = false;
  const { close: closeRaw, ...raw } = rawFiles(join(directory, DATABASE_FILE));
  return {
    directory,
    isReadOnly: false,
    upgraded,
    tightened,
    tally,
    names,
    read,
    // Prepared statements outlive their connection: one that ran after the close would lock the next owner out.
    write: (job, durable, turn) => (isClosed ? Promise.reject(closed()) : writer.write(job, durable, turn)),
    writeEach: (items, work, durable, turn) =>
      isClosed
        ? Promise.resolve(items.map(() => ({ status: "rejected", reason: closed() })))
        : writer.writeEach(items, work, durable, turn),
    whenDiskFails: (told) => {
      onDiskFailure.push(told);
    },
    version: () => readDataVersion(read),
    pauseWrites: writer.pause,
    truncateWal: log.emptyNext,
    ...raw,
    close: async (longestMs) => {
      isClosed = true;
      await (longestMs === undefined ? writer.idle() : settleWithin(clock, longestMs, writer.idle()));
      reading.close();
      if (isLost) {
        // Closing would copy the log into the database, and nobody knows what of the log the disk holds.
        unlock();
        return;
      }
      // A reader that is still at work elsewhere keeps the log from being emptied; that is not worth waiting for.
      writing.run("PRAGMA busy_timeout = 200");
      try {
        writing.run("PRAGMA wal_checkpoint(TRUNCATE)");
        writing.close();
        closeRaw();
      } finally {
        unlock();
      }
    },
  };
}

function closed(): BugError {
  return new BugError("the store is closed");
}

/** For a process that does not say what to do when the disk fails: ends it on a turn of its own. */
function failLoudly(clock: Clock): (error: unknown) => void {
  return (error) =>
    clock.soon(() => {
      throw error;
    });
}

/** Between two tries at a directory that another process has locked. */
const RETRY_MS = 100;

/**
 * Opens the data directory like `openStore`, but waits up to `patienceMs` for a process that has it only for a moment, such as a
 * command of the administration.
 */
export async function openStorePatiently(
  directory: string,
  clock: Clock,
  patienceMs: number,
  options: StoreOptions = {},
): Promise<Store> {
  const untilMs = clock.steadyMs() + patienceMs;
  for (;;) {
    try {
      return openStore(directory, clock, options);
    } catch (error) {
      const mayPass = error instanceof StoreError && error.kind === "locked";
      if (!mayPass || clock.steadyMs() >= untilMs) throw error;
      await wait(clock, RETRY_MS);
    }
  }
}
