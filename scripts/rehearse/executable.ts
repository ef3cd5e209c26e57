import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What `bun run build` left. @throws when it was not run. */
export function builtExecutable(): string {
  const executable = resolve(import.meta.dir, "../../dist/bendre");
  if (!existsSync(executable)) throw new Error("dist/bendre is missing: run `bun run build` first");
  return executable;
}

export function scratchDirectory(name: string): string {
  return mkdtempSync(join(tmpdir(), `bendre-${name}-`));
}
