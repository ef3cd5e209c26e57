/** Every row that nothing was sent for of a batch, a page at a time: who was rejected, who repeats a number, and rows that nobody could read. */
import {
  type BatchRecord,
  type RejectionObject,
  rejectionsByReason,
  rejectionsOf,
} from "../../messages/batches.ts";
import { DOUBLE, DOUBLE_OF_REFUSED, reasonsTold } from "../../messages/doubles.ts";
import {
  type NewUnreadableRow,
  placeOfRejected,
  rejectedRowsOf,
  repeatCount,
  repeatsOf,
  unreadableOf,
} from "../../messages/unreadable-rows.ts";
import { type Asked, readsTexts } from "./asked.ts";
import { codeOf, refusalWord, repeatWord, unreadableWord } from "./why-not-sent.ts";

/** Such a row, in the reader's words. */
export type NotSentRow = {
  /** Its place in the batch, from 0; null of a row that was no recipient. */
  readonly index: number | null;
  /** Where it stood in its file; null where nobody knows. */
  readonly line: number | null;
  readonly code: string;
  readonly why: string;
  /** Its number: as it stood there of a row that nobody could read. Null where it was erased. */
  readonly written: string | null;
  /** What the tags of the text would have been filled in with; null: nothing, or not for this reader. */
  readonly values: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
};

/** Rows of a page. */
const STEP = 1000;
/** A quote names fewer of those that it rejects. */
const MOST_KEPT = 1000;

/** Whether all rows that repeat a number are kept with all that stood in them: else they are known as rejections alone. */
export async function keepsRepeats({ context: { store, clock } }: Asked, batch: number): Promise<boolean> {
  const { [DOUBLE]: doubles = 0 } = await rejectionsByReason(store.read, clock, batch);
  return doubles > 0 && repeatCount(store.read, batch) === doubles;
}

/** `areKept`: what `keepsRepeats` said. */
export function* notSentRows(
  asked: Asked,
  { id }: Pick<BatchRecord, "id">,
  areKept: boolean,
): Generator<readonly NotSentRow[]> {
  const { read } = asked.context.store;
  const kept = keptRejections(asked, id);
  /** Numbers whose first row was refused. */
  const refused = new Set<string>();
  const toldOf = reasonsTold();
  for (let from = 0; ; ) {
    const page = rejectionsOf(read, { id, client_reference: null }, from, STEP);
    const told = page.map((rejection) => ({ ...rejection, told: toldOf(rejection) }));
    for (const { told: reason, msisdn } of told) {
      if (reason === DOUBLE_OF_REFUSED && msisdn !== null) refused.add(msisdn);
    }
    yield told
      .filter(({ reason_code: reason }) => !areKept || reason !== DOUBLE)
      .map((rejection) => rejectedRow(asked, rejection, kept.get(rejection.index)));
    const last = page.at(-1);
    if (!last || page.length < STEP) break;
    from = last.index + 1;
  }
  if (areKept)
    yield* rowsOf(
      asked,
      (from) => repeatsOf(read, id, from, STEP),
      (row) => repeatedRow(asked, row, refused),
    );
  yield* rowsOf(
    asked,
    (from) => unreadableOf(read, id, from, STEP),
    (row) => unreadableRow(asked, row),
  );
}

function* rowsOf(
  asked: Asked,
  pageFrom: (line: number) => readonly NewUnreadableRow[],
  asRow: (row: NewUnreadableRow) => NotSentRow,
): Generator<readonly NotSentRow[]> {
  for (let from = 0; ; ) {
    const rows = pageFrom(from);
    yield rows.map((row) => asRow(shownTo(asked, row)));
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}

/** What a text would have been filled in with is for those who read texts. */
function shownTo(asked: Asked, row: NewUnreadableRow): NewUnreadableRow {
  return readsTexts(asked) ? row : { ...row, attributes: null };
}

/** Rejected recipients that are kept with what stood in their row, by their place in the batch. */
function keptRejections(asked: Asked, batch: number): ReadonlyMap<number, NewUnreadableRow> {
  const rows = rejectedRowsOf(asked.context.store.read, batch, 0, MOST_KEPT);
  return new Map(rows.map((row) => [placeOfRejected(row) ?? -1, shownTo(asked, row)]));
}

type Rejected = RejectionObject & { readonly told: string };

function rejectedRow(
  asked: Asked,
  { index, msisdn, told, client_reference = null }: Rejected,
  row: NewUnreadableRow | undefined,
): NotSentRow {
  const why = refusalWord(asked, told, msisdn);
  const { line = null, attributes: values = null } = row ?? {};
  return { index, line, code: told, why, written: msisdn, values, client_reference };
}

function repeatedRow(
  asked: Asked,
  { line, written, msisdn, cause, attributes, client_reference }: NewUnreadableRow,
  refused: ReadonlySet<string>,
) {
  const code = msisdn !== null && refused.has(msisdn) ? DOUBLE_OF_REFUSED : DOUBLE;
  const why = repeatWord(asked, code, cause);
  return { index: null, line, code, why, written, values: attributes, client_reference };
}

function unreadableRow(
  asked: Asked,
  { line, written, cause, attributes, client_reference }: NewUnreadableRow,
) {
  const why = unreadableWord(asked, cause);
  return { index: null, line, code: codeOf(cause), why, written, values: attributes, client_reference };
}
