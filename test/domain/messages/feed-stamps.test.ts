import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  isoToStampUs,
  nextStampUs,
  stampClock,
  stampInRunUs,
  stampsBelow,
  stampToIso,
} from "../../../src/domain/messages/feed-stamps.ts";
import { type Books, openBooks, type TestAccount } from "../../kit/books.ts";
import { seededChance } from "../../kit/test-chance.ts";

const NOW = Date.UTC(2026, 2, 2, 9);

function mostInOneMs(stamps: readonly number[]): number {
  const perMs = new Map<number, number>();
  for (const stamp of stamps) {
    const ms = Math.floor(stamp / 1000);
    perMs.set(ms, (perMs.get(ms) ?? 0) + 1);
  }
  return Math.max(...perMs.values());
}

const isRising = (stamps: readonly number[]) =>
  stamps.every((stamp, index) => index === 0 || stamp > stamps[index - 1]!);

describe("feed stamps", () => {
  test("follow the clock, and in one millisecond each other", () => {
    expect(nextStampUs(0, NOW)).toBe(NOW * 1000);
    expect(nextStampUs(NOW * 1000, NOW)).toBe(NOW * 1000 + 1);
    expect(nextStampUs(NOW * 1000 + 89, NOW)).toBe((NOW + 1) * 1000);
  });

  // Keeps: behaviour 6.46, 6.47, 6.50
  test("of a burst under a clock that jumps about are unique and rising, at most 90 in a millisecond", () => {
    const chance = seededChance(2);
    let nowMs = NOW;
    const stamps = [0];
    for (let each = 0; each < 5000; each++) {
      if (chance.fraction() < 0.05) nowMs += Math.floor(chance.fraction() * 40) - 15;
      stamps.push(nextStampUs(stamps.at(-1)!, nowMs));
    }
    expect(isRising(stamps)).toBe(true);
    expect(mostInOneMs(stamps)).toBe(90);
  });

  // Keeps: behaviour 6.46, 6.47
  test("of a run are unique and rising, at most 90 in a millisecond", () => {
    const run = Array.from({ length: 1000 }, (_, rank) => stampInRunUs(NOW * 1000, rank));
    expect(run[0]).toBe(NOW * 1000);
    expect(isRising(run)).toBe(true);
    expect(mostInOneMs(run)).toBe(90);
  });

  test("how many of a run lie below a stamp is the inverse of its order, from before its start to after its end", () => {
    const first = NOW * 1000;
    const run = Array.from({ length: 300 }, (_, rank) => stampInRunUs(first, rank));
    for (let before = first - 5; before < first + 3200; before++) {
      const counted = run.filter((stamp) => stamp < before).length;
      expect(Math.min(300, stampsBelow(first, before))).toBe(counted);
    }
  });
});

describe("the stamps of a transaction", () => {
  let books: Books;
  beforeEach(() => {
    books = openBooks();
  });
  afterEach(() => books.close());

  /** A batch whose messages have no stamps. */
  const unstamped = async (account: TestAccount, count: number) => {
    const segments = Array.from({ length: count }, () => 1);
    const batch = await books.batch(account, { segments, price: 0, isStaged: true });
    await books.store.write((tx) =>
      tx.run("UPDATE batches SET queued_stamp_us = NULL WHERE id = ?", batch.id),
    );
    return batch;
  };

  const take = async (account: TestAccount, count: number, nowMs = NOW) => {
    const { messages } = await unstamped(account, count);
    return books.store.write((tx) => {
      const stamps = stampClock(tx, nowMs);
      return messages.map((id) => {
        const stamp = stamps.next(account.id);
        tx.run("UPDATE messages SET stamp_us = ? WHERE id = ?", stamp, id);
        return stamp;
      });
    });
  };

  const takeRun = async (account: TestAccount, count: number, nowMs = NOW) => {
    const { id } = await unstamped(account, count);
    return books.store.write((tx) => {
      const first = stampClock(tx, nowMs).run(account.id, count);
      tx.run("UPDATE batches SET queued_stamp_us = ? WHERE id = ?", first, id);
      return Array.from({ length: count }, (_, rank) => stampInRunUs(first, rank));
    });
  };

  // Keeps: behaviour 6.46, 6.50
  test("go on where the last one ended, single ones and runs in turn, also when the clock stepped back", async () => {
    const account = await books.account();
    const all = [
      ...(await take(account, 200)),
      ...(await takeRun(account, 200, NOW - 5000)),
      ...(await take(account, 100, NOW - 9000)),
      ...(await takeRun(account, 1)),
      ...(await takeRun(account, 250)),
      ...(await take(account, 1)),
    ];
    expect(isRising(all)).toBe(true);
    expect(mostInOneMs(all)).toBe(90);
  });

  // Keeps: behaviour 6.48
  test("of a transaction that was rolled back are given again, for nobody saw them", async () => {
    const account = await books.account();
    const { messages } = await unstamped(account, 1);
    const lost = books.store.write((tx) => {
      tx.run(
        "UPDATE messages SET stamp_us = ? WHERE id = ?",
        stampClock(tx, NOW).next(account.id),
        messages[0]!,
      );
      throw new Error("rolled back");
    });
    await lost.catch(() => {});
    expect(await take(account, 1)).toEqual([NOW * 1000]);
  });

  test("of one account do not push those of another", async () => {
    const [one, other] = [await books.account(), await books.account()];
    await take(one, 500);
    expect(await take(other, 1)).toEqual([NOW * 1000]);
  });
});

describe("stamps in words", () => {
  // Keeps: behaviour 6.45
  test("always have six fraction digits, in UTC", () => {
    expect(stampToIso(NOW * 1000)).toBe("2026-03-02T09:00:00.000000Z");
    expect(stampToIso(NOW * 1000 + 7089)).toBe("2026-03-02T09:00:00.007089Z");
    expect(stampToIso(-400)).toBe("1969-12-31T23:59:59.999600Z");
  });

  test("come back as they went out", () => {
    for (const us of [0, 1, 999, 1000, NOW * 1000, NOW * 1000 + 123_456]) {
      expect(isoToStampUs(stampToIso(us))).toBe(us);
    }
  });

  const at = (iso: string) => Date.parse(iso) * 1000;
  test.each([
    ["2026-03-02T09:00:00Z", at("2026-03-02T09:00:00Z")],
    ["2026-03-02T09:00Z", at("2026-03-02T09:00:00Z")],
    ["2026-03-02t09:00:00z", at("2026-03-02T09:00:00Z")],
    ["2026-03-02 09:00:00Z", at("2026-03-02T09:00:00Z")],
    ["2026-03-02T09:00:00.5Z", at("2026-03-02T09:00:00.500Z")],
    ["2026-03-02T09:00:00,123456789Z", at("2026-03-02T09:00:00.123Z") + 456],
    ["2026-03-02T09:00:00+01:00", at("2026-03-02T08:00:00Z")],
    ["2026-03-02T09:00:00 01:00", at("2026-03-02T08:00:00Z")],
    ["2026-03-02T09:00:00.000001 0100", at("2026-03-02T08:00:00Z") + 1],
    ["2026-03-02T09:00:00-0330", at("2026-03-02T12:30:00Z")],
    ["2026-03-02T09:00:00+01", at("2026-03-02T08:00:00Z")],
    ["2028-02-29T00:00:00Z", at("2028-02-29T00:00:00Z")],
    ["0001-01-01T00:00:00Z", at("0001-01-01T00:00:00Z")],
    [" 2026-03-02T09:00:00Z ", at("2026-03-02T09:00:00Z")],
  ])("%j is an instant", (text, us) => {
    expect(isoToStampUs(text)).toBe(us);
  });

  test.each([
    "",
    "yesterday",
    "2026-03-02",
    "2026-03-02T09:00:00",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-03-02T24:00:00Z",
    "2026-03-02T09:60:00Z",
    "2026-03-02T09:00:60Z",
    "2026-03-02T09:00:00+24:00",
    "2026-03-02T09:00:00+01:60",
    "2026-03-02T09:00:00.Z",
    "2026-03-02T09:00:00.1234567890Z",
    "20260302T090000Z",
    "1772442000",
    "2026-03-02T09:00:00Z; DROP",
  ])("%j is none", (text) => {
    expect(isoToStampUs(text)).toBeNull();
  });
});
