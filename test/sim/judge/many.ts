/** Many seeds, on as many processes as asked for: each takes the next seed when it is done with one. */
import { keepMemory } from "../../kit/keep-memory.ts";
import type { Judged } from "./judge.ts";

export type ManyOptions = {
  /** The next seed, or null when no more are wanted. */
  readonly next: () => number | null;
  readonly processes: number;
  /** The words that start a process which reads seeds, a line each, and prints a `Judged` for each. */
  readonly command: readonly string[];
  readonly told: (judged: Judged) => void;
};

/** Runs until no seed is left. @throws when a process ends by itself. */
export async function many({ next, processes, command, told }: ManyOptions): Promise<void> {
  await Promise.all(Array.from({ length: processes }, () => oneProcess(next, command, told)));
}

async function oneProcess(
  next: ManyOptions["next"],
  command: readonly string[],
  told: ManyOptions["told"],
): Promise<void> {
  const child = Bun.spawn([...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...keepMemory() },
  });
  const lines = linesOf(child.stdout);
  for (let seed = next(); seed !== null; seed = next()) {
    child.stdin.write(`${seed}\n`);
    child.stdin.flush();
    const { value, done } = await lines.next();
    if (done) throw new Error(`the process that ran seed ${seed} ended by itself: ${await child.exited}`);
    told(JSON.parse(value) as Judged);
  }
  child.stdin.end();
  await child.exited;
}

/** The lines of a stream, as they come. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
  return undefined;
}
