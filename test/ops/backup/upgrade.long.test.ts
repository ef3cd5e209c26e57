import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyLedger } from "../../../src/admin/reports/ledger-verification.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { version } from "../../../src/core/version.ts";
import { readInSnapshots } from "../../../src/db/connections.ts";
import { labelCopy } from "../../../src/db/copy.ts";
import { INTERMEDIATE_BUILD, LATEST_SCHEMA } from "../../../src/db/migrate.ts";
import { openStore } from "../../../src/db/store.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { runBackupWork } from "../../../src/ops/backup/backup-work.ts";
import { createUpgradeBackup } from "../../../src/ops/backup/upgrade-backup.ts";
import { adminConfig } from "../../admin/operations/fixture.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";

const RELEASED = join(import.meta.dir, "../../db/released");

let directory: string;
let clock: TestClock;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-upgrade-"));
  clock = testClock(Date.UTC(2026, 10, 23, 9));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Lays a database of an older schema. */
function lay(name: string): string {
  const path = join(directory, "bendre.db");
  const db = new Database(path, { create: true });
  db.run(readFileSync(join(RELEASED, name), "utf8"));
  db.run("PRAGMA journal_mode = WAL");
  db.close();
  return path;
}

const open = (freeBytes = 1e12) => {
  const machine = { ...systemPlatform, spaceOf: () => ({ freeBytes, totalBytes: 2e12 }) };
  const beforeMigrating = createUpgradeBackup({
    config: adminConfig(directory),
    clock,
    chance: seededChance(1),
    machine,
  });
  return openStore(directory, clock, { beforeMigrating });
};
/** Starts the server on the directory, as a user would, until it gives up. */
async function serve(): Promise<{ exitCode: number; told: string }> {
  const config = join(directory, "config.toml");
  const table = `prefixes = ["22605"]\nprice = 15\n[[operators.orange.connections]]\nhost = "127.0.0.1"\n`;
  writeFileSync(
    config,
    `[server]\nlisten = "127.0.0.1:0"\n[storage]\ndirectory = "${directory}"\n[operators.orange]\n${table}system_id = "b"\npassword = "p"\n`,
  );
  const started = Bun.spawn([process.execPath, "src/main.ts", "serve", "--config", config], {
    stderr: "pipe",
    stdout: "ignore",
  });
  return { exitCode: await started.exited, told: await new Response(started.stderr).text() };
}
const backups = () => readdirSync(join(directory, "backups")).sort();
const octets = (path: string) => readFileSync(path).toString("base64");
const schemaIn = (path: string) => {
  const db = new Database(path, { readonly: true });
  const found = [
    db.query("PRAGMA user_version").values(),
    db.query("SELECT name, sql FROM sqlite_schema ORDER BY name").values(),
    db.query("SELECT * FROM accounts").values(),
  ];
  db.close();
  return found;
};

describe.each(readdirSync(RELEASED))("a database as in %s", (name) => {
  test("is brought to the newest schema whole: everything is there, and the books agree", async () => {
    const path = lay(name);
    const count = (sql: string) => {
      const db = new Database(path, { readonly: true });
      const rows = db.query(sql).values();
      db.close();
      return rows;
    };
    const sums = `SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM messages), (SELECT count(*) FROM batches),
      (SELECT count(*) FROM rejections), (SELECT count(*) FROM ledger), (SELECT sum(amount) FROM ledger),
      (SELECT sum(funds) FROM wallets), (SELECT sum(reserved) FROM wallets), (SELECT count(*) FROM suppressions)`;
    const before = count(sums);
    const [[schema]] = count("PRAGMA user_version") as [[number]];
    const store = open();
    expect(store.read.get("PRAGMA user_version")).toEqual({ user_version: LATEST_SCHEMA });
    expect(store.upgraded).toEqual({
      from: schema,
      to: LATEST_SCHEMA,
      backup: join(directory, "backups", `before-${version()}.db`),
    });
    await store.close();
    const again = open();
    expect(again.upgraded).toBe(null);
    await again.close();
    expect(count(sums)).toEqual(before);
    expect(readInSnapshots(directory, verifyLedger).differences).toEqual([]);
    expect(count("PRAGMA integrity_check")).toEqual([["ok"]]);
  });

  test("is backed up before, and the backup can be restored and is sound", async () => {
    lay(name);
    await open().close();
    expect(backups()).toEqual([`before-${version()}.db`]);
    const verified = runBackupWork({
      kind: "verify",
      file: join(directory, "backups", backups()[0] ?? ""),
      isDrill: true,
      passphrase: null,
      scratch: join(directory, "scratch"),
      nowMs: clock.nowMs(),
    });
    expect(verified).toMatchObject({ kind: "done" });
  });
});

describe("an upgrade", () => {
  test("without room for its backup is refused before anything is written", () => {
    const path = lay("0.1.0.sql");
    const before = octets(path);
    expect(() => open(1024)).toThrow("no room for the backup before the upgrade, nothing was changed");
    expect(octets(path)).toBe(before);
    expect(readdirSync(directory).filter((name) => name === "backups")).toEqual([]);
  });

  test("that fails in its last step leaves the database as it was, and names its backup", () => {
    const path = lay("0.1.0.sql");
    const db = new Database(path);
    // In the way of a late step.
    db.run("CREATE TABLE restores (n INTEGER)");
    db.close();
    const before = schemaIn(path);
    expect(() => open()).toThrow(/failed and was undone; its backup is .*before-/);
    expect(schemaIn(path)).toEqual(before);
    const fixed = new Database(path);
    fixed.run("DROP TABLE restores");
    fixed.close();
    open();
  });

  test("leaves the last two of its backups, and none of the nights'", async () => {
    const path = lay("0.1.0.sql");
    mkdirSync(join(directory, "backups"));
    writeFileSync(join(directory, "backups", "bendre-20260101T000000Z.db"), "of a night");
    const old = readFileSync(path);
    for (let n = 0; n < 3; n++) {
      writeFileSync(path, old);
      for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
      await clock.advance(60_000);
      await open().close();
    }
    const before = `before-${version()}`;
    expect(backups()).toEqual([`${before}-2.db`, `${before}-3.db`, "bendre-20260101T000000Z.db"].sort());
  });

  test("is noted, so that an executable that is too old names the newer one and the backup, and exits 3", async () => {
    const path = lay("0.1.0.sql");
    await open().close();
    const db = new Database(path);
    db.run(`PRAGMA user_version = ${LATEST_SCHEMA + 1}`);
    db.run("UPDATE schema_history SET executable = '9.9.9' WHERE executable IS NOT NULL");
    db.close();
    const file = join(directory, "backups", `before-${version()}.db`);
    expect(() => open()).toThrow(`written by bendre 9.9.9 (schema ${LATEST_SCHEMA + 1}`);
    expect(() => open()).toThrow(`or restore the backup ${file}`);
    const { exitCode, told } = await serve();
    expect([exitCode, told]).toEqual([3, expect.stringContaining("bendre 9.9.9")]);
  });

  test("from a schema between is refused with the build to start before, and exits 3", async () => {
    const path = lay("0.1.0.sql");
    const db = new Database(path);
    db.run("PRAGMA user_version = 40");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    const before = octets(path);
    const { exitCode, told } = await serve();
    expect(exitCode).toBe(3);
    expect(told).toContain(`${path} has schema 40, which this executable does not upgrade`);
    expect(told).toContain(`bendre ${INTERMEDIATE_BUILD.version} of commit ${INTERMEDIATE_BUILD.commit}`);
    expect(octets(path)).toBe(before);
    expect(readdirSync(directory).filter((name) => name === "backups")).toEqual([]);
  });

  test("of a backup of a schema between is refused in the same words", () => {
    const path = lay("0.1.0.sql");
    const db = new Database(path);
    db.run("PRAGMA user_version = 40");
    db.run("PRAGMA journal_mode = DELETE");
    db.close();
    labelCopy(path, { madeAtMs: 1, version: "0.1.0", keys: null, keyFiles: 0, console: null });
    const work = {
      file: path,
      isDrill: false,
      passphrase: null,
      scratch: join(directory, "scratch"),
      nowMs: 2,
    };
    expect(runBackupWork({ kind: "verify", ...work })).toEqual({
      kind: "failed",
      why: phrase("backup.of_unsupported", { schema: 40, ...INTERMEDIATE_BUILD }),
    });
  });
});
