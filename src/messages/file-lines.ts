/** Where the recipients of a batch stood in the file that it was sent out of, so that whoever has the file finds them. */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** A place in the batch, and the line that it stood in; those that follow stand in the lines that follow. */
type LineRun = readonly [position: number, line: number];

/** A file with more gaps than that is one whose lines are not kept. */
const MOST_RUNS = 10_000;

/** Lines in the order of the recipients, as runs; null where they are too many. */
export function runsOf(lines: Uint32Array): readonly LineRun[] | null {
  const runs: LineRun[] = [];
  for (const [position, line] of lines.entries()) {
    if (position > 0 && line === (lines[position - 1] ?? 0) + 1) continue;
    if (runs.length === MOST_RUNS) return null;
    runs.push([position, line]);
  }
  return runs;
}

/** Keeps them with a batch. */
export function keepFileLines(tx: Tx, batchId: number, lines: Uint32Array): void {
  const runs = runsOf(lines);
  if (runs !== null && runs.length > 0)
    tx.run("INSERT OR IGNORE INTO file_lines (batch_id, runs) VALUES (?, ?)", batchId, JSON.stringify(runs));
}

/** Tells the line of a place in a batch; null where nobody knows. */
export function fileLinesOf(read: Reader, batchId: number): (position: number) => number | null {
  const row = read.get<{ runs: string }>("SELECT runs FROM file_lines WHERE batch_id = ?", batchId);
  const runs = !row ? [] : (JSON.parse(row.runs) as readonly LineRun[]);
  return (position) => {
    let [below, above] = [0, runs.length];
    while (below < above) {
      const middle = (below + above) >>> 1;
      if ((runs[middle]?.[0] ?? 0) <= position) below = middle + 1;
      else above = middle;
    }
    const run = runs[below - 1];
    return run === undefined ? null : run[1] + position - run[0];
  };
}

/** Drops those of batches whose ids are a JSON list. */
export function dropFileLines(tx: Tx, batchIds: string): void {
  tx.run("DELETE FROM file_lines WHERE batch_id IN (SELECT value FROM json_each(?))", batchIds);
}
