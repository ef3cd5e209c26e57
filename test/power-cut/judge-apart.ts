/**
 * Judges a data directory in a process of its own, since a file system can only be unmounted once nobody has a file of it: a
 * closed database keeps its files until its statements are collected. Run by itself, it is that process.
 */
import { systemClock } from "../../src/core/clock.ts";
import { judgeDirectory } from "./judge.ts";
import type { Fact } from "./told.ts";

/** What is wrong with a data directory. */
export async function judgeApart(directory: string, promises: readonly Fact[]): Promise<readonly string[]> {
  const child = Bun.spawn([process.execPath, import.meta.path, directory], {
    stdin: new Blob([JSON.stringify(promises)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [said, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  return code === 0 ? (JSON.parse(said) as string[]) : [`judging ended with ${code}: ${complaint}`];
}

if (import.meta.main) {
  const promises = (await new Response(Bun.stdin.stream()).json()) as Fact[];
  const problems = await judgeDirectory(process.argv[2] ?? "", systemClock, promises);
  process.stdout.write(JSON.stringify(problems));
}
