import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASE_FILE } from "../../../src/db/connections.ts";
import { openStore, type Store } from "../../../src/db/store.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type Disk, openDisk } from "./disk.ts";
import { Killed } from "./killed.ts";

let directory: string;
let disk: Disk;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-disk-"));
  disk = openDisk(join(directory, "data"));
});
afterEach(() => {
  disk.crash("process", seededChance(1));
  rmSync(directory, { recursive: true });
});

const start = (onSyncFailure = (_: unknown) => {}) =>
  openStore(disk.directory, testClock(), { openDatabase: disk.openDatabase, onSyncFailure });
const note = (store: Store, wallMs: number, durable: "at once" | "with the next" = "at once") =>
  store.write(
    (tx) =>
      tx.run(
        "INSERT INTO clock_mark (id, wall_at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET wall_at = excluded.wall_at",
        wallMs,
      ),
    durable,
  );
const noted = (store: Store) =>
  store.read.get<{ wallAt: number }>("SELECT wall_at AS wallAt FROM clock_mark")?.wallAt ?? null;

describe("a process that is killed", () => {
  test("leaves everything that was committed, synced or not", async () => {
    const store = start();
    await note(store, 1);
    await note(store, 2, "with the next");
    disk.crash("process", seededChance(1));
    expect(noted(start())).toBe(2);
  });

  test("between commits: nothing that it calls afterwards does anything", async () => {
    const store = start();
    await note(store, 1);
    disk.kill();
    await expect(note(store, 2)).rejects.toBeInstanceOf(Killed);
    expect(() => noted(store)).toThrow(Killed);
    disk.crash("process", seededChance(1));
    const next = start();
    expect(noted(next)).toBe(1);
    await expect(note(store, 3)).rejects.toBeInstanceOf(Killed);
    await expect(store.close()).rejects.toBeInstanceOf(Killed);
    await next.close();
  });

  test("dies before its commit or after it, and never hears of it", async () => {
    for (const [where, left] of [
      ["before", 1],
      ["after", 2],
    ] as const) {
      const store = start();
      await note(store, 1);
      let kills = 0;
      disk.killAt({ commits: 1, where, onKill: () => (kills += 1) });
      await expect(note(store, 2)).rejects.toBeInstanceOf(Killed);
      expect(kills).toBe(1);
      disk.crash("power", seededChance(1));
      const next = start();
      expect(noted(next)).toBe(left);
      await next.close();
      disk.crash("process", seededChance(1));
    }
  });
});

describe("a disk that fails to sync", () => {
  test("leaves a commit that was refused and is there, until the power is cut", async () => {
    for (const [how, left] of [
      ["process", 2],
      ["power", 1],
    ] as const) {
      const failures: unknown[] = [];
      const store = start((error) => failures.push(error));
      await note(store, 1);
      disk.failNextSync();
      await expect(note(store, 2)).rejects.toMatchObject({ code: "SQLITE_IOERR_FSYNC" });
      expect(failures).toHaveLength(1);
      disk.crash(how, seededChance(2));
      const next = start();
      expect(noted(next)).toBe(left);
      await next.close();
      disk.crash("process", seededChance(1));
    }
  });

  test("at the start: the log stays as it was found, and the next start reads it", async () => {
    await note(start(), 7);
    disk.crash("process", seededChance(1));
    const log = `${join(disk.directory, DATABASE_FILE)}-wal`;
    const found = readFileSync(log);
    disk.failNextSync();
    expect(() => start()).toThrow(/cannot be written/);
    expect(readFileSync(log).equals(found)).toBe(true);
    disk.crash("process", seededChance(1));
    expect(noted(start())).toBe(7);
  });
});

describe("a disk that is full", () => {
  test("refuses as SQLite does, at a statement or at the commit, and takes everything once it has room", async () => {
    const store = start();
    disk.refuse("full", seededChance(3));
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => note(store, index)));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.every((outcome) => "reason" in outcome && outcome.reason.code === "SQLITE_FULL")).toBe(
      true,
    );
    disk.refuse("well", seededChance(3));
    await note(store, 100);
    expect(noted(store)).toBe(100);
    const names = Object.keys(disk.counts()).filter((name) => name.startsWith("SQLITE_FULL"));
    expect(names).toEqual([
      "SQLITE_FULL at a commit",
      "SQLITE_FULL at a statement",
      "SQLITE_FULL at a statement, undoing all",
    ]);
  });

  test("and one that is read-only: nothing starts on it, and it is usable afterwards", async () => {
    disk.refuse("read only", seededChance(1));
    expect(() => start()).toThrow(/cannot be written/);
    disk.refuse("well", seededChance(1));
    disk.crash("process", seededChance(1));
    await note(start(), 1);
  });
});

test("a copy has what was committed when it was made, here and on another machine", async () => {
  const store = start();
  await note(store, 1);
  const copy = join(directory, "copy");
  disk.copyTo(copy);
  await note(store, 2);
  disk.crash("process", seededChance(1));
  const other = openDisk(copy);
  const elsewhere = openStore(copy, testClock(), { openDatabase: other.openDatabase });
  expect(noted(elsewhere)).toBe(1);
  other.crash("process", seededChance(1));
  disk.putBack(copy);
  const again = start();
  expect(noted(again)).toBe(1);
  await note(again, 3);
  disk.crash("power", seededChance(1));
  expect(noted(start())).toBe(3);
});
