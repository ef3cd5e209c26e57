import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenDatabase } from "../../../src/db/disk.ts";
import { StoreError } from "../../../src/db/errors.ts";
import { openStore } from "../../../src/db/store.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type Connection, guarded } from "./connection.ts";
import { openDisk } from "./disk.ts";
import { type DiskErrorCode, diskError } from "./disk-errors.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "bendre-start-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Attempt = { readonly told: unknown; readonly open: number; readonly isOver: boolean };

/** A start whose disk fails at the n-th call; `isOver`: there were fewer. */
async function startFailingAt(path: string, nth: number, code: DiskErrorCode): Promise<Attempt> {
  let calls = 0;
  let isStarting = true;
  const open = new Set<Connection>();
  const called = (): void => {
    if (!isStarting) return;
    calls += 1;
    if (calls === nth) throw diskError(code);
  };
  const openDatabase: OpenDatabase = (file, options) => {
    called();
    const connection = guarded(
      file,
      new Database(file, options),
      options.readonly === true,
      (_, __, call) => {
        called();
        return call();
      },
      (closed) => open.delete(closed),
    );
    open.add(connection);
    return connection.db;
  };
  try {
    const store = openStore(path, testClock(), { openDatabase });
    isStarting = false;
    await store.close();
    return { told: null, open: open.size, isOver: calls < nth };
  } catch (told) {
    return { told, open: open.size, isOver: false };
  } finally {
    for (const connection of open) connection.close();
  }
}

test.each(["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_READONLY"] as const)(
  "a start whose disk fails at any call (%s) is refused in words, leaves nothing open, and the next one succeeds",
  async (code) => {
    for (const begin of ["migrated", "empty"] as const) {
      for (let nth = 1; ; nth++) {
        const path = join(directory, `${begin}-${nth}`);
        openDisk(path, begin);
        const { told, open, isOver } = await startFailingAt(path, nth, code);
        if (isOver) break;
        expect([begin, nth, told instanceof StoreError && told.kind, open]).toEqual([
          begin,
          nth,
          "unusable",
          0,
        ]);
        await openStore(path, testClock()).close();
        // A migration is like the other; beyond some of them there is nothing new.
        if (begin === "empty" && nth >= 14) break;
      }
    }
  },
);
