/** Who got nothing of a batch: who was rejected, and rows of its file that were no recipients. */
import { type BatchRecord, batchWritten } from "../../messages/batches.ts";
import {
  illegibleOf,
  type NewUnreadableRow,
  repeatsOf,
  sentAlreadyCount,
  sentAlreadyOf,
  unreadableCount,
} from "../../messages/unreadable-rows.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { compileTemplate } from "../../text/template.ts";
import { SHEET_WORDS } from "../sheet-words.ts";
import { type Asked, ownBatch } from "./asked.ts";
import { missedHead, missedLines } from "./left-out-file.ts";
import { keepsRepeats, notSentRows } from "./not-sent-rows.ts";
import { type Download, download } from "./route.ts";

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

/**
 * Everybody whom a batch left out as a file that a spreadsheet in the reader's language opens, a step at a time. Doubles whose
 * number got the text have a code by which they are known when the file is brought again. Every column that the
 * text asks for is there, so that nothing but its values is to be added.
 */
export async function missedFile(asked: Asked, id: string): Promise<AdminOutcome<Download>> {
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const { body, otherTags } = batchWritten(asked.context.store.read, own.value.id);
  const { tags } = compileTemplate(body, otherTags);
  // Which numbers were refused before is known of a batch as a whole: it takes as much as all of them.
  const written = await asked.files.spool.write(asked, async () =>
    done(missedOf(asked, own.value, tags, await keepsRepeats(asked, own.value.id))),
  );
  if (!written.ok) return written;
  return done(
    download(
      `${SHEET_WORDS[asked.language].notSent}-${own.value.ulid}.csv`,
      "text/csv; charset=utf-8",
      written.value,
    ),
  );
}

function* missedOf(
  asked: Asked,
  batch: BatchRecord,
  tags: readonly string[],
  areKept: boolean,
): Generator<string> {
  yield missedHead(asked, tags);
  for (const rows of notSentRows(asked, batch, areKept)) yield missedLines(asked, tags, rows);
}
