import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** In memory where the system has such a place: nothing that a run writes is kept. */
const IN_MEMORY = "/dev/shm";

/** A directory for a run. */
export function roomFor(seed: number): string {
  return mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), `bendre-run-${seed}-`));
}
