import type { Booked } from "../../test/kit/statement-book.ts";
import type { SeenHold } from "./holds.ts";

/** What the appliance itself saw while it was profiled. */
export type Seen = {
  readonly seconds: number;
  /** CPU seconds. */
  readonly cpuByThread: Readonly<Record<string, number>>;
  readonly statements: readonly Booked[];
  readonly logFrames: number;
  readonly holds: readonly SeenHold[];
  readonly peakMib: number;
  /** Threads whose samples were written. */
  readonly threads: readonly string[];
};

/** Lines among those of the garbage collector that tell when the profile began and ended. */
export const TURN = { begin: "== the profile begins", end: "== the profile ends" } as const;

/** What a profile leaves in its directory. */
export const FILES = { cpu: "cpu.json", seen: "seen.json", log: "log.txt" } as const;

/** Between two samples of a thread. */
export const SAMPLE_MICROSECONDS = 500;

/** The channel over which threads are told when to begin and to end, and answer. */
export const THREADS = "profile";
export type ToThreads = { readonly turn: "begin" } | { readonly turn: "end"; readonly directory: string };
export type FromThread = { readonly turn: "begun" | "ended"; readonly thread: string };

export const threadFile = (thread: string): string => `thread-${thread}.json`;
