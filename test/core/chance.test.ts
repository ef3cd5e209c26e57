import { describe, expect, test } from "vitest";
import { jitter, systemChance } from "../../src/core/chance.ts";

describe("chance", () => {
  test("a jittered value stays within its share, evenly spread", () => {
    const at = (fraction: number) =>
      jitter({ bytes: () => new Uint8Array(), fraction: () => fraction }, 1000, 0.2);
    expect([at(0), at(0.25), at(0.5), at(0.75)]).toEqual([800, 900, 1000, 1100]);
  });

  test("the system's fractions are from 0 to below 1 and differ, across refills of its pool", () => {
    const drawn = Array.from({ length: 5000 }, () => systemChance.fraction());
    expect(drawn.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(new Set(drawn).size).toBe(5000);
  });

  test("the system's bytes are as many as asked for", () => {
    expect(systemChance.bytes(32)).toHaveLength(32);
    expect(systemChance.bytes(32)).not.toEqual(systemChance.bytes(32));
  });
});
