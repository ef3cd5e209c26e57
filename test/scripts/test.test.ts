import { expect, test } from "vitest";
import { ROOT } from "../tidy/source.ts";

test("the tests of a path and a name are run alone, and their count is the last line", () => {
  const command = [process.execPath, "scripts/test.ts", "test/kit/seeds.test.ts", "-t", "draw the same"];
  const run = Bun.spawnSync(command, { cwd: ROOT });
  expect([run.exitCode, run.stdout.toString().trimEnd().split("\n").at(-1)]).toEqual([
    0,
    "1 passed, 0 failed",
  ]);
});

test("one end-to-end test is found by its path, although the runner does not look for its name", () => {
  const command = [
    process.execPath,
    "scripts/test.ts",
    "--e2e",
    "test/e2e/steps.e2e.ts",
    "-t",
    "no such words",
  ];
  const run = Bun.spawnSync(command, { cwd: ROOT });
  // Whether it could run is another matter: the executable need not be built.
  expect(run.stderr.toString()).toContain("\ntest/e2e/steps.e2e.ts:\n");
});
