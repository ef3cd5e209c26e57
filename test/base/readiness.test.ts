import { describe, expect, test } from "vitest";
import { readiness } from "../../src/base/readiness.ts";

describe("readiness", () => {
  test("nothing held: ready; each reason stands until it is let go, the oldest first", () => {
    const { hold, reasons } = readiness();
    expect(reasons()).toEqual([]);
    const started = hold("starting");
    const agreed = hold("the clock is doubted");
    expect(reasons()).toEqual(["starting", "the clock is doubted"]);
    started();
    expect(reasons()).toEqual(["the clock is doubted"]);
    agreed();
    expect(reasons()).toEqual([]);
  });

  test("the same reason held twice needs letting go twice, and letting one go twice counts once", () => {
    const { hold, reasons } = readiness();
    const one = hold("stopping");
    const other = hold("stopping");
    one();
    one();
    expect(reasons()).toEqual(["stopping"]);
    other();
    expect(reasons()).toEqual([]);
  });
});
