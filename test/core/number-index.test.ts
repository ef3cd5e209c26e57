import { describe, expect, test } from "vitest";
import { numberIndex } from "../../src/core/pair-index.ts";
import { seeded, seeds } from "../kit/seeds.ts";

describe("what is found by a number", () => {
  test.each(seeds(4))(
    "is all that was added under it, the last first, however many there are (seed %d)",
    seeded((chance) => {
      const index = numberIndex();
      const under = new Map<number, number[]>();
      // Some differ only in bits that choose no place.
      const keys = Array.from(
        { length: 700 },
        (_, each) => Math.floor(chance.fraction() * 2 ** 21) * 2 ** (each % 33),
      );
      for (let thing = 0; thing < 5000; thing++) {
        const key = keys[Math.floor(chance.fraction() * keys.length)] ?? 0;
        index.add(key);
        under.set(key, [thing, ...(under.get(key) ?? [])]);
      }
      for (const [key, things] of under) expect([...index.under(key)]).toEqual(things);
      expect([[...index.under(2 ** 53 - 1)], index.size()]).toEqual([[], 5000]);
    }),
  );

  test("is all gone through once, those with nearly the same number side by side", () => {
    const index = numberIndex();
    expect([...index.inOrder()]).toEqual([]);
    const far = 2 ** 40;
    for (const key of [3 * far, far, 2 * far, far + 1, 2 ** 53 - 1]) index.add(key);
    expect([...index.inOrder()]).toEqual([1, 3, 2, 0, 4]);
  });
});
