/** Result codes of SQLite that tell of the disk and not of the statement (sqlite.org/rescode.html). */
const OF_THE_DISK = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;

/** Whether a write failed because the disk did not take it: the same job may succeed later without a change. */
export function isDiskFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    OF_THE_DISK.test(error.code)
  );
}
