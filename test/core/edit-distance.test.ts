import { describe, expect, test } from "vitest";
import { nearest } from "../../src/core/edit-distance.ts";

const KEYS = ["requests_per_second", "burst", "max_body_bytes", "port"];

describe("nearest", () => {
  for (const [slip, meant] of [
    ["burts", "burst"],
    ["bursts", "burst"],
    ["BURST", "burst"],
    ["prot", "port"],
    ["request_per_seconds", "requests_per_second"],
    ["requests-per-second", "requests_per_second"],
  ] as const) {
    test(`${slip} probably means ${meant}`, () => {
      expect(nearest(slip, KEYS)).toBe(meant);
    });
  }

  test("a word that resembles nothing gets no suggestion", () => {
    expect(nearest("colour", KEYS)).toBeNull();
    expect(nearest("", KEYS)).toBeNull();
    expect(nearest("port", [])).toBeNull();
  });

  test("of two as near, the first wins; a nearer one wins over both", () => {
    expect(nearest("aaab", ["aaac", "aaad"])).toBe("aaac");
    expect(nearest("aaab", ["aaac", "aaab"])).toBe("aaab");
  });
});
