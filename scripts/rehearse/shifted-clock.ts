import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A wall clock for programs, apart from the machine's; their steady clock stays the machine's. */
export type ShiftedClock = {
  /** What stands before a command so that its program reads this clock. */
  readonly prefix: readonly string[];
  /** Puts the clock ahead of the machine's, behind it where negative; programs that run see it at once. */
  readonly shiftBy: (seconds: number) => void;
};

/** Builds the library that shifts the clock of whoever loads it; null where there is no gcc. @throws when gcc fails. */
export function clockLibrary(directory: string): string | null {
  if (Bun.which("gcc") === null) return null;
  const library = join(directory, "shifted-clock.so");
  const source = join(import.meta.dir, "shifted-clock.c");
  const built = Bun.spawnSync(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], {
    stderr: "inherit",
  });
  if (built.exitCode !== 0) throw new Error("gcc could not build the library");
  return library;
}

/** A clock that shows the machine's time until it is shifted. `file` is where programs read by how much. */
export function shiftedClock(library: string, file: string): ShiftedClock {
  const shiftBy = (seconds: number) => writeFileSync(file, `${seconds}\n`);
  shiftBy(0);
  return { prefix: ["env", `LD_PRELOAD=${library}`, `SHIFTED_BY=${file}`], shiftBy };
}
