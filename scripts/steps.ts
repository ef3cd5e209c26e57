/** Runs commands, says how long each took, and stops at the first that fails. */
import { constants, setPriority } from "node:os";
import { seconds } from "./test-times.ts";

export type Step = {
  readonly name: string;
  readonly command: readonly string[];
  /** Only uses the processor while nothing else does. For work that goes by no clock but its own. */
  readonly isBackground?: boolean;
};

/** Steps of one stage run beside one another; what they print is shown one after the other. */
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
    const failed = await runStage("name" in stage ? [stage] : stage, total);
    if (failed === null) continue;
    console.error(`== ${failed} failed`);
    console.log(`${total.passed} passed, ${Math.max(total.failed, 1)} failed`);
    process.exit(1);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(0);
}

/** Resolves with the name of the first step that failed, once it was shown and the others are over. */
async function runStage(steps: readonly Step[], total: Counts): Promise<string | null> {
  const startedAt = performance.now();
  const runs = steps.map(({ name, command, isBackground }) => {
    const run = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
    if (isBackground) setPriority(run.pid, constants.priority.PRIORITY_LOW);
    const output = new StepOutput();
    const read = Promise.all([
      output.follow(run.stdout, process.stdout),
      output.follow(run.stderr, process.stderr),
    ]);
    const ended = Promise.all([run.exited, read]).then(([exitCode]) => ({
      exitCode,
      ms: performance.now() - startedAt,
    }));
    return { name, run, output, ended };
  });
  for (const { name, output, ended } of runs) {
    console.log(`== ${name}`);
    output.show();
    const { exitCode, ms } = await ended;
    addCounts(output.tail, total);
    console.log(`${seconds(ms)}  ${name}`);
    if (exitCode === 0) continue;
    for (const { run } of runs) run.kill();
    await Promise.all(runs.map((other) => other.ended));
    return name;
  }
  return null;
}

/** What a step prints: kept until it is its turn to be shown, and then shown as it comes. */
class StepOutput {
  /** The end of what it printed. */
  tail = "";
  readonly #kept: { readonly chunk: Uint8Array; readonly to: NodeJS.WriteStream }[] = [];
  #isShown = false;

  async follow(stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      if (this.#isShown) to.write(chunk);
      else this.#kept.push({ chunk, to });
      if (to === process.stdout)
        this.tail = (this.tail + decoder.decode(chunk, { stream: true })).slice(-MAX_TAIL);
    }
  }

  show(): void {
    this.#isShown = true;
    for (const { chunk, to } of this.#kept.splice(0)) to.write(chunk);
  }
}

/** Adds what the last line of an output counts, if it counts anything. */
function addCounts(output: string, total: Counts): void {
  const lastLine = output.trimEnd().split("\n").at(-1) ?? "";
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  total.passed += Number(passed ?? 0);
  total.failed += Number(failed ?? 0);
}
