/** Files of who got nothing, as a spreadsheet in the reader's language opens them. */
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import type { RejectionObject } from "../../messages/batches.ts";
import type { NewUnreadableRow } from "../../messages/unreadable-rows.ts";
import type { LeftOutRows } from "../../recipients/left-out-rows.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import type { Asked } from "./asked.ts";

type Reader = Pick<Asked, "language" | "inTheirWords">;

/** What is put before the columns of a file: no column that people have is called so. */
const ADDED = {
  en: ["Line in the file", "Reason code", "Why it was left out"],
  fr: ["Ligne du fichier", "Code du motif", "Motif du refus"],
} as const;
/** What the column of numbers is called where a file names no columns: it is found by that when it is brought again. */
const NUMBER = { en: "number", fr: "numéro" } as const;
const COLUMN = { en: "column", fr: "colonne" } as const;

const STEP = 1000;

/** Rows of a file that nothing is sent for, with all of their columns. What an earlier file of this kind added is left out. */
export function* leftOutLines(reader: Reader, { headings, msisdn, rows }: LeftOutRows): Generator<string> {
  const { language } = reader;
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const own: readonly string[] = [...OF_BATCH.en, ...OF_BATCH.fr];
  const kept = (cells: readonly string[]) =>
    cells.filter((_, place) => !own.includes(headings?.[place] ?? ""));
  const names =
    headings ??
    Array.from({ length: width }, (_, place) =>
      place === msisdn ? NUMBER[language] : `${COLUMN[language]} ${place + 1}`,
    );
  yield sheetHead(language, [[...ADDED[language], ...kept(names)]]);
  for (let at = 0; at < rows.length; at += STEP) {
    const lines = rows
      .slice(at, at + STEP)
      .map(({ line, cells, cause, reason }) => [line, ...whyOf(reader, cause, reason), ...kept(cells)]);
    yield sheetLines(language, lines);
  }
}

/** A code, and the same as a sentence. */
function whyOf(
  { language, inTheirWords }: Reader,
  cause: string | null,
  reason: string | null,
): readonly string[] {
  if (cause !== null) return [UNREADABLE, inTheirWords(cause)];
  return reason === null ? ["", ""] : [reason, rejectionWord(language, reason)];
}

function rejectionWord(language: Reader["language"], reason: string): string {
  const words: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  return words[reason] ?? reason;
}

/** Before the number and what the text asks for, in a file of who got nothing of a batch. */
const OF_BATCH = {
  en: ["Place in the batch", ...ADDED.en],
  fr: ["Place dans le lot", ...ADDED.fr],
} as const;
/** By this name it is found when the file is brought again. */
const REFERENCE = "client_reference";

/** The head of a file of who got nothing of a batch. `tags`: what its text asks for. */
export function missedHead({ language }: Reader, tags: readonly string[]): string {
  return sheetHead(language, [[...OF_BATCH[language], NUMBER[language], ...tags, REFERENCE]]);
}

type MissedRecipient = RejectionObject & { readonly told: string };

/** Rejected recipients as lines of that file. What they would have been sent is kept nowhere. */
export function rejectionLines(
  { language }: Reader,
  tags: readonly string[],
  rejections: readonly MissedRecipient[],
): string {
  const lines = rejections.map(({ index, msisdn, told, client_reference: reference }) => [
    ...[index, "", told, rejectionWord(language, told), msisdn],
    ...[...tags.map(() => ""), reference],
  ]);
  return sheetLines(language, lines);
}

/** Rows of its file that were no recipients, as lines of that file. */
export function unreadableLines(
  reader: Reader,
  tags: readonly string[],
  rows: readonly NewUnreadableRow[],
): string {
  const lines = rows.map(({ line, written, cause, attributes, client_reference: reference }) => [
    ...["", line, UNREADABLE, unreadableWord(reader, cause), written],
    ...[...tags.map((tag) => attributes?.[tag] ?? ""), reference],
  ]);
  return sheetLines(reader.language, lines);
}

function unreadableWord({ language, inTheirWords }: Reader, cause: string): string {
  return cause === "" ? rejectionWord(language, UNREADABLE) : inTheirWords(cause);
}
