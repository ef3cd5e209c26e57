import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOCK_OPERATIONS } from "../../../src/admin/operations/clock.ts";
import { readiness } from "../../../src/core/health.ts";
import { type TrustedClock, trustedClock } from "../../../src/core/trusted-clock.ts";
import { readClockMark, saveClockMark } from "../../../src/db/clock-marks.ts";
import { watchClock } from "../../../src/ops/clock-watch.ts";
import { clockCheck } from "../../../src/ops/health/checks.ts";
import { testLog } from "../../kit/test-log.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

const DAY_MS = 86_400_000;

let fixture: AdminFixture;
let clock: TrustedClock;
let log: ReturnType<typeof testLog>;
let ready: ReturnType<typeof readiness>;
beforeEach(() => {
  fixture = adminFixture();
  clock = trustedClock(fixture.clock);
  log = testLog();
  ready = readiness();
});
afterEach(() => fixture.close());

const mark = () => readClockMark(fixture.context.store.read);
const watch = () => watchClock({ store: fixture.context.store, clock, log, readiness: ready });
const noted = (atMs: number) => fixture.context.store.write((tx) => saveClockMark(tx, atMs));
const said = () => log.lines.map(({ level, message }) => `${level}: ${message}`);

describe("the watch over the clock", () => {
  test("believes the first start, and notes the time for the next one", async () => {
    expect(mark()).toBeNull();
    watch();
    await fixture.clock.advance(0);
    expect([mark(), ready.reasons(), said()]).toEqual([fixture.clock.nowMs(), [], []]);
  });

  // Keeps: behaviour 6.123
  test("holds what is accepted while the clock of the start is not believed, and notes nothing of it", async () => {
    const storedMs = fixture.clock.nowMs() + DAY_MS;
    await noted(storedMs);
    const { note } = watch();
    expect(ready.reasons()).toMatchObject([
      { code: "readiness.clock", params: { doubt: { code: "health.clock.behind" } } },
    ]);
    expect(clockCheck(clock).run()).toMatchObject({ status: "down", sinceMs: storedMs });
    await note();
    expect(mark()).toBe(storedMs);
    fixture.clock.setBy(DAY_MS);
    clock.nowMs();
    await fixture.clock.advance(0);
    expect([mark(), ready.reasons()]).toEqual([storedMs, []]);
    expect(said()).toEqual([
      expect.stringContaining("error: the clock is doubted"),
      "info: the clock is believed",
    ]);
  });

  test("notes the time that a clock was set back to, so that the next start believes it", async () => {
    watch();
    fixture.clock.setBy(-2 * DAY_MS);
    clock.nowMs();
    await fixture.clock.advance(0);
    expect(mark()).toBe(fixture.clock.nowMs());
    expect(said()).toEqual(["warn: the clock was set"]);
  });

  // Keeps: behaviour 6.120
  test("tells of a jump and holds nothing", async () => {
    watch();
    fixture.clock.setBy(DAY_MS);
    expect(clockCheck(clock).run()).toMatchObject({ status: "degraded" });
    await fixture.clock.advance(0);
    expect(ready.reasons()).toEqual([]);
    expect(said()).toEqual([expect.stringContaining("error: the clock is doubted")]);
  });
});

describe("clock accept", () => {
  test("without a server notes what the clock says for the next start, and is audited", async () => {
    await noted(fixture.clock.nowMs() + DAY_MS);
    const view = granted(
      await run(CLOCK_OPERATIONS["clock accept"], { ...fixture.context, server: null }, {}),
    );
    expect(view).toEqual({ time: "2026-03-02T09:00:00.000Z", was: null });
    expect(mark()).toBe(fixture.clock.nowMs());
    expect(fixture.audited()).toEqual(["awa: clock accept"]);
  });

  test("changes nothing where a server believes its clock", async () => {
    expect(granted(await run(CLOCK_OPERATIONS["clock accept"], fixture.context, {})).was).toBeNull();
    expect([mark(), fixture.audited()]).toEqual([null, []]);
  });
});
