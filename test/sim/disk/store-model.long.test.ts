import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seeded, seeds } from "../../kit/seeds.ts";
import { diskError } from "./disk-errors.ts";
import { storeLives } from "./store-model.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "bendre-disk-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("the store on a disk that refuses, fails and dies", () => {
  test.each(seeds(30))(
    "keeps what it said is done, once, and nothing of what it refused (seed %d)",
    seeded(async (chance) => {
      expect(await storeLives(join(directory, "data"), 4, chance)).toBeNull();
    }),
  );
});

test("a disk's error is told as SQLite tells it", () => {
  const db = new Database(":memory:");
  db.run("PRAGMA max_page_count = 1");
  let real: unknown = null;
  try {
    db.run("CREATE TABLE full (n INTEGER)");
  } catch (error) {
    real = error;
  }
  const { name, message, code, errno, byteOffset } = real as Error & Record<string, unknown>;
  expect({ ...diskError("SQLITE_FULL") }).toEqual({ name, code, errno, byteOffset });
  expect(diskError("SQLITE_FULL").message).toBe(message);
});
