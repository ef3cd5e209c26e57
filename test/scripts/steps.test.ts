import { constants } from "node:os";
import { expect, test } from "vitest";
import { ROOT } from "../tidy/source.ts";

/** What a run of these steps prints on its output, line by line, and its exit code; those of a list run beside one another. */
function run(...stages: readonly (string | readonly string[])[]): {
  readonly exitCode: number;
  readonly lines: readonly string[];
} {
  const toStep = (source: string) => ({ name: `step ${source}`, command: [process.execPath, "-e", source] });
  const steps = stages.map((stage) => (typeof stage === "string" ? toStep(stage) : stage.map(toStep)));
  const program = `import { runSteps } from "./scripts/steps.ts"; await runSteps(${JSON.stringify(steps)});`;
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "-e", program], { cwd: ROOT });
  return { exitCode, lines: stdout.toString().trimEnd().split("\n") };
}

test("the counts of all steps stand together in the last line", () => {
  const { exitCode, lines } = run(
    'console.log("3 passed, 0 failed")',
    'console.log("nothing to count")',
    // As it comes from a process: a line at a time.
    'console.log("a test"); await Bun.sleep(50); console.log("4 passed, 0 failed")',
    'process.stdout.write("2 passed, 0 failed")',
  );
  expect([exitCode, lines.at(-1)]).toEqual([0, "9 passed, 0 failed"]);
});

test("a step that fails is the last, and counts as failed where it counts nothing", () => {
  const { exitCode, lines } = run(
    'console.log("3 passed, 0 failed")',
    "process.exit(7)",
    'console.log("never")',
  );
  expect([exitCode, lines.includes("never"), lines.at(-1)]).toEqual([1, false, "3 passed, 1 failed"]);
  expect(run('console.log("1 passed, 2 failed"); process.exit(1)').lines.at(-1)).toBe("1 passed, 2 failed");
});

test("steps beside one another are shown one after the other, and counted", () => {
  const { exitCode, lines } = run(
    [
      'await Bun.sleep(50); console.log("late\\n1 passed, 0 failed")',
      'console.log("soon\\n2 passed, 0 failed")',
    ],
    'console.log("4 passed, 0 failed")',
  );
  expect([exitCode, lines.indexOf("late") < lines.indexOf("soon"), lines.at(-1)]).toEqual([
    0,
    true,
    "7 passed, 0 failed",
  ]);
});

test("the first of them that fails is shown, ends the others, and is the last", () => {
  const { exitCode, lines } = run(
    ['console.log("1 passed, 0 failed")', "process.exit(7)", "await Bun.sleep(60_000)"],
    'console.log("never")',
  );
  expect([exitCode, lines.includes("never"), lines.at(-1)]).toEqual([1, false, "1 passed, 1 failed"]);
});

test("a step in the background has the processor only while nothing else wants it", () => {
  const steps = [{ name: "patient", command: [process.execPath, "-e", PRIORITY], isBackground: true }];
  const program = `import { runSteps } from "./scripts/steps.ts"; await runSteps(${JSON.stringify(steps)});`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program], { cwd: ROOT });
  expect(stdout.toString().split("\n")).toContain(`priority ${constants.priority.PRIORITY_LOW}`);
});

/** Prints the priority once it is another than that of whoever started this. */
const PRIORITY = `
  import { getPriority } from "node:os";
  while (getPriority(process.pid) === getPriority(process.ppid)) await Bun.sleep(5);
  console.log("priority", getPriority(process.pid));
`;
