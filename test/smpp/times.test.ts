import { expect, test } from "vitest";
import { readSmppTime, writeAbsoluteTime, writeReceiptDate } from "../../src/smpp/times.ts";

test("an instant is that of its place", () => {
  const nowMs = Date.parse("2026-01-31T10:00:00Z");
  const iso = (text: string) => {
    const ms = readSmppTime(text, nowMs);
    return ms === null ? null : new Date(ms).toISOString();
  };
  expect(iso("260302120000000+")).toBe("2026-03-02T12:00:00.000Z");
  expect(iso("260302120000004+")).toBe("2026-03-02T11:00:00.000Z");
  expect(iso("260302120000004-")).toBe("2026-03-02T13:00:00.000Z");
  expect(iso("000001013005000R")).toBe("2026-02-01T11:30:05.000Z");
  expect(iso("260230120000000+")).toBeNull();
  expect(iso("260302250000000+")).toBeNull();
  expect(iso("260302120000049+")).toBeNull();
});

test("a time is written in UTC, and read again as itself", () => {
  const atMs = Date.parse("2026-03-02T12:34:56Z");
  expect(writeAbsoluteTime(atMs)).toBe("260302123456000+");
  expect(readSmppTime(writeAbsoluteTime(atMs), 0)).toBe(atMs);
  expect(writeReceiptDate(atMs)).toBe("2603021234");
});
