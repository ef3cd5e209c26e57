/** How many frames commits wrote into the write-ahead log, read from its index (sqlite.org/walformat.html#the_wal_index_file_format). */
import { closeSync, openSync, readSync } from "node:fs";

/** A page and its header (sqlite.org/fileformat2.html#the_write_ahead_log). */
export const FRAME_BYTES = 4096 + 24;
/** Where the index says how many frames of the log are valid. */
const LAST_FRAME_AT = 16;

export type LogFrames = {
  /** To be told after each commit. */
  readonly committed: () => void;
  readonly frames: () => number;
  readonly reset: () => void;
};

/** Of the database at this path, which somebody has open. */
export function logFrames(path: string): LogFrames {
  const word = Buffer.alloc(4);
  let index: number | null = null;
  let last = 0;
  let frames = 0;
  const lastFrame = (): number => {
    index ??= openSync(`${path}-shm`, "r");
    readSync(index, word, 0, 4, LAST_FRAME_AT);
    return word.readUInt32LE();
  };
  process.on("exit", () => {
    if (index !== null) closeSync(index);
  });
  return {
    committed: () => {
      const now = lastFrame();
      // A log that was copied begins again.
      frames += now >= last ? now - last : now;
      last = now;
    },
    frames: () => frames,
    reset: () => {
      last = lastFrame();
      frames = 0;
    },
  };
}
