import { closeSync, openSync, statSync } from "node:fs";

/** The files of a database as the system has them. */
export type RawFiles = {
  readonly logBytes: () => number;
  readonly file: () => number | null;
  /** Only behind the last connection to the database. */
  readonly close: () => void;
};

/** Those at a path. The file is opened when it is first asked for. */
export function rawFiles(path: string): RawFiles {
  let opened: number | null = null;
  return {
    logBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    file: () => {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
      opened ??= openSync(path, "r");
      return opened;
    },
    close: () => {
      if (opened !== null) closeSync(opened);
    },
  };
}
