/** What the search box says of a number that is none, and of who stands in a row that was not sent and so has no message. */
import { noNumber } from "../../../admin/operations/msisdn.ts";
import { batchFind } from "../../../admin/reports/batch-find.ts";
import type { CorrectedRow } from "../../../admin/reports/corrected-rows.ts";
import { rowsNotSent } from "../../../admin/reports/rows-not-sent.ts";
import { type Asked, readsTexts } from "./asked.ts";

export type NoNumberHit = {
  readonly kind: "no number";
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** How many of the last messages were looked through for numbers that hold it; null: none. */
  readonly looked: number | null;
  /** Whether these are all. */
  readonly is_all: boolean;
};

/** One place that what was typed may mean, where it is a row of a file or no number at all. */
export type RowHit =
  /** It has too few digits or too many. */
  | NoNumberHit
  /** A row that was not sent and holds it; `id`: its batch. */
  | {
      readonly kind: "row";
      readonly id: string;
      readonly typed: string;
      readonly title: string;
      readonly line: number;
      readonly at: string;
      readonly is_nearly: boolean;
      /** What was sent for it since. */
      readonly corrected: CorrectedRow | null;
    }
  /** A batch of the day with rows that were not sent: they can be looked through there. */
  | {
      readonly kind: "rows";
      readonly id: string;
      readonly typed: string;
      readonly title: string;
      readonly at: string;
      readonly rows: number;
    };

const MOST_ROWS = 3;
const MOST_BATCHES = 3;
/** Batches of the day that are looked at for rows that were not sent. */
const MOST_LOOKED = 50;

/** Why it is no number, in the reader's words. */
export function noNumberHit(
  { context, inTheirWords }: Asked,
  typed: string,
): Omit<NoNumberHit, "looked" | "is_all"> {
  return {
    kind: "no number",
    id: typed,
    title: typed,
    detail: inTheirWords(noNumber(context.config, typed)),
  };
}

/** Rows of the last days that hold what was typed, one of a batch. */
export async function rowHits(asked: Asked, typed: string): Promise<readonly RowHit[]> {
  const { context, account } = asked;
  const limit = 10 * MOST_ROWS;
  const found = await rowsNotSent(context, { typed, account, readsValues: readsTexts(asked), limit });
  if (!found.ok) return [];
  const byBatch = new Map(found.value.rows.toReversed().map((row) => [row.batch_id, row]));
  return [...byBatch.values()]
    .toReversed()
    .slice(0, MOST_ROWS)
    .map(
      ({ batch_id: id, written, values, line, created_at: at, match, corrected }): RowHit => ({
        kind: "row",
        typed,
        id,
        title: [written, ...values].filter((text) => text !== "").join(" · "),
        line,
        at,
        is_nearly: match === "nearly",
        corrected: asked.may("messages.read") ? corrected : null,
      }),
    );
}

/** Batches of the last day with rows that were not sent, the newest first. */
export async function batchesWithRows(
  { context, account }: Asked,
  typed: string,
): Promise<readonly RowHit[]> {
  const wanted = { account, status: null, reference: null, from: "1d", to: null, before: null };
  const found = await batchFind(context, { ...wanted, limit: MOST_LOOKED });
  if (!found.ok) return [];
  return found.value.batches
    .filter(({ rejected, unreadable }) => rejected + unreadable > 0)
    .slice(0, MOST_BATCHES)
    .map(
      ({ batch_id: id, client_reference, sender, created_at: at, rejected, unreadable }): RowHit => ({
        kind: "rows",
        typed,
        id,
        title: client_reference ?? sender,
        at,
        rows: rejected + unreadable,
      }),
    );
}
