import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASE_FILE } from "../../src/db/connections.ts";
import type { OpenDatabase } from "../../src/db/disk.ts";
import { StoreError } from "../../src/db/errors.ts";
import { INTERMEDIATE_BUILD, LATEST_SCHEMA } from "../../src/db/migrate.ts";
import { openStore, openStorePatiently } from "../../src/db/store.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { ownDirectory } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";
import { diskError } from "../sim/disk/disk-errors.ts";

let directory: ReturnType<typeof ownDirectory>;
let file: string;
beforeEach(() => {
  directory = ownDirectory();
  file = join(directory.path, "bendre.db");
});
afterEach(() => directory.remove());

const open = (path = directory.path) => openStore(path, testClock());

const refusal = (path = directory.path) => refusalOf(() => open(path));

function refusalOf(opening: () => unknown): StoreError {
  try {
    opening();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("it was opened");
}

/** A database file made by `statements`, as its octets are after. */
function databaseWith(...statements: string[]): Uint8Array {
  const db = new Database(file, { create: true });
  for (const statement of statements) db.run(statement);
  db.close();
  return readFileSync(file);
}

describe("the data directory", () => {
  test("is created with every parent, for its owner alone", async () => {
    const deep = join(directory.path, "var", "lib", "bendre");
    const store = open(deep);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(existsSync(join(deep, DATABASE_FILE))).toBe(true);
    await store.close();
  });

  test("is one process's at a time: a second opening is refused until the first is closed", async () => {
    const first = open();
    const told = refusal();
    expect([told.kind, told.reason]).toEqual([
      "locked",
      phrase("store.locked", { directory: directory.path }),
    ]);
    await first.write((tx) => tx.run("CREATE TABLE still_works (n INTEGER)"));
    await first.close();
    await open().close();
  });

  test("is waited for patiently while another process has it for a moment", async () => {
    const clock = testClock();
    const first = open();
    const second = openStorePatiently(directory.path, clock, 2000);
    await clock.advance(500);
    await first.close();
    await clock.advance(100);
    await (await second).close();
  });

  test("is given up after the patience, and at once when waiting can't help", async () => {
    const clock = testClock();
    const first = open();
    const given = openStorePatiently(directory.path, clock, 2000).catch((error: unknown) => error);
    await clock.advance(2000);
    expect(await given).toMatchObject({ kind: "locked" });
    await first.close();
    writeFileSync(join(directory.path, "a-file"), "");
    const atOnce = openStorePatiently(join(directory.path, "a-file"), clock, 2000);
    expect(await atOnce.catch((error: unknown) => error)).toMatchObject({ kind: "unusable" });
    expect(clock.waiting()).toBe(0);
  });

  test("that is a file, or under one, is refused and left alone", () => {
    const plain = join(directory.path, "plain");
    writeFileSync(plain, "notes");
    expect(refusal(plain).kind).toBe("unusable");
    expect(refusal(join(plain, "below")).kind).toBe("unusable");
    expect(readFileSync(plain, "utf8")).toBe("notes");
  });

  test("refused, it is free for the next who asks", async () => {
    databaseWith("CREATE TABLE notes (n INTEGER)");
    expect(refusal().kind).toBe("foreign");
    const db = new Database(file);
    db.run("DROP TABLE notes");
    db.close();
    await open().close();
  });
});

describe("the database file", () => {
  test("of another program is refused and not changed by one octet", () => {
    const mine = databaseWith("CREATE TABLE notes (n INTEGER)", "INSERT INTO notes VALUES (1)");
    expect(refusal().reason).toEqual(phrase("store.foreign", { path: file }));
    expect(readFileSync(file).equals(mine)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("of another program that numbers its schema too is refused", () => {
    databaseWith("PRAGMA application_id = 42", "PRAGMA user_version = 1");
    expect(refusal().kind).toBe("foreign");
  });

  test("of a newer bendre is refused with what to do, and not changed by one octet", async () => {
    await open().close();
    const newer = databaseWith(`PRAGMA user_version = ${LATEST_SCHEMA + 1}`);
    const told = refusal();
    const known = { path: file, schema: LATEST_SCHEMA + 1, latest: LATEST_SCHEMA };
    expect([told.kind, told.reason]).toEqual(["newer", phrase("store.newer", known)]);
    expect(readFileSync(file).equals(newer)).toBe(true);
  });

  test("of a schema between is refused with the build to start before, without a backup, and not changed by one octet", () => {
    const between = databaseWith(
      readFileSync(join(import.meta.dir, "released/0.1.0.sql"), "utf8"),
      "PRAGMA user_version = 40",
    );
    let backups = 0;
    const beforeMigrating = () => {
      backups++;
      return { executable: "", backup: "" };
    };
    const told = refusalOf(() => openStore(directory.path, testClock(), { beforeMigrating }));
    const known = { path: file, schema: 40, ...INTERMEDIATE_BUILD };
    expect([told.kind, told.reason]).toEqual(["unsupported", phrase("store.unsupported", known)]);
    expect(backups).toBe(0);
    expect(readFileSync(file).equals(between)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("that is no database at all, or a directory, is refused in words and left alone", () => {
    writeFileSync(file, "x".repeat(4096));
    expect(refusal().kind).toBe("unusable");
    expect(readFileSync(file, "utf8")).toBe("x".repeat(4096));
    const other = join(directory.path, "other");
    mkdirSync(join(other, "bendre.db"), { recursive: true });
    expect(refusal(other).kind).toBe("unusable");
  });

  test("an empty one is taken as new", async () => {
    writeFileSync(file, "");
    await open().close();
    const db = new Database(file, { readonly: true });
    expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: LATEST_SCHEMA });
    db.close();
  });

  test("keeps every commit through a power cut: write-ahead log, full synchronisation, foreign keys", async () => {
    const store = open();
    const settings = await store.write((tx) =>
      ["journal_mode", "synchronous", "foreign_keys"].map(
        (name) => Object.values(tx.get(`PRAGMA ${name}`)!)[0],
      ),
    );
    expect(settings).toEqual(["wal", 2, 1]);
    await store.close();
  });

  test("is whole in one file after a close: the write-ahead log is folded into it", async () => {
    const store = open();
    await store.write((tx) => tx.run("CREATE TABLE kept (n INTEGER)"));
    await store.write((tx) => tx.run("INSERT INTO kept VALUES (5)"));
    await store.close();
    const wal = `${file}-wal`;
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
    const copy = join(directory.path, "copy.db");
    writeFileSync(copy, readFileSync(file));
    const db = new Database(copy);
    expect(db.query("SELECT n FROM kept").get()).toEqual({ n: 5 });
    db.close();
  });

  test("opened again, it is as it was left", async () => {
    await open().close();
    const before = readFileSync(file);
    await open().close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

test("a store opens its files through the disk that it is given, and through no other", async () => {
  const opened: string[] = [];
  const openDatabase: OpenDatabase = (path, options) => {
    opened.push(`${basename(path)}${options.readonly ? ", to read" : ""}`);
    return new Database(path, options);
  };
  await openStore(directory.path, testClock(), { openDatabase }).close();
  expect(opened).toEqual(["bendre.lock", "bendre.db", "bendre.db, to read"]);
});

test("a disk that fails late in the opening is told in words, and nothing is left open", () => {
  const opened: Database[] = [];
  const openDatabase: OpenDatabase = (path, options) => {
    if (options.readonly) throw diskError("SQLITE_IOERR_SHMSIZE");
    const db = new Database(path, options);
    opened.push(db);
    return db;
  };
  const told = refusalOf(() => openStore(directory.path, testClock(), { openDatabase }));
  expect([told.kind, told.reason]).toEqual([
    "unusable",
    phrase("store.unusable", { directory: directory.path, error: "SQLiteError: disk I/O error" }),
  ]);
  expect(opened).toHaveLength(2);
  for (const db of opened) expect(() => db.run("SELECT 1")).toThrow(/closed/i);
});
