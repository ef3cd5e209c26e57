/** What an error of SQLite tells beside its text, by its result code (sqlite.org/rescode.html). */
import { systemErrorCode } from "../core/log.ts";
import { PhrasedError } from "../core/phrased-error.ts";
import type { Phrase } from "../i18n/phrase.ts";

/** Whether the error is the disk's and not the statement's: full, read-only, failing. The same job may succeed later. */
export function isDiskFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/.test(systemErrorCode(error));
}

/** Whether the system refused to change a file: read-only, full, forbidden, failing (errno(3)). */
export function isRefusedBySystem(error: unknown): boolean {
  return /^(EROFS|EACCES|EPERM|ENOSPC|EDQUOT|EIO)$/.test(systemErrorCode(error));
}

/** Whether the obstacle may pass: the disk's, another program's lock, or a want of memory. */
export function isTransient(error: unknown): boolean {
  return isDiskFailure(error) || /^SQLITE_(BUSY|LOCKED|NOMEM)/.test(systemErrorCode(error));
}

/**
 * Whether the disk failed to keep what it was given. The system may have dropped those pages, and says so only once: the
 * next sync succeeds without them (sqlite.org/rescode.html#ioerr_fsync). So everything that was left to a later sync may
 * be lost behind a gap in the log, and whatever is committed after it with it.
 */
export function isSyncFailure(error: unknown): boolean {
  return /^SQLITE_IOERR_(DIR_)?FSYNC$/.test(systemErrorCode(error));
}

/** Whether SQLite found the database corrupt. */
export function isCorruption(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(systemErrorCode(error));
}

/** Why a data directory cannot be used, for an administrator. Nothing was changed. */
export class StoreError extends PhrasedError {
  override name = "StoreError";
  /**
   * "locked": another process has the directory, perhaps only for a moment. "newer": of a schema that this executable
   * does not know. "unsupported": of one that another build must upgrade first.
   */
  readonly kind: "locked" | "unusable" | "foreign" | "newer" | "unsupported";

  constructor(kind: StoreError["kind"], told: Phrase) {
    super(told);
    this.kind = kind;
  }
}
