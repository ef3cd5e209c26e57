import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** In memory where the system has such a place: nothing that a run writes is kept. */
const IN_MEMORY = "/dev/shm";

/** A directory for a run, in one of its own: what a restore puts beside it goes with that (`leaveRoom`). */
export function roomFor(seed: number): string {
  const own = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), `bendre-run-${seed}-`));
  const directory = join(own, "data");
  mkdirSync(directory);
  return directory;
}

/** Removes what a run left. */
export function leaveRoom(directory: string): void {
  rmSync(dirname(directory), { recursive: true, force: true });
}
