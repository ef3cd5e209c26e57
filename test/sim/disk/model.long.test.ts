import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seeded, seeds } from "../../kit/seeds.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { livesOf, type Mistake } from "./model.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "bendre-disk-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const LIVES = 5;
const told = (seed: number, mistake: Mistake) =>
  livesOf(join(directory, `${seed}`), LIVES, seededChance(seed), mistake);

describe("a crash", () => {
  test.each(seeds(4))(
    "leaves every commit that was acknowledged as durable, and none by half (seed %d)",
    seeded((_, seed) => {
      for (let run = seed * 50; run < seed * 50 + 50; run++)
        expect([run, told(run, "none").wrong]).toEqual([run, null]);
    }),
  );

  test("leaves the same of the same seed", () => {
    const [first, second] = [11, 11].map((seed, index) => {
      const { wrong, disk } = livesOf(join(directory, `${index}`), LIVES, seededChance(seed), "none");
      return { wrong, counts: disk.counts(), commits: disk.commits() };
    });
    expect(first).toEqual(second);
  });
});

describe("a product is seen losing what it promised", () => {
  const MISTAKES = ["acknowledges too early", "goes on after a failed sync", "trusts the log"] as const;
  test.each(MISTAKES)("that %s", (mistake) => {
    const found = seeds(400, "1-400").find((seed) => told(seed, mistake).wrong !== null);
    expect(found).toBeDefined();
  });
});
