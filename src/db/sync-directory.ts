import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names in a directory durable. @throws what the system says. */
export type SyncDirectory = (path: string) => void;

/** On the real disk. */
export const syncOnDisk: SyncDirectory = (path) => {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};
