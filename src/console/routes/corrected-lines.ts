/** Which rows of a batch's file the rows of a corrected file are: by the line that the file of who got nothing gave them. */
import { slicer } from "../../base/slices.ts";
import type { CorrectedLine, FamilyBatch } from "../../messages/corrections.ts";
import type { RowOrigin } from "../send/file-work.ts";
import { type Asked, readsTexts } from "./asked.ts";
import { keepsRepeats, type NotSentRow, notSentRows } from "./not-sent-rows.ts";

type Brought = {
  /** The row id of the batch that is corrected. */
  readonly of: number;
  /** Its family. */
  readonly batches: readonly FamilyBatch[];
};

/**
 * Those whose row was left out of the batch for the reason that the file says, where no other batch of the family left out another one in the same
 * line for the same reason: it may be that one's file, and a row of it must never pass for one of this. Read in slices beside other work.
 */
export async function correctedLines(
  asked: Asked,
  { of, batches }: Brought,
  origins: readonly RowOrigin[],
): Promise<readonly CorrectedLine[]> {
  if (origins.length === 0) return [];
  const wanted = new Set(origins.map(({ origin }) => origin.line));
  const own = await rowsIn(asked, of, wanted);
  const others: ReadonlyMap<number, NotSentRow>[] = [];
  for (const { id } of batches) if (id !== of) others.push(await rowsIn(asked, id, wanted));
  const isSame = sameRow(readsTexts(asked));
  return origins.flatMap(({ line, place, origin }) => {
    const row = own.get(origin.line);
    if (row?.why.trim() !== origin.why) return [];
    const isOthers = others.some((rows) => {
      const other = rows.get(origin.line);
      return other?.why.trim() === origin.why && !isSame(row, other);
    });
    return isOthers ? [] : [[origin.line, line, place] as const];
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
