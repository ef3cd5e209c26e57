import { tmpdir } from "node:os";

/** A process that goes on, with the lines it has printed on stdout and on stderr. */
export type Going = {
  readonly lines: readonly string[];
  readonly errors: readonly string[];
  /** Resolves with the first line of either that has the words; rejects when the process ends before. */
  readonly line: (words: string) => Promise<string>;
  /** SIGTERM; resolves with the exit code once everything printed was read. */
  readonly stop: () => Promise<number>;
  readonly isOver: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
  /** SIGKILL; resolves once it is gone. */
  readonly kill: () => Promise<void>;
};

/** Starts a command from a directory that is nobody's. */
export function going(command: readonly string[]): Going {
  const child = Bun.spawn([...command], { cwd: tmpdir(), stdout: "pipe", stderr: "pipe" });
  // A rehearsal that fails on the way leaves nothing behind that runs.
  process.on("exit", () => child.kill());
  const lines: string[] = [];
  const errors: string[] = [];
  const watchers = new Set<() => void>();
  const follow = async (stream: ReadableStream<Uint8Array>, into: string[]): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      into.push(...parts);
      for (const watcher of [...watchers]) watcher();
    }
  };
  const read = Promise.all([follow(child.stdout, lines), follow(child.stderr, errors)]);
  return {
    lines,
    errors,
    line: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found =
            lines.find((line) => line.includes(words)) ?? errors.find((line) => line.includes(words));
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void child.exited.then((code) =>
          reject(new Error(`${command[1]} ended with ${code}: ${errors.join("\n")}`)),
        );
      }),
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    signal: (name) => child.kill(name),
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
      await read;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const code = await child.exited;
      await read;
      return code;
    },
  };
}
