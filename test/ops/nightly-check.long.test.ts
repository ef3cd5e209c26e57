import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { walletTopUp } from "../../src/admin/operations/wallets.ts";
import { systemPlatform } from "../../src/app/platform.ts";
import { lastCheck } from "../../src/domain/ledger/books-check.ts";
import { nightlyCheck } from "../../src/ops/nightly-check.ts";
import { type AdminFixture, adminFixture, granted } from "../admin/operations/fixture.ts";
import { testLog } from "../kit/test-log.ts";

const HOUR_MS = 3_600_000;

let fixture: AdminFixture;
let log: ReturnType<typeof testLog>;
beforeEach(async () => {
  fixture = adminFixture();
  log = testLog();
  granted(await walletTopUp(fixture.context, await fixture.account(), 1000, "r1"));
});
afterEach(() => fixture.close());

/** The clock of the fixture begins at nine in the morning, UTC. */
const start = (timezone = "Africa/Ouagadougou") =>
  nightlyCheck({
    timezone: () => timezone,
    store: fixture.context.store,
    clock: fixture.clock,
    log,
    machine: systemPlatform,
  });
const checkedAt = () => lastCheck(fixture.context.store.read)?.checkedAtMs ?? null;
const said = () => log.lines.map(({ level, message }) => `${level}: ${message}`);

describe("the books", () => {
  test("are checked at half past three, once a night", async () => {
    const runOnce = start();
    await fixture.clock.advance(18 * HOUR_MS);
    await runOnce();
    expect(checkedAt()).toBeNull();
    await fixture.clock.advance(HOUR_MS / 2);
    await runOnce();
    const first = checkedAt();
    expect(first).toBe(fixture.clock.nowMs());
    await fixture.clock.advance(23 * HOUR_MS);
    await runOnce();
    expect(checkedAt()).toBe(first);
    await fixture.clock.advance(HOUR_MS);
    await runOnce();
    expect(checkedAt()).toBe(fixture.clock.nowMs());
    expect(said()).toEqual(["info: the books agree", "info: the books agree"]);
  });

  test("a check that stopping breaks off is no failure: nothing is recorded, and the next start makes up for it", async () => {
    const runOnce = start();
    await fixture.clock.advance(19 * HOUR_MS);
    const stopping = new AbortController();
    const checked = runOnce(() => stopping.signal.aborted, stopping.signal);
    stopping.abort();
    expect(await checked).toBe(false);
    expect([checkedAt(), said()]).toEqual([null, []]);
    await start()();
    expect(checkedAt()).toBe(fixture.clock.nowMs());
    expect(said()).toEqual(["info: the books agree"]);
  });

  test("are checked the next night after a clock that ran ten years ahead for one of them", async () => {
    const runOnce = start();
    fixture.clock.setBy(3650 * 24 * HOUR_MS);
    await runOnce();
    expect(checkedAt()).toBe(fixture.clock.nowMs());
    fixture.clock.setBy(-3650 * 24 * HOUR_MS);
    for (const afterStart of [runOnce, start()]) {
      await afterStart();
      await fixture.clock.advance(24 * HOUR_MS);
      await afterStart();
      expect(checkedAt()).toBe(fixture.clock.nowMs());
    }
  });

  test("are checked in the night of the appliance's own zone", async () => {
    const runOnce = start("America/New_York");
    await fixture.clock.advance(19 * HOUR_MS);
    await runOnce();
    expect(checkedAt()).toBeNull();
    await fixture.clock.advance(5 * HOUR_MS);
    await runOnce();
    expect(checkedAt()).not.toBeNull();
  });

  test("are checked after a start that missed the night", async () => {
    await fixture.clock.advance(17 * HOUR_MS);
    await start()();
    expect(checkedAt()).toBeNull();
    // Switched off every night, it would have no night of its own.
    await fixture.clock.advance(24 * HOUR_MS);
    await start()();
    const first = checkedAt();
    expect(first).toBe(fixture.clock.nowMs());
    await fixture.clock.advance(48 * HOUR_MS);
    await start()();
    expect(checkedAt()).toBe((first ?? 0) + 48 * HOUR_MS);
  });

  test("that differ are an alarm in the log", async () => {
    const runOnce = start();
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET reserved = 5"));
    await fixture.clock.advance(24 * HOUR_MS);
    await runOnce();
    expect(said()).toEqual(["error: the books differ"]);
    expect(JSON.stringify(log.lines)).toContain("reserved is 5 XOF, its entries make 0");
  });

  test("that cannot be checked are an alarm, and looked at again an hour later", async () => {
    // The directory is gone for the thread that reads them; what it failed of is written where the books are.
    let directory = join(fixture.context.store.directory, "gone");
    const store = {
      ...fixture.context.store,
      get directory() {
        return directory;
      },
    };
    const timezone = "Africa/Ouagadougou";
    const runOnce = nightlyCheck({
      timezone: () => timezone,
      store,
      clock: fixture.clock,
      log,
      machine: systemPlatform,
    });
    await fixture.clock.advance(24 * HOUR_MS);
    await runOnce();
    expect(said()).toEqual(["error: the books could not be checked"]);
    expect(lastCheck(fixture.context.store.read)).toMatchObject({
      checkedAtMs: fixture.clock.nowMs(),
      failure: expect.stringContaining("unable to open"),
    });
    directory = fixture.context.store.directory;
    const afterStart = start();
    await fixture.clock.advance(HOUR_MS - 1);
    await runOnce();
    await afterStart();
    expect(said()).toHaveLength(1);
    await fixture.clock.advance(1);
    await runOnce();
    expect(said().slice(1)).toEqual(["info: the books agree"]);
    expect(lastCheck(fixture.context.store.read)).toMatchObject({ failure: null });
    await afterStart();
    expect(said().slice(2)).toEqual(["info: the books agree"]);
  });
});
