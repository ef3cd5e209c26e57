/** The threads of an appliance that is profiled: each samples itself, and is told when to begin and when to end. */
import { resolve } from "node:path";
import type { StartThread } from "../../src/core/thread.ts";
import { type FromThread, THREADS, type ToThreads } from "./seen.ts";

export type ProfiledThreads = {
  readonly startThread: StartThread;
  readonly begin: () => void;
  /** Resolves with the threads that wrote their samples into `directory`: all that had heard of the beginning, or so many as do within a second. */
  readonly end: (directory: string) => Promise<readonly string[]>;
};

const PRELOADED = resolve(import.meta.dirname, "thread.ts");
const SOURCE = resolve(import.meta.dirname, "../../src");
const PATIENCE_MS = 1000;

export function profiledThreads(): ProfiledThreads {
  const channel = new BroadcastChannel(THREADS);
  const [begun, ended] = [new Set<string>(), new Set<string>()];
  const tell = (told: ToThreads): void => channel.postMessage(told);
  channel.onmessage = (event) => {
    const data = event.data as FromThread;
    (data.turn === "begun" ? begun : ended).add(data.thread);
  };
  return {
    startThread: (path) => new Worker(resolve(SOURCE, path), { preload: [PRELOADED] }),
    begin: () => tell({ turn: "begin" }),
    end: async (directory) => {
      tell({ turn: "end", directory });
      const untilMs = performance.now() + PATIENCE_MS;
      while (ended.size < begun.size && performance.now() < untilMs) await Bun.sleep(10);
      return [...ended];
    },
  };
}
