import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE, openWriter } from "../../src/db/connections.ts";
import { openStore, type Store } from "../../src/db/store.ts";
import { testClock } from "./test-clock.ts";

/** A database with the newest schema and nothing in it, as a file holds it. */
let empty: Uint8Array | undefined;

/**
 * Opens a store in an empty directory. The schema is worked out once for all stores of a file of tests, which takes several times as
 * long as all else that opening does.
 */
export function openNewStore(directory: string, clock: Parameters<typeof openStore>[1]): Store {
  const file = join(directory, DATABASE_FILE);
  if (empty === undefined) {
    openWriter(directory, testClock().nowMs()).close();
    empty = readFileSync(file);
  } else writeFileSync(file, empty, { mode: 0o600 });
  return openStore(directory, clock);
}
