import { describe, expect, test } from "vitest";
import { type AlertState, advanceAlerts, toAlertKey } from "../../../src/ops/alerts/lifecycle.ts";
import type { Firing } from "../../../src/ops/alerts/rules.ts";

const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;
const FIRING: Firing = { rule: "link_down", subject: "orange 2", sinceMs: 0, facts: { connection: 2 } };

/** Alarms through time: what is told at each moment, while it fires or not. */
function through() {
  let states = new Map<string, AlertState>();
  let isSilenced = false;
  return {
    at: (nowMs: number, isFiring: boolean): string[] => {
      const { changed, over, events } = advanceAlerts(
        states,
        isFiring ? [FIRING] : [],
        () => isSilenced,
        nowMs,
      );
      // As a restart would find them.
      states = new Map(states);
      for (const state of changed)
        states.set(toAlertKey(state), JSON.parse(JSON.stringify(state)) as AlertState);
      for (const state of over) states.delete(toAlertKey(state));
      return events.map(({ state }) => state);
    },
    silence: (on: boolean) => {
      isSilenced = on;
    },
    remembered: () => states.size,
  };
}

describe("an alarm", () => {
  test("is told when it starts, once a day, and when it ends", () => {
    const { at, remembered } = through();
    expect(at(0, true)).toEqual(["start"]);
    expect(at(MIN, true)).toEqual([]);
    expect(at(DAY - 1, true)).toEqual([]);
    expect(at(DAY, true)).toEqual(["repeat"]);
    expect(at(DAY + MIN, true)).toEqual([]);
    expect(at(2 * DAY, true)).toEqual(["repeat"]);
    expect(at(2 * DAY + MIN, false)).toEqual(["end"]);
    expect(at(2 * DAY + 2 * MIN, false)).toEqual([]);
    expect(at(2 * DAY + 2 * HOUR, false)).toEqual([]);
    expect(remembered()).toBe(0);
  });

  test("that starts more than three times in an hour is one, which ends after a quiet hour", () => {
    const { at } = through();
    const told: string[] = [];
    for (let round = 0; round < 10; round++) {
      told.push(...at(round * 4 * MIN, true), ...at(round * 4 * MIN + MIN, false));
    }
    expect(told).toEqual(["start", "end", "start", "end", "start", "end", "start"]);
    expect(at(37 * MIN + HOUR - 1, false)).toEqual([]);
    expect(at(37 * MIN + HOUR, false)).toEqual(["end"]);
    expect(at(3 * HOUR, true)).toEqual(["start"]);
  });

  test("of a rule that is silenced is not told, and is once the silence is over and it still lasts", () => {
    const { at, silence } = through();
    silence(true);
    expect(at(0, true)).toEqual([]);
    expect(at(DAY, true)).toEqual([]);
    silence(false);
    expect(at(DAY + MIN, true)).toEqual(["start"]);
    silence(true);
    expect(at(DAY + 2 * MIN, false)).toEqual([]);
    silence(false);
    expect(at(DAY + 3 * MIN, false)).toEqual([]);
  });
});
