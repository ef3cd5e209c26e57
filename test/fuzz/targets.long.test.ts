import { describe, expect, test } from "vitest";
import { keptInputs } from "./corpus.ts";
import { failureOf, processWorkedMs, search } from "./search.ts";
import { TARGETS } from "./targets.ts";

/** New inputs of each target, made of the kept ones; `bun run fuzz` makes a million. */
const INPUTS = 200;

describe.each(TARGETS.map((target) => [`${target.name}: ${target.promise}`, target] as const))(
  "%s",
  (_name, target) => {
    test("of every input that reached something of its own, and of every one that once failed", async () => {
      const trial = await target.open();
      const failed: string[] = [];
      for (const shelf of ["corpus", "failures"] as const) {
        for (const { file, input } of keptInputs(target, shelf)) {
          const failure = await failureOf(trial, input);
          if (failure !== null)
            failed.push(`bun run fuzz --repeat test/fuzz/${shelf}/${target.name}/${file}: ${failure}`);
        }
      }
      await trial.close();
      expect(failed).toEqual([]);
    });

    test("of new ones", async () => {
      const kept = keptInputs(target, "corpus").map(({ input }) => input);
      const clocks = { nowMs: () => performance.now(), workedMs: processWorkedMs };
      const { failures } = await search({ target, inputs: INPUTS, seed: 1, kept, ...clocks });
      expect(
        failures.map(({ message, input }) => `${message} ${Buffer.from(input).toString("base64")}`),
      ).toEqual([]);
    });
  },
);
