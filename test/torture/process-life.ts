/** One life of the real executable: from its start until the process is gone. */
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Clock, wait } from "../../src/core/clock.ts";

export type Ended = { readonly code: number | null; readonly signal: string | number | null };

export type ProcessLife = {
  /** Resolves true once it says that it is ready, false when it ended before. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<Ended>;
  readonly isOver: () => boolean;
  readonly kill: () => void;
  readonly stop: () => void;
  /** What it wrote to stderr, line by line; whole once it has ended. */
  readonly lines: readonly string[];
};

/** Starts the executable with a configuration; what it logs is appended to a file, too. */
export function startLife(executable: string, config: string, logFile: string): ProcessLife {
  const child = Bun.spawn([executable, "serve", "--config", config], {
    cwd: tmpdir(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const lines: string[] = [];
  let over = false;
  let sayReady: (isReady: boolean) => void = () => {};
  const ready = new Promise<boolean>((resolve) => {
    sayReady = resolve;
  });
  const read = (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of child.stderr) {
      appendFileSync(logFile, chunk);
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      if (parts.some((line) => line.includes('"message":"ready"'))) sayReady(true);
    }
    if (rest !== "") lines.push(rest);
  })();
  const ended = child.exited.then(async () => {
    over = true;
    await read;
    sayReady(false);
    return { code: child.exitCode, signal: child.signalCode };
  });
  return {
    ready,
    ended,
    lines,
    isOver: () => over,
    kill: () => child.kill("SIGKILL"),
    stop: () => child.kill("SIGTERM"),
  };
}

/** Resolves with what comes first: the promise's value, or null after so long. */
export async function within<T>(clock: Clock, limitMs: number, promise: Promise<T>): Promise<T | null> {
  return await Promise.race([promise, wait(clock, limitMs).then(() => null)]);
}
