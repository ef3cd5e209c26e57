/** Who got nothing of a batch: who was rejected, and rows of its file that were no recipients. */
import { batchText } from "../../messages/batches.ts";
import { isMissed, reasonsTold } from "../../messages/doubles.ts";
import { type NewUnreadableRow, unreadableCount, unreadableOf } from "../../messages/unreadable-rows.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { batchRejections, type RejectionsPage } from "../../reports/rejections.ts";
import { compileTemplate } from "../../text/template.ts";
import { type Asked, ownBatch, readsTexts } from "./asked.ts";
import { missedHead, rejectionLines, unreadableLines } from "./left-out-file.ts";
import { type Download, download } from "./route.ts";

/** Rows of one step of the file. */
const STEP = 1000;
/** Rows that a page names. */
const FEW = 20;

/** Rows of a batch's file that were no recipients, in the reader's words. */
export type UnreadableView = {
  readonly unreadable: number;
  /** The first of them. */
  readonly unreadable_rows: readonly { readonly line: number; readonly cause: string }[];
};

export function unreadableView({ context, inTheirWords }: Asked, batchId: number): UnreadableView {
  const { read } = context.store;
  const unreadable = unreadableCount(read, batchId);
  if (unreadable === 0) return { unreadable, unreadable_rows: [] };
  const rows = unreadableOf(read, batchId, 0, FEW);
  return {
    unreadable,
    unreadable_rows: rows.map(({ line, cause }) => ({ line, cause: inTheirWords(cause) })),
  };
}

/**
 * Everybody whom a batch left out as a file that a spreadsheet in the reader's language opens, a step at a time. Without doubles whose
 * number got the text: corrected, the file may be sent again. What a text would have been filled in with is for those who read texts.
 */
export function missedFile(asked: Asked, id: string): AdminOutcome<Download> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const tags = readsTexts(asked)
    ? compileTemplate(batchText(asked.context.store.read, own.value.id)).tags
    : [];
  const pieces = missedOf(asked, own.value.ulid, own.value.id, tags);
  return done(download(`left-out-${own.value.ulid}.csv`, "text/csv; charset=utf-8", pieces));
}

function* missedOf(asked: Asked, id: string, row: number, tags: readonly string[]): Generator<string> {
  yield missedHead(asked, tags);
  const toldOf = reasonsTold();
  for (let from: number | null = 0; from !== null; ) {
    const page = batchRejections(asked.context, id, from, STEP);
    if (!page.ok) return;
    const { rejections, next_from }: RejectionsPage = page.value;
    const told = rejections.map((rejection) => ({ ...rejection, told: toldOf(rejection) }));
    yield rejectionLines(
      asked,
      tags,
      told.filter((one) => isMissed(one.told)),
    );
    from = next_from;
  }
  for (let from = 0; ; ) {
    const rows: readonly NewUnreadableRow[] = unreadableOf(asked.context.store.read, row, from, STEP);
    yield unreadableLines(asked, tags, rows);
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}
