import { expect, test } from "vitest";
import { roundRobin } from "../../src/dispatch/batch-scheduler.ts";

/** The next turns, each ended. */
function turns<T>(of: ReturnType<typeof roundRobin<T>>, count: number): (T | null)[] {
  return Array.from({ length: count }, () => {
    const item = of.current();
    of.advance();
    return item;
  });
}

test("an empty round robin has no turn, and whoever is alone has every one", () => {
  const one = roundRobin<string>();
  expect(turns(one, 2)).toEqual([null, null]);
  const place = one.addLast("a");
  expect(turns(one, 3)).toEqual(["a", "a", "a"]);
  one.remove(place);
  expect(turns(one, 1)).toEqual([null]);
});

test("who comes last has a turn after all others, wherever the round stands; who comes next has it at once", () => {
  const three = roundRobin<string>();
  for (const item of ["a", "b", "c"]) three.addLast(item);
  expect(turns(three, 1)).toEqual(["a"]);
  three.addLast("d");
  three.addNext("e");
  expect(turns(three, 6)).toEqual(["e", "b", "c", "a", "d", "e"]);
});

test("who is taken out costs nobody a turn, also when it was its own", () => {
  const four = roundRobin<string>();
  const [a, b, c] = ["a", "b", "c", "d"].map((item) => four.addLast(item));
  four.remove(b!);
  expect(turns(four, 1)).toEqual(["a"]);
  four.remove(c!);
  expect(turns(four, 3)).toEqual(["d", "a", "d"]);
  four.remove(a!);
  expect(turns(four, 2)).toEqual(["d", "d"]);
});
