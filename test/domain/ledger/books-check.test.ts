import { describe, expect, test } from "vitest";
import { type BooksCheck, deriveCheckStanding } from "../../../src/domain/ledger/books-check.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = 1000 * HOUR_MS;

/** A check made some hours ago. */
const check = (hoursAgo: number, changes: Partial<BooksCheck> = {}): BooksCheck => ({
  checkedAtMs: NOW_MS - hoursAgo * HOUR_MS,
  entries: 1,
  batches: 1,
  messages: 1,
  differences: 0,
  detail: "",
  failure: null,
  ...changes,
});

describe("how the books stand by their last check", () => {
  test.each([
    ["one that found nothing, last night", check(24), 100, "agrees"],
    ["one that found nothing, in a night of 25 hours that took its time", check(26), 100, "agrees"],
    ["one that a night has passed since", check(26.1), 100, "overdue"],
    ["an old one, just after a start", check(80), 1, "agrees"],
    ["an old one, and a start that did not make up for it", check(80), 1.1, "overdue"],
    ["none, on the first day", null, 26, "not checked yet"],
    ["none, though a night has passed", null, 26.1, "overdue"],
    ["one that found something", check(1, { differences: 1 }), 100, "differs"],
    ["an old one that found something", check(80, { differences: 1 }), 100, "differs"],
    ["one that came to no end", check(1, { failure: "no memory" }), 100, "failed"],
  ] as const)("%s", (_, last, startedHoursAgo, standing) => {
    expect(deriveCheckStanding(last, NOW_MS - startedHoursAgo * HOUR_MS, NOW_MS)).toBe(standing);
  });
});
