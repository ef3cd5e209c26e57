/** Who got nothing of a batch: who was rejected, and rows of its file that were no recipients. */
import { type BatchRecord, batchText, rejectionsByReason } from "../../messages/batches.ts";
import { DOUBLE, DOUBLE_OF_REFUSED, reasonsTold } from "../../messages/doubles.ts";
import {
  illegibleOf,
  type NewUnreadableRow,
  repeatCount,
  repeatsOf,
  sentAlreadyCount,
  sentAlreadyOf,
  unreadableCount,
  unreadableOf,
} from "../../messages/unreadable-rows.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { batchRejections, type RejectionsPage } from "../../reports/rejections.ts";
import { compileTemplate } from "../../text/template.ts";
import { SHEET_WORDS } from "../sheet-words.ts";
import { type Asked, ownBatch, readsTexts } from "./asked.ts";
import { missedHead, rejectionLines, repeatLines, unreadableLines } from "./left-out-file.ts";
import { type Download, download } from "./route.ts";

/** Rows of one step of the file. */
const STEP = 1000;
/** Rows that a page names. */
const FEW = 20;

type NamedRow = { readonly line: number; readonly cause: string };

/** Rows of a batch's file that were no recipients, and those that repeat a number, in the reader's words. */
export type UnreadableView = {
  readonly unreadable: number;
  /** The first of them. */
  readonly unreadable_rows: readonly NamedRow[];
  /** Rows that an earlier file told as repeats, and that came back as they were. */
  readonly sent_already: number;
  /** The first of all that repeat a number; none where they are not known. */
  readonly repeated_rows: readonly NamedRow[];
};

export function unreadableView(asked: Asked, batchId: number): UnreadableView {
  const { read } = asked.context.store;
  const all = unreadableCount(read, batchId);
  const sent_already = all === 0 ? 0 : sentAlreadyCount(read, batchId);
  const back = sent_already === 0 ? [] : sentAlreadyOf(read, batchId, 0, FEW);
  const repeated = [...repeatsOf(read, batchId, 0, FEW), ...back].sort((a, b) => a.line - b.line);
  const named = (rows: readonly NewUnreadableRow[]) =>
    rows.map(({ line, cause }) => ({ line, cause: asked.inTheirWords(cause) }));
  return {
    ...{ unreadable: all - sent_already, sent_already },
    unreadable_rows: all === 0 ? [] : named(illegibleOf(read, batchId, 0, FEW)),
    repeated_rows: named(repeated.slice(0, FEW)),
  };
}

/** What a text would have been filled in with is for those who read texts. */
function shownTo(asked: Asked, rows: readonly NewUnreadableRow[]): readonly NewUnreadableRow[] {
  return readsTexts(asked) ? rows : rows.map((row) => ({ ...row, attributes: null }));
}

/**
 * Everybody whom a batch left out as a file that a spreadsheet in the reader's language opens, a step at a time. Doubles whose
 * number got the text have a code by which they are known when the file is brought again. Every column that the
 * text asks for is there, so that nothing but its values is to be added.
 */
export async function missedFile(asked: Asked, id: string): Promise<AdminOutcome<Download>> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const { tags } = compileTemplate(batchText(asked.context.store.read, own.value.id));
  const { store, clock } = asked.context;
  const { [DOUBLE]: doubles = 0 } = await rejectionsByReason(store.read, clock, own.value.id);
  // Their rows are kept with all that stood in them, or known as rejections alone.
  const areKept = doubles > 0 && repeatCount(store.read, own.value.id) === doubles;
  const pieces = missedOf(asked, own.value, tags, areKept);
  return done(
    download(
      `${SHEET_WORDS[asked.language].notSent}-${own.value.ulid}.csv`,
      "text/csv; charset=utf-8",
      pieces,
    ),
  );
}

function* missedOf(
  asked: Asked,
  { ulid, id: row }: BatchRecord,
  tags: readonly string[],
  areKept: boolean,
): Generator<string> {
  yield missedHead(asked, tags);
  const { read } = asked.context.store;
  const refused = new Set<string>();
  const toldOf = reasonsTold();
  for (let from: number | null = 0; from !== null; ) {
    const page = batchRejections(asked.context, ulid, from, STEP);
    if (!page.ok) return;
    const { rejections, next_from }: RejectionsPage = page.value;
    const told = rejections.map((rejection) => ({ ...rejection, told: toldOf(rejection) }));
    for (const { told: reason, msisdn } of told) {
      if (reason === DOUBLE_OF_REFUSED && msisdn !== null) refused.add(msisdn);
    }
    yield rejectionLines(
      asked,
      tags,
      told.filter((one) => !areKept || one.reason_code !== DOUBLE),
    );
    from = next_from;
  }
  if (areKept) yield* repeatsOfFile(asked, row, tags, refused);
  for (let from = 0; ; ) {
    const rows: readonly NewUnreadableRow[] = unreadableOf(read, row, from, STEP);
    yield unreadableLines(asked, tags, shownTo(asked, rows));
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}

/** Rows that repeat a number; `refused`: the numbers whose first row got nothing. */
function* repeatsOfFile(
  asked: Asked,
  batch: number,
  tags: readonly string[],
  refused: ReadonlySet<string>,
): Generator<string> {
  for (let from = 0; ; ) {
    const rows = repeatsOf(asked.context.store.read, batch, from, STEP);
    const told = shownTo(asked, rows).map((row) => ({
      ...row,
      told: row.msisdn !== null && refused.has(row.msisdn) ? DOUBLE_OF_REFUSED : DOUBLE,
    }));
    yield repeatLines(asked, tags, told);
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}
