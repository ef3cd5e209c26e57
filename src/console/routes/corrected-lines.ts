/** Which rows of a batch's file the rows of a corrected file are: by the line that the file of who got nothing gave them. */
import { slicer } from "../../base/slices.ts";
import type { CorrectedLine, FamilyBatch } from "../../messages/corrections.ts";
import type { RowOrigin } from "../send/file-work.ts";
import { type Asked, readsTexts } from "./asked.ts";
import { keepsRepeats, type NotSentRow, notSentRows } from "./not-sent-rows.ts";

/**
 * Those that a batch of the family left out in that line, for the reason that the file says: a file may be that of any of them. Where several left
 * out different rows there for the same reason, nobody can tell which it is, and a row must never pass for another one. Read in slices beside
 * other work.
 */
export async function correctedLines(
  asked: Asked,
  family: readonly FamilyBatch[],
  origins: readonly RowOrigin[],
): Promise<readonly CorrectedLine[]> {
  if (origins.length === 0) return [];
  const wanted = new Set(origins.map(({ origin }) => origin.line));
  const left: { readonly id: number; readonly rows: ReadonlyMap<number, NotSentRow> }[] = [];
  for (const { id } of family) left.push({ id, rows: await rowsIn(asked, id, wanted) });
  const isSame = sameRow(readsTexts(asked));
  return origins.flatMap(({ line, place, origin }) => {
    const found = left.flatMap(({ id, rows }) => {
      const row = rows.get(origin.line);
      return row?.why.trim() === origin.why ? [{ id, row }] : [];
    });
    const areOne = found.every((one) => one === found[0] || (found[0] && isSame(found[0].row, one.row)));
    return areOne ? found.map(({ id }) => [id, origin.line, line, place] as const) : [];
  });
}

/** The rows of a batch in some lines of its file. */
async function rowsIn(asked: Asked, batch: number, wanted: ReadonlySet<number>) {
  const rows = new Map<number, NotSentRow>();
  const pause = slicer(asked.context.clock);
  for (const page of notSentRows(asked, { id: batch }, await keepsRepeats(asked, batch))) {
    for (const row of page) if (row.line !== null && wanted.has(row.line)) rows.set(row.line, row);
    await pause();
  }
  return rows;
}

/** Whether two rows of the same reason are one that came back: what stands beside their number says so, to whoever may read it. */
function sameRow(readsValues: boolean): (one: NotSentRow, other: NotSentRow) => boolean {
  return (one, other) =>
    readsValues && one.values !== null && JSON.stringify(one.values) === JSON.stringify(other.values);
}
