import { describe, expect, test } from "vitest";
import { between, forked, happens, oneOf, seedFrom } from "./chance.ts";

const drawn = (...names: (string | number)[]): number[] => {
  const chance = forked(1, ...names);
  return Array.from({ length: 8 }, chance.fraction);
};

describe("chances by name", () => {
  test("draw the same under the same seed and names, and something else under any other", () => {
    expect(drawn("submit", 1)).toEqual(drawn("submit", 1));
    const others = [
      drawn("submit", 1),
      drawn("submit", 2),
      drawn("receipt", 1),
      drawn("submit", "1"),
      drawn("submit1"),
    ];
    expect(new Set(others.flat()).size).toBe(40);
    expect(forked(2, "submit", 1).fraction()).not.toBe(drawn("submit", 1)[0]);
  });

  test("draw evenly, though their names differ by one", () => {
    const tens = Array.from({ length: 10 }, () => 0);
    for (let name = 0; name < 10_000; name++) {
      const ten = Math.floor(forked(7, "submit", name).fraction() * 10);
      tens[ten] = (tens[ten] ?? 0) + 1;
    }
    for (const count of tens) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test("draw octets of every value", () => {
    expect(new Set(forked(3, "octets").bytes(5000)).size).toBe(256);
    expect(forked(3, "octets").bytes(3).length).toBe(3);
  });

  test("draw whole numbers with both ends, and one of several", () => {
    const chance = forked(4);
    const numbers = Array.from({ length: 200 }, () => between(chance, [3, 5]));
    expect([...new Set(numbers)].sort()).toEqual([3, 4, 5]);
    expect(new Set(Array.from({ length: 100 }, () => oneOf(chance, ["a", "b"])))).toEqual(
      new Set(["a", "b"]),
    );
  });

  test("never let happen what has no probability, and always what is certain", () => {
    const chance = forked(5);
    expect(Array.from({ length: 1000 }, () => happens(chance, 0))).not.toContain(true);
    expect(Array.from({ length: 1000 }, () => happens(chance, 1))).not.toContain(false);
  });

  test("give a seed for forks of their own", () => {
    expect(seedFrom(forked(6))).toBe(seedFrom(forked(6)));
    expect(Number.isInteger(seedFrom(forked(6)))).toBe(true);
  });
});
