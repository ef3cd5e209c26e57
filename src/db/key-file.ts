/** Keys that lie beside the database, each in a file of its own that the server's user alone can read. */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { syncOnDisk } from "./sync-directory.ts";

/** A key of so many octets; null where there is none of that name, or what is there is no key. */
export function readKeyFile(path: string, octets: number): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === octets ? key : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Makes a key file: private from its first moment, there whole or not at all, and durable before anything is done
 * with it. A file of that name that holds no key is left for people to look at.
 * @throws the runtime's error, which names the file, when there is one already.
 */
export function makeKeyFile(path: string, key: Uint8Array): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, key);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  linkSync(draft, path);
  rmSync(draft);
  syncOnDisk(dirname(path));
}
