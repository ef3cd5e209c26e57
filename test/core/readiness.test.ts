import { describe, expect, test } from "vitest";
import { readiness } from "../../src/core/health.ts";
import { phrase } from "../../src/i18n/phrase.ts";

describe("readiness", () => {
  test("nothing held: ready; each reason stands until it is let go, the oldest first", () => {
    const { hold, reasons } = readiness();
    expect(reasons()).toEqual([]);
    const started = hold(phrase("readiness.starting"));
    const agreed = hold(phrase("readiness.disk_full"));
    expect(reasons()).toEqual([{ code: "readiness.starting" }, { code: "readiness.disk_full" }]);
    started();
    expect(reasons()).toEqual([{ code: "readiness.disk_full" }]);
    agreed();
    expect(reasons()).toEqual([]);
  });

  test("the same reason held twice needs letting go twice, and letting one go twice counts once", () => {
    const { hold, reasons } = readiness();
    const one = hold(phrase("readiness.stopping"));
    const other = hold(phrase("readiness.stopping"));
    one();
    one();
    expect(reasons()).toEqual([{ code: "readiness.stopping" }]);
    other();
    expect(reasons()).toEqual([]);
  });
});
