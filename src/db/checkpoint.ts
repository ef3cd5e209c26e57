/**
 * Keeps the write-ahead log short. SQLite would do it inside a commit and swallow what goes wrong there
 * (sqlite.org/c3ref/wal_autocheckpoint.html); a sync that failed must not be swallowed, so it is done here.
 */
import type { Database } from "bun:sqlite";

/** Pages in the log that are not in the database yet, at which they are copied: 4 MB. */
const PAGES = 1000;

/** What a log that grew beyond it for once is cut to when it begins again. */
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Statements between two checks of the log's length, and what a commit counts at least: a check costs as much as a small commit
 * that does not wait for the disk, and after a large one the log may have grown by much.
 */
const STATEMENTS_A_LOOK = 256;
const MIN_A_COMMIT = 32;

type Progress = { readonly busy: number; readonly log: number; readonly checkpointed: number };

/** The log of a connection. Throws the error of the disk; what was committed stays committed all the same. */
export type WalKeeper = {
  /** Called after every commit with how many statements it wrote: whether the log is to be copied. Empties it if that was asked for. */
  readonly isLong: (statements: number) => boolean;
  /** Copies it into the database, as far as readers let it. Between two transactions. */
  readonly copy: () => void;
};

type Checkpointer = WalKeeper & {
  /** Has the log emptied after the next commit, as soon as nobody reads from it. */
  readonly emptyNext: () => void;
};

export function checkpointer(db: Database): Checkpointer {
  db.run("PRAGMA wal_autocheckpoint = 0");
  db.run(`PRAGMA journal_size_limit = ${LOG_LIMIT_BYTES}`);
  const progress = db.prepare<Progress, []>("PRAGMA wal_checkpoint(NOOP)");
  const copy = db.prepare<Progress, []>("PRAGMA wal_checkpoint(PASSIVE)");
  /** The length of the log when it was copied last: as long as a reader holds it, once every so many pages is enough. */
  let triedAt = 0;
  let unseen = 0;
  let isToBeEmptied = false;
  const isLong = (statements: number): boolean => {
    unseen += Math.max(MIN_A_COMMIT, statements);
    if (unseen < STATEMENTS_A_LOOK) return false;
    unseen = 0;
    if (isToBeEmptied) isToBeEmptied = !emptied(db);
    const now = progress.get();
    if (!now) return false;
    if (now.log < triedAt) triedAt = 0;
    if (now.log - Math.max(triedAt, now.checkpointed) < PAGES) return false;
    triedAt = now.log;
    return true;
  };
  const emptyNext = (): void => {
    isToBeEmptied = true;
    unseen = STATEMENTS_A_LOOK;
  };
  return { isLong, copy: () => void copy.get(), emptyNext };
}

/** Copies the whole log into the database and cuts it to nothing; false where somebody reads at this moment, which is not waited for. */
function emptied(db: Database): boolean {
  db.run("PRAGMA busy_timeout = 0");
  try {
    return db.query<Progress, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } finally {
    db.run("PRAGMA busy_timeout = 5000");
  }
}
