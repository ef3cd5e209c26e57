/** What lines the tests ran, from the report that the runner writes in LCOV form. */

import { roomOfPath } from "./test-times.ts";

/** Lines of one file that can run, and how many of them did; null: no test loaded the file. */
export type FileCoverage =
  | { readonly file: string; readonly lines: number; readonly hit: number }
  | UnloadedFile;
type UnloadedFile = { readonly file: string; readonly lines: null };

const MAX_FILES = 20;

/** The lines of each file of `src/` in a report: `SF:` names the file, `LF:` and `LH:` count its lines. */
export function readLcov(lcov: string): FileCoverage[] {
  return lcov.split("end_of_record").flatMap((record) => {
    const file = /^SF:(src\/.+)$/m.exec(record)?.[1];
    if (file === undefined) return [];
    const count = (of: string) => Number(new RegExp(`^${of}:(\\d+)$`, "m").exec(record)?.[1] ?? 0);
    return [{ file, lines: count("LF"), hit: count("LH") }];
  });
}

/** A line a room, the least covered first, the files with most lines that no test ran, and those no test loaded. */
export function coverageTold(files: readonly FileCoverage[]): string[] {
  const loaded = files.flatMap((one) => (one.lines === null ? [] : [one]));
  const rooms = new Map<string, { lines: number; hit: number }>();
  for (const { file, lines, hit } of loaded) {
    const room = roomOf(file);
    const sum = rooms.get(room) ?? { lines: 0, hit: 0 };
    rooms.set(room, { lines: sum.lines + lines, hit: sum.hit + hit });
  }
  const all = [...rooms.values()].reduce((a, b) => ({ lines: a.lines + b.lines, hit: a.hit + b.hit }), NONE);
  const missed = loaded
    .filter(({ lines, hit }) => hit < lines)
    .sort((a, b) => b.lines - b.hit - (a.lines - a.hit))
    .slice(0, MAX_FILES);
  const unloaded = files.filter(({ lines }) => lines === null);
  return [
    "lines that the tests run, by room",
    ...[...rooms]
      .sort(([, a], [, b]) => share(a) - share(b))
      .map(([room, sum]) => `${percent(sum)}  ${room}`),
    `${percent(all)}  all`,
    "files with most lines that no test runs",
    ...missed.map((one) => `${percent(one)}  ${one.file}: ${one.lines - one.hit} of ${one.lines}`),
    ...(unloaded.length === 0 ? [] : ["files that no test loads (the executable's tests may, or a thread)"]),
    ...unloaded.map(({ file }) => `        ${file}`),
  ];
}

const NONE = { lines: 0, hit: 0 };

/** `src/smpp/pdu.ts` is of smpp, `src/main.ts` of none. */
function roomOf(file: string): string {
  return roomOfPath(file.replace(/^src\//, "")) || "(the top)";
}

function share({ lines, hit }: { readonly lines: number; readonly hit: number }): number {
  return lines === 0 ? 1 : hit / lines;
}

function percent(of: { readonly lines: number; readonly hit: number }): string {
  return `${(share(of) * 100).toFixed(1).padStart(6)} %`;
}
