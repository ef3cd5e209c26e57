import { expect, test } from "vitest";
import { heap } from "../../src/core/heap.ts";
import { seeded, seeds } from "../kit/seeds.ts";

test.each(seeds(20))(
  "what was put in comes out in order, whatever the order it went in (seed %d)",
  seeded((chance, seed) => {
    const numbers = Array.from({ length: 1 + seed * 7 }, () => Math.floor(chance.fraction() * 50));
    const of = heap<number>((number) => number);
    const out: (number | undefined)[] = [];
    for (const [index, number] of numbers.entries()) {
      of.push(number);
      if (index % 3 === 2) out.push(of.pop());
    }
    const left = out.length;
    while (of.least() !== undefined) out.push(of.pop());
    expect(out.slice(left)).toEqual(out.slice(left).toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(out.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(numbers.toSorted((a, b) => a - b));
  }),
);

test("an empty one gives nothing, also once it was cleared", () => {
  const of = heap<number>((number) => number);
  expect([of.least(), of.pop()]).toEqual([undefined, undefined]);
  of.push(1);
  of.clear();
  expect([of.least(), of.pop()]).toEqual([undefined, undefined]);
});
