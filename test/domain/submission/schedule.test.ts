import { expect, test } from "vitest";
import { afterOpenMinutes } from "../../../src/domain/submission/schedule.ts";

const HOUR_MS = 3_600_000;
const ZONE = "Africa/Ouagadougou";
const at = (hour: number, minute = 0) => Date.UTC(2026, 2, 4, hour, minute);

// Keeps: behaviour 6.18
test("hours in which marketing may not be sent do not use up its validity", () => {
  const hours = { fromMinute: 8 * 60, toMinute: 20 * 60 };
  expect(afterOpenMinutes(at(9), 120, hours, ZONE)).toBe(at(11));
  expect(afterOpenMinutes(at(19), 120, hours, ZONE)).toBe(at(24 + 9));
  expect(afterOpenMinutes(at(21), 60, hours, ZONE)).toBe(at(24 + 9));
  expect(afterOpenMinutes(at(9), 2880, hours, ZONE)).toBe(at(9) + 96 * HOUR_MS);
});

test("hours that are always open cost nothing", () => {
  expect(afterOpenMinutes(at(9), 2880, { fromMinute: 0, toMinute: 1440 }, ZONE)).toBe(at(9) + 48 * HOUR_MS);
});

test("hours that run over midnight are open on both sides of it", () => {
  const hours = { fromMinute: 20 * 60, toMinute: 6 * 60 };
  expect(afterOpenMinutes(at(22), 240, hours, ZONE)).toBe(at(26));
  expect(afterOpenMinutes(at(5), 120, hours, ZONE)).toBe(at(21));
});
