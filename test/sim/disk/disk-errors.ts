/** Errors as `bun:sqlite` throws them: it lets nobody else make one (sqlite.org/rescode.html). */

const ERRORS = {
  SQLITE_FULL: [13, "database or disk is full"],
  SQLITE_READONLY: [8, "attempt to write a readonly database"],
  SQLITE_IOERR_WRITE: [778, "disk I/O error"],
  SQLITE_IOERR_FSYNC: [1034, "disk I/O error"],
  SQLITE_IOERR_SHMSIZE: [4874, "disk I/O error"],
} as const;

export type DiskErrorCode = keyof typeof ERRORS;

/** An error that says what SQLite would say. */
export function diskError(code: DiskErrorCode): Error {
  const [errno, message] = ERRORS[code];
  return Object.assign(new Error(message), { name: "SQLiteError", code, errno, byteOffset: -1 });
}
