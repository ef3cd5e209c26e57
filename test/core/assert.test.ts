import { describe, expect, test } from "vitest";
import { assert, BugError, unreachable } from "../../src/core/assert.ts";

describe("what must be true", () => {
  test("stops with a bug when it is not, and is silent when it is", () => {
    expect(() => assert(true, "one is one")).not.toThrow();
    expect(() => assert(null, "the batch exists")).toThrow(new BugError("the batch exists"));
  });

  test("a value no branch knows is a bug that names it", () => {
    expect(() => unreachable("LOST" as never, "status")).toThrow("unexpected status: LOST");
  });
});
