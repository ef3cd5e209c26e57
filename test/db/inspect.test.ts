import { Database } from "bun:sqlite";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { APPLICATION_ID } from "../../src/db/connections.ts";
import { inspectDatabase } from "../../src/db/inspect.ts";
import { applyMigrations, LATEST_SCHEMA } from "../../src/db/migrate.ts";
import { openStore } from "../../src/db/store.ts";
import { testClock } from "../kit/test-clock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre inspect ?#%"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const path = () => join(directory, "bendre.db");
const plant = (schema: number, owner = APPLICATION_ID) => {
  const db = new Database(path(), { create: true, readwrite: true });
  db.run(`PRAGMA application_id = ${owner}`);
  applyMigrations(db, 0);
  db.run(`PRAGMA user_version = ${schema}`);
  db.close();
};

describe("looking at a database", () => {
  test("tells whether it is there, whose it is and of which schema", () => {
    expect(inspectDatabase(directory)).toEqual({ kind: "absent" });
    for (const [schema, kind] of [
      [5, "older"],
      [40, "unsupported"],
      [78, "older"],
    ] as const) {
      plant(schema);
      expect(inspectDatabase(directory)).toEqual({ kind, schema, latest: LATEST_SCHEMA });
      rmSync(path());
    }
    plant(LATEST_SCHEMA + 2);
    expect(inspectDatabase(directory)).toEqual({
      kind: "newer",
      schema: LATEST_SCHEMA + 2,
      latest: LATEST_SCHEMA,
    });
    rmSync(path());
    plant(LATEST_SCHEMA, 7);
    expect(inspectDatabase(directory)).toEqual({ kind: "foreign" });
    writeFileSync(path(), "no database at all, but long enough for a header: ".repeat(40));
    expect(inspectDatabase(directory)).toMatchObject({ kind: "damaged" });
    writeFileSync(path(), "");
    // What a first start leaves that was killed at once: the next one goes on with it.
    expect(inspectDatabase(directory)).toEqual({ kind: "older", schema: 0, latest: LATEST_SCHEMA });
  });

  test("leaves no trace where no server runs: no file of a log, nothing migrated", async () => {
    await openStore(directory, testClock()).close();
    const before = readdirSync(directory).sort();
    const found = inspectDatabase(directory);
    if (found.kind !== "current") throw new Error(found.kind);
    expect(found.read.all("SELECT * FROM accounts")).toEqual([]);
    found.close();
    expect(readdirSync(directory).sort()).toEqual(before);
  });

  test("beside a server sees what that has committed, and disturbs nothing", async () => {
    const store = openStore(directory, testClock());
    await store.write((tx) =>
      tx.run("INSERT INTO operator_renames (old_code, new_code, renamed_at) VALUES ('a', 'b', 1)"),
    );
    const found = inspectDatabase(directory);
    if (found.kind !== "current") throw new Error(found.kind);
    expect(found.read.all("SELECT old_code FROM operator_renames")).toEqual([{ old_code: "a" }]);
    found.close();
    await store.write((tx) => tx.run("DELETE FROM operator_renames"));
    await store.close();
    expect(existsSync(path())).toBe(true);
  });
});
