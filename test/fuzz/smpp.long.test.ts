import { describe, test } from "vitest";
import { failedWith } from "../kit/seeds.ts";
import { dice } from "./dice.ts";
import { PROPERTIES } from "./properties.ts";

/** A short run from fixed seeds; the target `drawn` of `bun run fuzz` makes long ones, from any. */
const ROUNDS = 1_000;

describe("SMPP octets and receipts", () => {
  for (const [index, { name, check }] of PROPERTIES.entries()) {
    test(name, () => {
      for (let seed = index * ROUNDS; seed < (index + 1) * ROUNDS; seed++) {
        try {
          check(dice(seed));
        } catch (error) {
          process.stderr.write(failedWith(seed, `bun run fuzz --target drawn --input "${index} ${seed}"`));
          throw error;
        }
      }
    });
  }
});
