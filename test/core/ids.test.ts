import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { idFactory, isUlid } from "../../src/core/ids.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testClock } from "../kit/test-clock.ts";

describe("ids", () => {
  // Keeps: behaviour 2.1
  test("rise inside one millisecond, over milliseconds, and when the clock steps back", () => {
    let nowMs = Date.UTC(2026, 2, 2);
    const clock: Clock = { ...testClock(), nowMs: () => nowMs };
    const newId = idFactory(clock, seededChance(3));
    const ids: string[] = [];
    for (const stepMs of [0, 0, 5, -3_600_000, 0, -1, 3_600_010]) {
      nowMs += stepMs;
      for (let each = 0; each < 100; each++) ids.push(newId());
    }
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(700);
    expect(ids.every(isUlid)).toBe(true);
  });

  test("are made of the clock and of chance, so that the same of both makes the same", () => {
    const make = (seed: number) => idFactory(testClock(), seededChance(seed))();
    expect(make(1)).toBe(make(1));
    expect(make(1)).not.toBe(make(2));
    expect(make(1).slice(0, 10)).toBe(make(2).slice(0, 10));
  });

  test.each([
    ["01ARZ3NDEKTSV4RRFFQ69G5FAV", true],
    ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true],
    ["8ZZZZZZZZZZZZZZZZZZZZZZZZZ", false],
    ["01arz3ndektsv4rrffq69g5fav", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FA", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAVV", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAI", false],
    ["01ARZ3NDEKTSV4RRFFQ69G5FAV\n", false],
    ["", false],
  ])("%j is a ULID in canonical form: %p", (text, is) => {
    expect(isUlid(text)).toBe(is);
  });
});
