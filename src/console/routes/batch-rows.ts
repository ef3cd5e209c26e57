/** The rows of one batch that nothing was sent for, to look through: who calls has a number as it stood there, or a name. */
import { type Static, Type as t } from "@sinclair/typebox";
import { slicer } from "../../base/slices.ts";
import { DOUBLE, DOUBLE_OF_REFUSED } from "../../messages/doubles.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { type CorrectedRow, correctedRows } from "../../reports/corrected-rows.ts";
import { seekerFor } from "../../reports/rows-not-sent.ts";
import { type Asked, ownBatch, readsTexts } from "./asked.ts";
import { type NotSentRow, notSentRows } from "./not-sent.ts";
import { WORD } from "./shapes.ts";

export const ROWS_QUERY = t.Object({ row: t.Optional(WORD) });

type BatchRowsView = {
  readonly rows: readonly (NotSentRow & { readonly corrected: CorrectedRow | null })[];
  /** More may fit than are shown. */
  readonly is_more: boolean;
  /** Whether what stood in their other columns is shown and looked at. */
  readonly reads_values: boolean;
};

const SHOWN = 50;
/** Rows that one search goes through: about 100 ms. */
const MOST_LOOKED = 20_000;

/** Its number; what goes to that of a row that repeats one says nothing of that row. */
function numberOf({ index, code, written }: NotSentRow): string | null {
  return index === null || code === DOUBLE || code === DOUBLE_OF_REFUSED ? null : written;
}

/** Those without a line last. */
function byLine(a: NotSentRow, b: NotSentRow): number {
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
}

/** The first that hold what was typed, or the first of all; in slices beside other work. */
export async function batchRows(
  asked: Asked,
  id: string,
  { row: typed }: Static<typeof ROWS_QUERY>,
): Promise<AdminOutcome<BatchRowsView>> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const { config, clock, store } = asked.context;
  const seek = typed === undefined ? () => "word" : seekerFor(config, typed);
  const fits = ({ written, values, client_reference }: NotSentRow): boolean =>
    seek({ written: written ?? "", cells: values, client_reference }) !== null;
  const reads_values = readsTexts(asked);
  const correctedBy = asked.may("messages.read") ? correctedRows(store.read, own.value.id) : () => null;
  const shown = (found: readonly NotSentRow[]) =>
    [...found]
      .sort(byLine)
      .slice(0, SHOWN)
      .map((row) => ({ ...row, corrected: correctedBy({ line: row.line, number: numberOf(row) }) }));
  const pause = slicer(clock);
  const rows: NotSentRow[] = [];
  let looked = 0;
  for (const page of notSentRows(asked, own.value)) {
    rows.push(...page.filter(fits));
    looked += page.length;
    if (rows.length > SHOWN || looked >= MOST_LOOKED) {
      return done({ rows: shown(rows), is_more: true, reads_values });
    }
    await pause();
  }
  return done({ rows: shown(rows), is_more: false, reads_values });
}
