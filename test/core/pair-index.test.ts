import { expect, test } from "vitest";
import { createPairIndex } from "../../src/core/pair-index.ts";

test("the runs of an index are asked for with each pair that leaves it: they are not copied for that", () => {
  const index = createPairIndex<string>();
  index.add("one", 0, Float64Array.of(1, 2));
  const before = index.runs();
  index.add("other", 1, Float64Array.of(3, 4, 5, 6));
  expect(index.runs()).toBe(before);
  expect(before).toEqual(["one", "other"]);
});
