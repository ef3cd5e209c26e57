/** How long each folder of tests took, and which files took longest. */

/** Milliseconds by test file, as `bun test --timings` writes them. */
export type FileTimes = Readonly<Record<string, number>>;

const MAX_FILES = 8;

/** Folders that hold rooms; every other folder below src and test is one itself. */
const GROUPS = ["domain", "channels", "ingress", "console", "admin", "ops"];

/** The room of a path below src or test: `domain/ledger` of `domain/ledger/wallet.ts`, `smpp` of `smpp/pdu.ts`, nothing of `main.ts`. */
export function roomOfPath(path: string): string {
  const [first = "", ...rest] = path.split("/").slice(0, -1);
  return rest[0] !== undefined && GROUPS.includes(first) ? `${first}/${rest[0]}` : first;
}

/** `test/smpp` of `test/smpp/pace.test.ts`, `test/domain/ledger` of `test/domain/ledger/wallet.test.ts`. */
export function folderOf(file: string): string {
  const path = file.replace(/^\.\//, "");
  return `test/${roomOfPath(path.replace(/^test\//, ""))}`;
}

/**
 * Files in the order they are to run: the folders that were quickest the last time first, so that most mistakes show within
 * seconds; those never measured before all others.
 */
export function quickFirst(files: readonly string[], before: FileTimes): string[] {
  const folders = timeByFolder(before);
  const timeOf = (file: string) => folders.get(folderOf(file)) ?? 0;
  return files.toSorted((a, b) => timeOf(a) - timeOf(b) || (a < b ? -1 : 1));
}

/** In such an order that each of so many processes, which take a row of files one behind the other, meets the first ones first. */
export function dealt(files: readonly string[], processes: number): string[] {
  return Array.from({ length: processes }, (_, hand) =>
    files.filter((_file, place) => place % processes === hand),
  ).flat();
}

/** A line a folder, the slowest last, and then the slowest files. */
export function timesTold(times: FileTimes): string[] {
  const folders = [...timeByFolder(times)].sort(([, a], [, b]) => a - b);
  const slowest = Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_FILES);
  return [
    "time by folder",
    ...folders.map(([folder, ms]) => `${seconds(ms)}  ${folder}`),
    "slowest files",
    ...slowest.map(([file, ms]) => `${seconds(ms)}  ${file}`),
  ];
}

/** `  12.4 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}

function timeByFolder(times: FileTimes): Map<string, number> {
  const folders = new Map<string, number>();
  for (const [file, ms] of Object.entries(times)) {
    folders.set(folderOf(file), (folders.get(folderOf(file)) ?? 0) + ms);
  }
  return folders;
}
