/** What the runs of a command reached: what the auditor saw, and what became of the simulated disk, which nobody outside sees. */
import { addReached, coverageTable, type Reached, type TableOptions } from "../auditor/coverage-table.ts";
import { UNIVERSE } from "../auditor/coverage-universe.ts";
import type { Judged } from "./judge.ts";

const LEFT_BY_A_CUT = ["gone", "there", "cut", "holes", "garbled", "nothing was under way"];
const LEFT_BY_A_DEATH = ["nothing of it", "all of it", "a part of it"];

/** What the simulated disk may do, by the names that it counts. */
const OF_DISK = [
  ...["SQLITE_FULL at a commit", "SQLITE_FULL at a statement", "SQLITE_FULL at a statement, undoing all"],
  ...["SQLITE_FULL at a checkpoint", "SQLITE_IOERR_WRITE at a commit", "SQLITE_READONLY at write"],
  ...["sync failed at a commit", "sync failed at a checkpoint", "power: a failed sync leaves a gap"],
  ...["process: a checkpoint, half", "process: a checkpoint, whole"],
  ...["power: a checkpoint, half", "power: a checkpoint, whole", "power: a log that was emptied is back"],
  ...LEFT_BY_A_CUT.map(
    (how) => `power: ${how === LEFT_BY_A_CUT.at(-1) ? how : `what was under way: ${how}`}`,
  ),
  ...LEFT_BY_A_DEATH.map((how) => `process: what was under way: ${how}`),
].map((name) => `disk: ${name}`);

/** The table of all runs. */
export function coverageLines(all: readonly Judged[], options: TableOptions): readonly string[] {
  const total: Reached = new Map();
  for (const { reached } of all) addReached(total, Object.entries(reached));
  return coverageTable(total, all.length, options, [...UNIVERSE, ...OF_DISK]);
}
