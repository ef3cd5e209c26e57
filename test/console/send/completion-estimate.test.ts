import { describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import {
  computeEndOfWork,
  estimateCompletion,
  findNextOpening,
} from "../../../src/console/server/send/completion-estimate.ts";
import type { Account } from "../../../src/domain/accounts/accounts.ts";

const HOUR = 3_600_000;
const at = (iso: string): number => Date.parse(iso);
const HOURS = { fromMinute: 8 * 60, toMinute: 20 * 60 };
const ended = (start: string, hours: number, zone = "Africa/Ouagadougou"): string | null => {
  const end = computeEndOfWork(at(start), hours * HOUR, HOURS, zone);
  return end === null ? null : new Date(end).toISOString();
};

describe("work that goes on within hours alone", () => {
  test("ends on the same day where there is time", () => {
    expect(ended("2026-03-01T09:30:00Z", 2)).toBe("2026-03-01T11:30:00.000Z");
    expect(ended("2026-03-01T18:00:00Z", 2)).toBe("2026-03-01T20:00:00.000Z");
  });

  test("goes on the next morning, in the zone that the hours are of", () => {
    expect(ended("2026-03-01T19:00:30Z", 3)).toBe("2026-03-02T10:00:30.000Z");
    expect(ended("2026-03-01T19:00:00Z", 2, "Africa/Lagos")).toBe("2026-03-02T09:00:00.000Z");
  });

  test("begins when they begin", () => {
    expect(ended("2026-03-01T05:00:00Z", 1)).toBe("2026-03-01T09:00:00.000Z");
    expect(ended("2026-03-01T22:15:00Z", 30)).toBe("2026-03-04T14:00:00.000Z");
  });

  test("over midnight is one stretch, and all day is always", () => {
    const night = { fromMinute: 20 * 60, toMinute: 6 * 60 };
    expect(computeEndOfWork(at("2026-03-01T23:00:00Z"), 2 * HOUR, night, "UTC")).toBe(
      at("2026-03-02T01:00:00Z"),
    );
    const always = { fromMinute: 0, toMinute: 24 * 60 };
    expect(computeEndOfWork(at("2026-03-01T23:00:00Z"), 50 * HOUR, always, "UTC")).toBe(
      at("2026-03-04T01:00:00Z"),
    );
    expect(computeEndOfWork(at("2026-03-01T23:00:00Z"), 50 * HOUR, null, "UTC")).toBe(
      at("2026-03-04T01:00:00Z"),
    );
  });

  test("is not foretold where it would take months", () => {
    expect(ended("2026-03-01T09:30:00Z", 24 * 365)).toBeNull();
  });
});

describe("the next hour in which marketing may be sent", () => {
  const opens = (from: string, hours = HOURS, zone = "Africa/Ouagadougou") =>
    new Date(findNextOpening(at(from), hours, zone)).toISOString();

  test("is the next morning, or now where it is open, in the zone that the hours are of", () => {
    expect(opens("2026-03-01T21:30:40Z")).toBe("2026-03-02T08:00:00.000Z");
    expect(opens("2026-03-01T03:00:00Z")).toBe("2026-03-01T08:00:00.000Z");
    expect(opens("2026-03-01T20:00:00Z")).toBe("2026-03-02T08:00:00.000Z");
    expect(opens("2026-03-01T12:00:00Z")).toBe("2026-03-01T12:00:00.000Z");
    expect(opens("2026-03-01T21:00:00Z", HOURS, "Africa/Lagos")).toBe("2026-03-02T07:00:00.000Z");
    const night = { fromMinute: 20 * 60, toMinute: 6 * 60 };
    expect(opens("2026-03-01T07:00:00Z", night)).toBe("2026-03-01T20:00:00.000Z");
  });

  test("is that hour of the clocks also in the night that they are put forward or back", () => {
    expect(opens("2026-03-28T22:00:00Z", HOURS, "Europe/Paris")).toBe("2026-03-29T06:00:00.000Z");
    expect(opens("2026-10-24T21:00:00Z", HOURS, "Europe/Paris")).toBe("2026-10-25T07:00:00.000Z");
  });
});

describe("an operator that takes nothing now", () => {
  const loads = [{ operator: "orange", segments: 4 }];
  const downWith = async (connections: readonly object[]) => {
    const server = { operatorStatus: () => [{ operator: "orange", connections }] };
    const context = { server, clock: { nowMs: () => 0 } } as unknown as AdminContext;
    return (await estimateCompletion(context, {} as Account, "OTP", 1, loads)).down;
  };
  test("is told as paused where somebody stopped it, and as not connected where it is that", async () => {
    const paused = { state: "BOUND", paused: "a test", granted: 10 };
    const dropped = { state: "DOWN", paused: null, granted: 10 };
    expect(await downWith([paused])).toEqual([{ operator: "orange", is_paused: true }]);
    expect(await downWith([paused, dropped])).toEqual([{ operator: "orange", is_paused: false }]);
    expect(await downWith([])).toEqual([{ operator: "orange", is_paused: false }]);
  });
});
