import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { lastDrill } from "../../../src/ops/backup/backup-records.ts";
import { nightlyBackup } from "../../../src/ops/backup/nightly-backup.ts";
import { backupCheck } from "../../../src/ops/health/checks.ts";
import { type AdminFixture, adminFixture } from "../../admin/operations/fixture.ts";
import { testLog } from "../../kit/test-log.ts";

const HOUR_MS = 3_600_000;

let fixture: AdminFixture;
let log: ReturnType<typeof testLog>;
beforeEach(async () => {
  fixture = adminFixture();
  log = testLog();
  await fixture.account();
});
afterEach(() => fixture.close());

const directory = () => join(fixture.context.store.directory, "backups");
const names = (at = directory()) => readdirSync(at).sort();
/** The clock of the fixture begins at nine in the morning, UTC. */
const start = (backup: Partial<Config["backup"]> = {}) => {
  set(backup);
  return nightlyBackup({ ...fixture.context, settings: { now: () => inForce }, log });
};
let inForce: Config;
const set = (backup: Partial<Config["backup"]>) => {
  const { config } = fixture.context;
  inForce = { ...config, backup: { ...config.backup, ...backup } };
};
const health = ({ standing }: ReturnType<typeof start>) =>
  backupCheck(fixture.context.store.read, fixture.clock, standing);
/** A night, and the look of its morning. */
const night = async ({ runOnce }: ReturnType<typeof start>) => {
  await fixture.clock.advance(24 * HOUR_MS);
  await runOnce();
};

describe("every night", () => {
  test("at half past two a backup is made, once", async () => {
    const nightly = start();
    await fixture.clock.advance(17 * HOUR_MS);
    await nightly.runOnce();
    expect(existsSync(directory())).toBe(false);
    await fixture.clock.advance(HOUR_MS);
    await nightly.runOnce();
    await nightly.runOnce();
    expect(names()).toEqual(["bendre-20260303T030000Z.db"]);
  });

  test("as many as are to be kept stay, and those with a name of their own", async () => {
    const nightly = start({ keep: 2 });
    await night(nightly);
    writeFileSync(join(directory(), "before-1.0.0.db"), "");
    for (let n = 0; n < 3; n++) await night(nightly);
    expect(names()).toEqual(["before-1.0.0.db", "bendre-20260305T090000Z.db", "bendre-20260306T090000Z.db"]);
    expect(fixture.context.store.read.all("SELECT file FROM backups")).toHaveLength(2);
  });

  test("a draft that was cut off a day ago goes, with what SQLite keeps beside it", async () => {
    const nightly = start();
    await night(nightly);
    const cut = (name: string, hours: number) => {
      const path = join(directory(), name);
      writeFileSync(path, "half");
      utimesSync(path, new Date(), new Date(fixture.clock.nowMs() - hours * HOUR_MS));
    };
    cut("bendre-20260301T023000Z.db.draft", 25);
    cut("bendre-20260301T023000Z.db.draft-journal", 25);
    cut("bendre-20260302T023000Z.db.draft", -23);
    await night(nightly);
    expect(names().filter((name) => name.includes("draft"))).toEqual(["bendre-20260302T023000Z.db.draft"]);
  });

  test("the backup is copied to the other disk, where as many stay", async () => {
    const copies = join(fixture.context.store.directory, "mounted");
    const nightly = start({ keep: 2, copy_to: copies });
    for (let n = 0; n < 3; n++) await night(nightly);
    expect(names(copies)).toEqual(names());
    expect(names(copies)).toHaveLength(2);
  });

  test("a disk that is away is told in health, and the night is tried again in an hour", async () => {
    const copies = join(fixture.context.store.directory, "mounted");
    writeFileSync(copies, "a file where a disk should be");
    const nightly = start({ copy_to: copies });
    const check = health(nightly);
    await night(nightly);
    expect(check.run()).toMatchObject({ status: "degraded" });
    expect(check.run().detail).toMatchObject({
      code: "health.backup.failed",
      params: { failure: { code: "backup.not_copied", params: { directory: copies } } },
    });
    rmSync(copies);
    await fixture.clock.advance(HOUR_MS);
    await nightly.runOnce();
    expect(check.run().status).toBe("ok");
    expect(names(copies)).toHaveLength(1);
  });

  test("the newest is restored for a trial once a week, and what came of it is in health", async () => {
    const nightly = start();
    const check = health(nightly);
    await night(nightly);
    const triedMs = lastDrill(fixture.context.store.read)?.drilledAtMs;
    expect(check.run().detail).toMatchObject({ code: "health.backup.tried", params: { at: triedMs } });
    for (let n = 0; n < 6; n++) await night(nightly);
    expect(check.run().detail).toMatchObject({ code: "health.backup.tried", params: { at: triedMs } });
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET funds = funds + 1"));
    await night(nightly);
    expect(check.run()).toMatchObject({ status: "degraded" });
    expect(check.run().detail.code).toBe("health.backup.trial_failed");
    expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  test("each goes by the settings of its time", async () => {
    const nightly = start({ drill: "never" });
    const elsewhere = join(fixture.context.store.directory, "elsewhere");
    set({ drill: "never", directory: elsewhere, at: "09:30" });
    await nightly.runOnce();
    await fixture.clock.advance(HOUR_MS);
    await nightly.runOnce();
    expect(names(elsewhere)).toEqual(["bendre-20260302T100000Z.db"]);
  });

  test("an appliance that is off every night has one of each day all the same, from the first on", async () => {
    await start().runOnce();
    expect(existsSync(directory())).toBe(false);
    for (let day = 1; day <= 2; day++) {
      await fixture.clock.advance(24 * HOUR_MS);
      await start().runOnce();
      expect(names()).toHaveLength(day);
    }
  });

  test("a night that the appliance was off is made up for, also after a restart", async () => {
    await night(start());
    await fixture.clock.advance(72 * HOUR_MS);
    const again = start();
    const check = health(again);
    expect(check.run()).toMatchObject({ status: "degraded" });
    await again.runOnce();
    expect(names()).toHaveLength(2);
    expect(check.run().status).toBe("ok");
  });
});

test("health says nothing bad before the first night is over", async () => {
  const check = health(start());
  expect(check.run()).toMatchObject({ status: "ok", detail: phrase("health.backup.not_yet") });
  await fixture.clock.advance(27 * HOUR_MS);
  expect(check.run()).toMatchObject({ status: "degraded" });
});
