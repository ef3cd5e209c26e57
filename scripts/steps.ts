/** Runs commands one after the other, says how long each took, and stops at the first that fails. */
import { seconds } from "./test-times.ts";

export type Step = { readonly name: string; readonly command: readonly string[] };

/** Characters of a step's output that hold its last line. */
const MAX_TAIL = 200;

/** A program of `scripts` with its arguments, run by the runtime that runs this. */
export function program(file: string, ...words: readonly string[]): readonly string[] {
  return [process.execPath, `scripts/${file}`, ...words];
}

/** Ends the process with 1 when a step fails; else with the counts of all tests together as the last line, `N passed, N failed`. */
export async function runSteps(steps: readonly Step[]): Promise<never> {
  const total = { passed: 0, failed: 0 };
  for (const { name, command } of steps) {
    console.log(`== ${name}`);
    const startedAt = performance.now();
    const run = Bun.spawn([...command], { stdout: "pipe", stderr: "inherit" });
    let tail = "";
    const decoder = new TextDecoder();
    for await (const chunk of run.stdout) {
      process.stdout.write(chunk);
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-MAX_TAIL);
    }
    const lastLine = tail.trimEnd().split("\n").at(-1) ?? "";
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
    total.passed += Number(passed ?? 0);
    total.failed += Number(failed ?? 0);
    console.log(`${seconds(performance.now() - startedAt)}  ${name}`);
    if ((await run.exited) === 0) continue;
    console.error(`== ${name} failed`);
    console.log(`${total.passed} passed, ${Math.max(total.failed, 1)} failed`);
    process.exit(1);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(0);
}
