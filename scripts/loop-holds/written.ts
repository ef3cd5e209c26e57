import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hold } from "./watch.ts";

/** The holds of a process that is started with `env`. */
export type WrittenHolds = {
  readonly env: Readonly<Record<string, string>>;
  /** Those since the last call, or since the start; none below 5 ms. */
  readonly since: () => readonly Hold[];
};

/** Has a process of Bun, or an executable of it, write its holds into a file of that directory. */
export function writtenHolds(directory: string): WrittenHolds {
  const file = join(directory, "holds");
  writeFileSync(file, "");
  let read = 0;
  return {
    env: {
      BUN_OPTIONS: `--preload ${join(import.meta.dirname, "preloaded.ts")}`,
      BENDRE_HOLDS: file,
    },
    since: () => {
      const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
      const fresh = lines.slice(read).map((line) => JSON.parse(line) as Hold);
      read = lines.length;
      return fresh;
    },
  };
}
