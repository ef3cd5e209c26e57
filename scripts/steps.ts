/** Runs commands, says how long each took, and stops at the first that fails. */
import { seconds } from "./test-times.ts";

export type Step = { readonly name: string; readonly command: readonly string[] };

/** Steps that need one processor each run beside one another; what they print is shown one after the other. */
export type Stage = Step | readonly Step[];

type Counts = { passed: number; failed: number };

/** Characters of a step's output that hold its last line. */
const MAX_TAIL = 200;

/** A program of `scripts` with its arguments, run by the runtime that runs this. */
export function program(file: string, ...words: readonly string[]): readonly string[] {
  return [process.execPath, `scripts/${file}`, ...words];
}

/** Ends the process with 1 when a step fails; else with the counts of all tests together as the last line, `N passed, N failed`. */
export async function runSteps(stages: readonly Stage[]): Promise<never> {
  const total: Counts = { passed: 0, failed: 0 };
  for (const stage of stages) {
    const failed = "name" in stage ? await runStep(stage, total) : await runBeside(stage, total);
    if (failed === null) continue;
    console.error(`== ${failed} failed`);
    console.log(`${total.passed} passed, ${Math.max(total.failed, 1)} failed`);
    process.exit(1);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(0);
}

/** Resolves with the name of the step if it failed. */
async function runStep({ name, command }: Step, total: Counts): Promise<string | null> {
  console.log(`== ${name}`);
  const startedAt = performance.now();
  const run = Bun.spawn([...command], { stdout: "pipe", stderr: "inherit" });
  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of run.stdout) {
    process.stdout.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-MAX_TAIL);
  }
  addCounts(tail, total);
  console.log(`${seconds(performance.now() - startedAt)}  ${name}`);
  return (await run.exited) === 0 ? null : name;
}

/** Resolves with the name of the first step that failed, once it was shown and the others are over. */
async function runBeside(steps: readonly Step[], total: Counts): Promise<string | null> {
  const startedAt = performance.now();
  const runs = steps.map(({ name, command }) => {
    const run = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
    const ended = Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
    return { name, run, ended: ended.then((parts) => [...parts, performance.now() - startedAt] as const) };
  });
  for (const { name, ended } of runs) {
    console.log(`== ${name}`);
    const [output, errors, exitCode, ms] = await ended;
    process.stdout.write(output);
    process.stderr.write(errors);
    addCounts(output, total);
    console.log(`${seconds(ms)}  ${name}`);
    if (exitCode === 0) continue;
    for (const { run } of runs) run.kill();
    await Promise.all(runs.map((other) => other.ended));
    return name;
  }
  return null;
}

/** Adds what the last line of an output counts, if it counts anything. */
function addCounts(output: string, total: Counts): void {
  const lastLine = output.trimEnd().split("\n").at(-1) ?? "";
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  total.passed += Number(passed ?? 0);
  total.failed += Number(failed ?? 0);
}
