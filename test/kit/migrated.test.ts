import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DATABASE_FILE } from "../../src/store/open.ts";
import { madeNow, migratedFile, putMigrated } from "./migrated.ts";
import { testClock } from "./test-clock.ts";

const clock = testClock();
const AT = clock.nowMs();

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-migrated-test-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Every row of every table, and all that the header tells. */
function contentOf(octets: Uint8Array) {
  const path = join(directory, "looked-at.db");
  writeFileSync(path, octets);
  const db = new Database(path);
  try {
    const schema = db
      .query<{ type: string; name: string; sql: string | null }, []>(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
      )
      .all();
    const rows = schema
      .filter(({ type, sql }) => type === "table" && sql !== null && !/CREATE VIRTUAL/i.test(sql))
      .map(({ name }) => [name, db.query(`SELECT * FROM "${name}"`).values()]);
    const pragmas = [
      "user_version",
      "application_id",
      "page_size",
      "auto_vacuum",
      "encoding",
      "journal_mode",
    ];
    return {
      schema,
      rows,
      pragmas: pragmas.map((name) => [name, db.query(`PRAGMA ${name}`).values()]),
    };
  } finally {
    db.close();
  }
}

test("the database that tests start from is what the migrations of today make", () => {
  const content = contentOf(madeNow(AT));
  expect(contentOf(migratedFile(AT))).toEqual(content);
  expect(content.schema.length).toBeGreaterThan(100);
});

test("it is put where there is none, never over one", () => {
  putMigrated(directory, clock);
  expect(() => putMigrated(directory, clock)).toThrow(DATABASE_FILE);
});
