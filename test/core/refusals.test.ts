import { describe, expect, test } from "vitest";
import { accepted, refused, withFaults } from "../../src/core/refusals.ts";
import { phrase, said } from "../../src/i18n/phrase.ts";

describe("an outcome", () => {
  test("is a value or a refusal, with the faults of single fields when there are some", () => {
    const faults = [{ path: "/sender", message: phrase("fault.missing") }];
    expect(accepted(5)).toEqual({ ok: true, value: 5 });
    expect(refused("NOT_FOUND", said("no such batch"))).toEqual({
      ok: false,
      refusal: { code: "NOT_FOUND", detail: said("no such batch") },
    });
    expect(withFaults(refused("VALIDATION_FAILED", said("no")), faults).refusal.faults).toBe(faults);
  });
});
