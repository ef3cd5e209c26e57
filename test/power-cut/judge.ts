/** Opens what a power cut left, as the appliance would, and says what is wrong with it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../src/base/clock.ts";
import { recountBooks } from "../../src/reports/books.ts";
import { readMoments } from "../../src/store/snapshot.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Files } from "./disk.ts";
import { factsOf } from "./facts.ts";
import type { Judge } from "./replay.ts";
import type { Fact } from "./told.ts";

/** So many missing facts are named. */
const MOST_NAMED = 5;

/** Judges files by opening the store on them, below this directory, which is made anew each time. */
export function judgeByStore(directory: string, clock: Clock): Judge<Fact> {
  return (files, promises) => {
    putFiles(directory, files);
    return judgeDirectory(directory, clock, promises);
  };
}

/** Judges a data directory that nobody else has. */
export async function judgeDirectory(
  directory: string,
  clock: Clock,
  promises: readonly Fact[],
): Promise<readonly string[]> {
  let store: Store;
  try {
    store = openStore(directory, clock);
  } catch (error) {
    return [`the store does not open: ${error instanceof Error ? error.message : error}`];
  }
  try {
    return [...problemsOf(store), ...missing(promises, factsOf(store.read))];
  } catch (error) {
    return [`the store cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    await store.close();
  }
}

/** Puts files where a data directory shall be, and nothing else. */
export function putFiles(directory: string, files: Files): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [name, octets] of files)
    if (isKept(name)) writeFileSync(join(directory, name), octets, { mode: 0o600 });
}

/** The index of the log is made anew by whoever opens the log first, and the lock file holds nothing. */
function isKept(name: string): boolean {
  return !name.endsWith("-shm") && !name.endsWith(".lock");
}

function problemsOf({ read, directory }: Store): readonly string[] {
  const integrity = read
    .all<{ integrity_check: string }>("PRAGMA integrity_check")
    .map(({ integrity_check }) => integrity_check);
  const strays = read.all<{ table: string }>("PRAGMA foreign_key_check").map(({ table }) => table);
  const { differences } = readMoments(directory, recountBooks);
  return [
    ...(integrity.join() === "ok" ? [] : [`integrity: ${integrity.slice(0, MOST_NAMED).join("; ")}`]),
    ...(strays.length === 0 ? [] : [`rows that point at nothing: ${strays.slice(0, MOST_NAMED).join()}`]),
    ...differences.slice(0, MOST_NAMED).map((difference) => `books: ${difference}`),
  ];
}

function missing(promises: readonly Fact[], facts: ReadonlySet<Fact>): readonly string[] {
  const lost = promises.filter((fact) => !facts.has(fact));
  const rest = lost.length > MOST_NAMED ? [`and ${lost.length - MOST_NAMED} more are missing`] : [];
  return [...lost.slice(0, MOST_NAMED).map((fact) => `missing: ${fact}`), ...rest];
}
