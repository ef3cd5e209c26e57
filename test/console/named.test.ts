/** What checks find is told by the names of things. */
import { expect, test } from "vitest";
import { type Naming, namedFind, namedSubject } from "../../src/console/named.ts";

const NAMES: Readonly<Record<string, string>> = {
  orange: "Orange Burkina",
  W1: "api.faso.bf",
  A1: "Faso Shop",
};
const called = (one: string): string => NAMES[one] ?? one;
const naming: Naming = { operator: called, webhook: called, account: called };

test.each([
  [
    "operators",
    "0 of 2 connections to 1 operators bound; orange is paused since 2026-03-02T08:00:00.000Z (orange is slow)",
    "0 of 2 connections to 1 operators bound; Orange Burkina is paused since 2026-03-02T08:00:00.000Z (orange is slow)",
  ],
  [
    "webhooks",
    "1 of 3 endpoints fail again and again, W1 among them",
    "1 of 3 endpoints fail again and again, api.faso.bf among them",
  ],
  [
    "alarms",
    "link_down orange 1; endpoint W1 (silenced); wallet_low A1; disk",
    "link_down Orange Burkina 1; endpoint api.faso.bf (silenced); wallet_low Faso Shop; disk",
  ],
  ["alarms", "disk (silenced)", "disk (silenced)"],
  ["disk", "orange is full", "orange is full"],
])("%s: %s", (check, found, named) => {
  expect(namedFind(naming, check, found)).toBe(named);
});

test("of a connection it keeps its place, and of what nobody knows the id", () => {
  expect(namedSubject(naming, "orange 2")).toBe("Orange Burkina 2");
  expect(namedSubject(naming, "gone 1")).toBe("gone 1");
});
