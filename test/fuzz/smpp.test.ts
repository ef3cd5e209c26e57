import { describe, test } from "vitest";
import { dice } from "./dice.ts";
import { PROPERTIES } from "./properties.ts";

/** A short run from a fixed seed; `bun run fuzz` makes long ones, from any. */
const ROUNDS = 1_000;

describe("SMPP octets and receipts", () => {
  for (const [index, { name, check }] of PROPERTIES.entries()) {
    test(name, () => {
      for (let round = 0; round < ROUNDS; round++) check(dice(index * ROUNDS + round));
    });
  }
});
