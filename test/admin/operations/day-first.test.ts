import { expect, test } from "vitest";
import { readInstant, readTime, toIsoDate } from "../../../src/admin/operations/parameters.ts";

test.each([
  ["22/11/2026", "2026-11-22"],
  ["1/3/2026", "2026-03-01"],
  ["22/11/2026 9:30", "2026-11-22T09:30"],
  ["22/11/2026, 09:30", "2026-11-22T09:30"],
  ["22/11/2026 à 9 h", "2026-11-22T09:00"],
  ["22/11/2026 9h30", "2026-11-22T09:30"],
  ["22/11/26", "22/11/26"],
  ["2026-11-22T09:30", "2026-11-22T09:30"],
])("%s is %s", (text, iso) => {
  expect(toIsoDate(text)).toBe(iso);
});

test("a day that no calendar has is refused, in whatever way it is written", () => {
  for (const text of ["31/02/2026", "11/22/2026", "22/11/2026 25:00"]) {
    expect(readTime(text)).toMatchObject({ ok: false, refusal: { code: "INVALID_TIME" } });
    expect(readInstant(text, "Africa/Ouagadougou", 0)).toMatchObject({ ok: false });
  }
  const told = readInstant("22/11/2026 09:30", "Europe/Paris", 0);
  expect(told).toEqual({ ok: true, value: Date.UTC(2026, 10, 22, 8, 30) });
});

test("how long ago is said in days by either of their letters, d of English and j of French", () => {
  const nowMs = Date.UTC(2026, 2, 4);
  for (const text of ["3d", "3j"])
    expect(readInstant(text, "UTC", nowMs)).toEqual({ ok: true, value: Date.UTC(2026, 2, 1) });
});
