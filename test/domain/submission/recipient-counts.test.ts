import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  acceptedThisMinute,
  acceptedToday,
  countRecipients,
  migrateDayCounts,
  purgeOldCounts,
} from "../../../src/domain/submission/recipient-counts.ts";
import { type Books, openBooks } from "../../kit/books.ts";

const ZONE = "Africa/Ouagadougou";
const NOON = Date.UTC(2026, 2, 2, 12);

let books: Books;
beforeEach(() => {
  books = openBooks();
});
afterEach(() => books.close());

const count = (atMs: number, recipients: number, accountId = 1, zone = ZONE) =>
  books.store.write((tx) => countRecipients(tx, accountId, zone, atMs, recipients));
const minute = (nowMs: number) => acceptedThisMinute(books.store.read, 1, nowMs);
const today = (nowMs: number, zone = ZONE) => acceptedToday(books.store.read, 1, zone, nowMs);

describe("how many recipients an account had accepted", () => {
  // Keeps: behaviour 4.50
  test("in the rolling minute, to the second", async () => {
    await count(NOON, 5);
    await count(NOON + 900, 2);
    await count(NOON + 30_000, 10);
    expect([minute(NOON), minute(NOON + 59_999), minute(NOON + 60_000), minute(NOON + 90_000)]).toEqual([
      17, 17, 10, 0,
    ]);
  });

  // Keeps: behaviour 6.126
  test("in the rolling minute, but for what a clock dated hours later that was set back since", async () => {
    await count(NOON, 5);
    await count(NOON + 3 * 3_600_000, 1000);
    expect(minute(NOON + 30_000)).toBe(5);
  });

  // Keeps: behaviour 4.51
  test("in the calendar day of its zone", async () => {
    await count(Date.UTC(2026, 2, 2, 23, 59, 59), 3, 1, "Europe/Paris");
    await count(Date.UTC(2026, 2, 2, 22, 59, 59), 4, 1, "Europe/Paris");
    expect(today(Date.UTC(2026, 2, 2, 20), "Europe/Paris")).toBe(4);
    expect(today(Date.UTC(2026, 2, 3, 20), "Europe/Paris")).toBe(3);
  });

  test("in the day of its new clocks too when its timezone is changed, once however often it is", async () => {
    const nowMs = Date.UTC(2026, 2, 2, 20);
    await count(nowMs - 3_600_000, 7);
    await count(nowMs - 86_400_000, 100);
    const carry = (from: string, to: string) =>
      books.store.write((tx) => migrateDayCounts(tx, 1, { from, to }, nowMs));
    await carry(ZONE, "Pacific/Auckland");
    expect(today(nowMs, "Pacific/Auckland")).toBe(7);
    await count(nowMs, 2, 1, "Pacific/Auckland");
    await carry("Pacific/Auckland", ZONE);
    await carry(ZONE, "Pacific/Auckland");
    expect([today(nowMs), today(nowMs, "Pacific/Auckland")]).toEqual([9, 9]);
  });

  test("with what is staged in the same span; another account's apart", async () => {
    await count(NOON, 5);
    await count(NOON, 50, 2);
    const staged = [
      { createdAt: NOON - 1000, recipients: 3 },
      { createdAt: NOON - 60_000, recipients: 20 },
      { createdAt: NOON - 86_400_000, recipients: 400 },
    ];
    expect(acceptedThisMinute(books.store.read, 1, NOON, staged)).toBe(8);
    expect(acceptedToday(books.store.read, 1, ZONE, NOON, staged)).toBe(28);
    expect([minute(NOON), today(NOON)]).toEqual([5, 5]);
  });

  test("forgets what no ceiling looks at, and nothing else", async () => {
    await count(NOON, 5);
    await books.store.write((tx) => purgeOldCounts(tx, NOON + 60_000));
    expect(minute(NOON + 59_000)).toBe(5);
    const rows = () => books.store.read.all("SELECT span FROM recipient_counts ORDER BY span");
    await books.store.write((tx) => purgeOldCounts(tx, NOON + 3_700_000));
    expect(rows()).toEqual([{ span: "D" }]);
    await books.store.write((tx) => purgeOldCounts(tx, NOON + 4 * 86_400_000));
    expect(rows()).toEqual([]);
  });
});
