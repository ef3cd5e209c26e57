import type { Clock } from "../base/clock.ts";
import { lockDirectory, openReader, openWriter, prepareDirectory } from "./open.ts";
import { type Reader, readerOn } from "./read.ts";
import { type Writer, writerOn } from "./write.ts";

/** The database as the rooms see it: one writer, and reads that never wait for it. */
export type Store = {
  readonly directory: string;
  /** Sees every committed transaction, nothing of the one under way. */
  readonly read: Reader;
  readonly write: Writer["write"];
  /** Waits for the writer, folds the write-ahead log into the database and lets the directory go. */
  readonly close: () => Promise<void>;
};

/**
 * Opens the data directory: takes its lock, migrates, and hands out the store.
 * @throws StoreError when the directory cannot be used; nothing was changed then.
 */
export function openStore(directory: string, clock: Clock): Store {
  prepareDirectory(directory);
  const unlock = lockDirectory(directory);
  try {
    const writing = openWriter(directory, clock.nowMs());
    const reading = openReader(directory);
    const writer = writerOn(writing, clock);
    return {
      directory,
      read: readerOn(reading),
      write: writer.write,
      close: async () => {
        await writer.idle();
        reading.close();
        writing.run("PRAGMA wal_checkpoint(TRUNCATE)");
        writing.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
