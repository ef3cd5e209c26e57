/**
 * How long the write-ahead log is, read from the header of its index, the file `-shm` (sqlite.org/walformat.html). SQLite
 * tells the length, but not when a log began again: that is seen by its salts.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";

export type LogPosition = {
  /** Of this beginning of the log: other salts, other log. */
  readonly salt: string;
  /** Committed frames. */
  readonly frames: number;
  /** Frames that a checkpoint copied into the database. */
  readonly copied: number;
};

export type LogReader = {
  /** Null where no connection has the log open. */
  readonly position: () => LogPosition | null;
  readonly close: () => void;
};

const HEADER_OCTETS = 136;
const INITIALISED_AT = 12;
const FRAMES_AT = 16;
const SALT_AT = 32;
const COPIED_AT = 96;

/** Reads the index of the log that belongs to `database`. */
export function logReader(database: string): LogReader {
  const path = `${database}-shm`;
  const octets = Buffer.alloc(HEADER_OCTETS);
  let file: number | null = null;
  return {
    position: () => {
      if (file === null) {
        if (!existsSync(path)) return null;
        file = openSync(path, "r");
      }
      if (readSync(file, octets, 0, HEADER_OCTETS, 0) < HEADER_OCTETS || octets[INITIALISED_AT] === 0)
        return null;
      return {
        salt: octets.toString("hex", SALT_AT, SALT_AT + 8),
        frames: octets.readUInt32LE(FRAMES_AT),
        copied: octets.readUInt32LE(COPIED_AT),
      };
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
