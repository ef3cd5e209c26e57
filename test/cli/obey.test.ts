import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { executeCommand } from "../../src/cli/admin-command.ts";
import type { Clock } from "../../src/core/clock.ts";
import { toRefusal } from "../../src/core/refusals.ts";
import type { OpenDatabase } from "../../src/db/disk.ts";
import { openStore } from "../../src/db/store.ts";
import { adminConfig } from "../admin/operations/fixture.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testClock } from "../kit/test-clock.ts";
import { diskError } from "../sim/disk/disk-errors.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-obey-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A clock on which every wait is over at once, and counted. */
function hurriedClock(onWait: () => void = () => {}): Clock & { readonly waits: () => number } {
  let passedMs = 0;
  let waits = 0;
  const standing = testClock();
  return {
    ...standing,
    steadyMs: () => passedMs,
    after: (delayMs, callback) => {
      passedMs += delayMs;
      waits += 1;
      onWait();
      standing.soon(callback);
      return () => {};
    },
    waits: () => waits,
  };
}

const list = (clock: Clock, data = directory) =>
  executeCommand(
    { config: adminConfig(data) },
    { command: "account list", args: {}, actor: "awa" },
    { clock, chance: seededChance(1) },
  );

test("a directory that nobody has is used at once and let go again", async () => {
  const clock = hurriedClock();
  for (let time = 0; time < 2; time++) {
    expect(await list(clock)).toEqual({ ok: true, value: { accounts: [] } });
  }
  expect(clock.waits()).toBe(0);
});

test("a short command of somebody else is waited for", async () => {
  const other = openStore(directory, testClock());
  let closing: Promise<void> | null = null;
  const clock = hurriedClock(() => {
    closing ??= other.close();
  });
  expect(await list(clock)).toMatchObject({ ok: true });
  expect(clock.waits()).toBeGreaterThan(0);
  await closing;
});

test("a directory that stays taken while its socket is silent is reported after 5 s", async () => {
  const other = openStore(directory, testClock());
  const clock = hurriedClock();
  const answer = await list(clock);
  expect(answer).toEqual({ ok: false, refusal: toRefusal("STORE_BUSY", { directory }) });
  expect(clock.steadyMs()).toBe(5000);
  await other.close();
});

test("a directory that cannot be used is reported at once", async () => {
  const file = join(directory, "file");
  writeFileSync(file, "");
  expect(await list(hurriedClock(), file)).toMatchObject({
    ok: false,
    refusal: { code: "STORE_UNAVAILABLE" },
  });
  const foreign = join(directory, "foreign");
  mkdirSync(foreign);
  writeFileSync(join(foreign, "bendre.db"), "this is no database, whatever its name says".repeat(30));
  expect(await list(hurriedClock(), foreign)).toMatchObject({
    ok: false,
    refusal: { code: "STORE_UNAVAILABLE" },
  });
});

test("what goes wrong inside is an answer too, and the directory is let go", async () => {
  const broken = { ...hurriedClock(), nowMs: () => Number.NaN };
  const args = { name: "Faso", billing: "prepaid" };
  const request = { command: "account create", args, actor: "awa" };
  const surroundings = { clock: broken, chance: seededChance(1) };
  await list(hurriedClock());
  expect(await executeCommand({ config: adminConfig(directory) }, request, surroundings)).toMatchObject({
    ok: false,
    refusal: {
      code: "INTERNAL_ERROR",
      detail: { params: { text: expect.stringMatching(/ \((src|test)\/[\w./-]+\.ts:\d+/) } },
    },
  });
  expect(await list(hurriedClock())).toEqual({ ok: true, value: { accounts: [] } });
});

test("what was done is told as done, though a full disk keeps the log from being folded in", async () => {
  let checkpoints = 0;
  const openDatabase: OpenDatabase = (path, options) => {
    const db = new Database(path, options);
    const run = db.run.bind(db);
    db.run = (sql: string) => {
      // The first is that of the opening.
      if (sql.includes("wal_checkpoint") && ++checkpoints > 1) throw diskError("SQLITE_FULL");
      return run(sql);
    };
    return db;
  };
  const clock = hurriedClock();
  const request = { command: "account create", args: { name: "Awa" }, actor: "awa" };
  const machine = { ...systemPlatform, openDatabase };
  const made = await executeCommand({ config: adminConfig(directory) }, request, {
    clock,
    chance: seededChance(1),
    machine,
  });
  expect([made.ok, checkpoints]).toEqual([true, 2]);
  expect(await list(clock)).toMatchObject({ ok: true, value: { accounts: [{ name: "Awa" }] } });
});
