import { beforeEach, describe, expect, test } from "vitest";
import { isStartDoubted } from "../../src/core/clock.ts";
import {
  type ClockChange,
  JUMP_MS,
  LASTING_MS,
  type TrustedClock,
  trustedClock,
} from "../../src/core/trusted-clock.ts";
import { type TestClock, testClock } from "../kit/test-clock.ts";

const DAY_MS = 86_400_000;
let machine: TestClock;
let clock: TrustedClock;
let changes: ClockChange[];
let startMs: number;
beforeEach(() => {
  machine = testClock();
  startMs = machine.nowMs();
  clock = trustedClock(machine);
  const seen: ClockChange[] = [];
  changes = seen;
  clock.watch((change) => seen.push(change));
});
const settled = () => machine.advance(0);

describe("a trusted clock", () => {
  test("says what the wall clock says, and asks the steady clock for nothing within a quarter of a second", async () => {
    let readings = 0;
    const counted = trustedClock({
      ...machine,
      steadyMs: () => {
        readings += 1;
        return machine.steadyMs();
      },
    });
    const before = readings;
    for (let n = 0; n < 100; n++) expect(counted.nowMs()).toBe(machine.nowMs());
    await machine.advance(249);
    counted.nowMs();
    expect(readings).toBe(before);
    await machine.advance(1);
    counted.nowMs();
    expect(readings).toBeGreaterThan(before);
  });

  test("follows what is set back or a little forward, and tells of it once", async () => {
    machine.setBy(-30_000);
    expect(clock.nowMs()).toBe(startMs - 30_000);
    machine.setBy(JUMP_MS);
    expect(clock.nowMs()).toBe(startMs - 30_000 + JUMP_MS);
    clock.nowMs();
    await settled();
    expect(changes).toEqual([
      { kind: "stepped", byMs: -30_000 },
      { kind: "stepped", byMs: JUMP_MS },
    ]);
    expect(clock.doubt()).toBeNull();
  });

  // Keeps: behaviour 6.122
  test("goes on by the steady clock while it doubts a jump, and never back", async () => {
    await machine.advance(5000);
    machine.setBy(3 * DAY_MS);
    expect(clock.nowMs()).toBe(startMs + 5000);
    await machine.advance(60_000);
    expect(clock.nowMs()).toBe(startMs + 65_000);
    expect(clock.doubt()).toEqual({
      kind: "jumped",
      believedMs: startMs + 65_000,
      wallMs: startMs + 65_000 + 3 * DAY_MS,
      sinceMs: startMs + 5000,
    });
    expect(isStartDoubted(clock)).toBe(false);
    expect(changes.map(({ kind }) => kind)).toEqual(["doubted"]);
  });

  test("leaves no trace of a jump that is taken back within ten minutes", async () => {
    machine.setBy(3650 * DAY_MS);
    clock.nowMs();
    await machine.advance(LASTING_MS - 1);
    clock.nowMs();
    machine.setBy(-3650 * DAY_MS);
    expect(clock.nowMs()).toBe(startMs + LASTING_MS - 1);
    expect(clock.doubt()).toBeNull();
    await settled();
    expect(changes.map(({ kind }) => kind)).toEqual(["doubted", "believed"]);
  });

  test("believes a jump that has lasted ten minutes, and one that somebody accepts", async () => {
    machine.setBy(DAY_MS);
    clock.nowMs();
    await machine.advance(LASTING_MS);
    expect(clock.nowMs()).toBe(startMs + DAY_MS + LASTING_MS);
    machine.setBy(DAY_MS);
    expect(clock.nowMs()).toBe(startMs + DAY_MS + LASTING_MS);
    expect(clock.accept()).toMatchObject({ kind: "jumped", wallMs: startMs + 2 * DAY_MS + LASTING_MS });
    expect(clock.nowMs()).toBe(startMs + 2 * DAY_MS + LASTING_MS);
    expect(clock.accept()).toBeNull();
    await settled();
    expect(changes.flatMap((change) => (change.kind === "believed" ? [change.isAccepted] : []))).toEqual([
      false,
      true,
    ]);
  });

  // Keeps: behaviour 6.125
  test("takes a machine's sleep for time that passed: waking up is no jump", async () => {
    const before = clock.steadyMs();
    machine.sleep(10 * 3_600_000);
    expect(clock.nowMs()).toBe(startMs + 10 * 3_600_000);
    expect(clock.doubt()).toBeNull();
    expect(clock.steadyMs() - before).toBe(10 * 3_600_000);
    await settled();
    expect(changes).toEqual([{ kind: "stepped", byMs: 10 * 3_600_000 }]);
    machine.setBy(JUMP_MS + 1);
    expect(clock.doubt()).toMatchObject({ kind: "jumped" });
  });

  // Keeps: behaviour 6.126
  test("knows how far it was put forward since a time, net of what it was set back, and counts no sleep and no doubt", () => {
    const forward = () => clock.putForwardMs?.(startMs);
    machine.setBy(3_600_000);
    clock.nowMs();
    expect([forward(), clock.putForwardMs?.(startMs + 1)]).toEqual([3_600_000, 0]);
    machine.setBy(600_000);
    clock.nowMs();
    machine.setBy(-1_200_000);
    clock.nowMs();
    expect(forward()).toBe(3_000_000);
    machine.sleep(3_600_000);
    clock.nowMs();
    machine.setBy(DAY_MS);
    clock.nowMs();
    clock.accept();
    expect(forward()).toBe(3_000_000);
    machine.setBy(-DAY_MS);
    clock.nowMs();
    expect(forward()).toBe(0);
  });

  test("goes on from what is stored when the clock of the start is before it, until that agrees", async () => {
    const storedMs = startMs + DAY_MS;
    clock.begin(storedMs);
    expect(isStartDoubted(clock)).toBe(true);
    await machine.advance(7000);
    expect(clock.nowMs()).toBe(storedMs + 7000);
    expect(clock.doubt()).toMatchObject({ kind: "behind", wallMs: startMs + 7000, sinceMs: storedMs });
    machine.setBy(DAY_MS + 500);
    expect(clock.nowMs()).toBe(storedMs + 7500);
    expect(isStartDoubted(clock)).toBe(false);
    await settled();
    expect(changes.map(({ kind }) => kind)).toEqual(["doubted", "believed"]);
  });

  test("stays in doubt of a start however long it lasts, until somebody accepts it", async () => {
    clock.begin(startMs - 401 * DAY_MS);
    await machine.advance(DAY_MS);
    expect(clock.doubt()).toMatchObject({ kind: "ahead", believedMs: startMs - 400 * DAY_MS });
    clock.accept();
    expect(clock.doubt()).toBeNull();
    expect(clock.nowMs()).toBe(startMs + DAY_MS);
  });
});
