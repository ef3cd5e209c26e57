/**
 * Tests that draw at random say from which seed, and how to run that one alone:
 *
 *     test.each(seeds(4))("nobody is lost (seed %d)", seeded((chance, seed) => …));
 *
 * `SEED=7` in the environment has them draw from that seed alone, and `SEED=1-500` from each of so many.
 */
import { relative } from "node:path";
import type { Chance } from "../../src/core/chance.ts";
import { ROOT } from "../tidy/source.ts";
import { seededChance } from "./test-chance.ts";

/** The seeds from 1 to `count`, or those that the environment asks for. */
export function seeds(count: number, asked = process.env.SEED): number[] {
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(asked ?? "") ?? [];
  const from = Number(first ?? 1);
  const to = first === undefined ? count : Number(last ?? first);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** A test's body for each seed; when it fails, what repeats it is told beside the error. */
export function seeded(
  body: (chance: Chance, seed: number) => void | Promise<void>,
  tell: (words: string) => void = (words) => process.stderr.write(words),
): (seed: number) => Promise<void> {
  const file = testFileIn(new Error("where").stack ?? "");
  return async (seed) => {
    try {
      await body(seededChance(seed), seed);
    } catch (error) {
      tell(failedWith(seed, `SEED=${seed} bun run test ${file} -t "(seed ${seed})"`));
      throw error;
    }
  };
}

/** The words for a seed that fails, and the command that runs it alone. */
export function failedWith(seed: number, command: string): string {
  return `seed ${seed} fails; alone: ${command}\n`;
}

/** The test's file in a stack, from the project's root. */
function testFileIn(stack: string): string {
  const file = /\(?(\/[^\s()]+\.test\.ts):\d+/.exec(stack)?.[1];
  return file === undefined ? "" : relative(ROOT, file);
}
