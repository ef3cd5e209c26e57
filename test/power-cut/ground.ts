/** Where states of a data directory are put, so that they can be opened. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../src/core/clock.ts";
import type { Files } from "./disk.ts";
import { judgeDirectory } from "./judge.ts";
import type { Fact } from "./told.ts";

export type Ground = {
  /** The data directory, once a state was put. */
  readonly data: string;
  /** @throws when what survived is no file system any more. */
  readonly put: (files: Files) => void;
  /** Says what is wrong with it. */
  readonly judge: (promises: readonly Fact[]) => Promise<readonly string[]>;
  readonly clear: () => void;
};

/** A directory of our own, in memory where the machine has such: nothing in it need survive. */
export function scratchInMemory(): string {
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  return mkdtempSync(join(memory, "bendre-power-cut-"));
}

/** Puts files into a directory below `path`, and nothing else. */
export function filesGround(path: string, clock: Clock): Ground {
  const data = join(path, "data");
  const clear = () => rmSync(data, { recursive: true, force: true });
  return {
    data,
    put: (files) => {
      clear();
      mkdirSync(data, { recursive: true, mode: 0o700 });
      for (const [name, octets] of files)
        if (isKept(name)) writeFileSync(join(data, name), octets, { mode: 0o600 });
    },
    judge: (promises) => judgeDirectory(data, clock, promises),
    clear,
  };
}

/** The index of the log is made anew by whoever opens the log first, and the lock file holds nothing. */
export function isKept(name: string): boolean {
  return !name.endsWith("-shm") && !name.endsWith(".lock");
}
