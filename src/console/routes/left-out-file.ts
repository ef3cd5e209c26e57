/** Files of who got nothing, as a spreadsheet in the reader's language opens them. */
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import type { RejectionObject } from "../../messages/batches.ts";
import { DOUBLE, DOUBLE_OF_REFUSED } from "../../messages/doubles.ts";
import type { NewUnreadableRow } from "../../messages/unreadable-rows.ts";
import { msisdnReader, notServed } from "../../operations/msisdn.ts";
import { LEFT_OUT_HEADS as ADDED, PLACE_HEADS } from "../../recipients/columns.ts";
import type { LeftOutRows } from "../../recipients/left-out-rows.ts";
import { REPEATS_A_NUMBER } from "../../recipients/read-row.ts";
import { type Repeat, repeatCause } from "../../recipients/repeats.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import type { Asked } from "./asked.ts";

type Reader = Pick<Asked, "language" | "inTheirWords" | "context">;

/** What the column of numbers is called where a file names no columns: it is found by that when it is brought again. */
const NUMBER = { en: "number", fr: "numéro" } as const;
const COLUMN = { en: "column", fr: "colonne" } as const;

const STEP = 1000;
const UNSERVED = "UNROUTABLE_PREFIX";

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
  const read = msisdnReader(reader.context.config);
  yield sheetHead(language, [[...ADDED[language], ...kept(names)]]);
  for (let at = 0; at < rows.length; at += STEP) {
    const lines = rows
      .slice(at, at + STEP)
      .map(({ cells, ...row }) => [
        ...[row.line, ...whyOf(reader, row, read(cells[msisdn] ?? ""))],
        ...kept(cells),
      ]);
    yield sheetLines(language, lines);
  }
}

/** A code, and the same as a sentence. */
function whyOf(
  reader: Reader,
  { cause, reason, repeat }: Pick<LeftOutRows["rows"][number], "cause" | "reason" | "repeat">,
  msisdn: string | null,
): readonly string[] {
  if (cause !== null) return [codeOf(cause), reader.inTheirWords(cause)];
  if (reason === null) return ["", ""];
  const isDouble = reason === DOUBLE || reason === DOUBLE_OF_REFUSED;
  if (!isDouble || repeat === null) return [reason, refusalWord(reader, reason, msisdn)];
  return [reason, repeatWord(reader, reason, causeWithValues(repeat))];
}

/** Why nothing is sent to a number, as far as the number says more than the code. */
function refusalWord(
  { language, inTheirWords, context }: Reader,
  reason: string,
  msisdn: string | null,
): string {
  const own = reason === UNSERVED && msisdn !== null ? notServed(context.config, msisdn) : null;
  return own === null ? rejectionWord(language, reason) : inTheirWords(own);
}

/** A row that was taken out because its number gets the text keeps its code, however often the file is brought again. */
function codeOf(cause: string): string {
  return cause.startsWith(REPEATS_A_NUMBER) ? DOUBLE : UNREADABLE;
}

function causeWithValues(repeat: Repeat): string {
  return repeatCause(repeat, ({ column, first }) => `${column} (${first})`);
}

/** Which row a double repeats; where that one gets nothing either, so much is said first. */
function repeatWord(
  { language, inTheirWords }: Pick<Reader, "language" | "inTheirWords">,
  told: string,
  cause: string,
): string {
  const named = inTheirWords(cause);
  return told === DOUBLE ? named : `${rejectionWord(language, told)} (${named})`;
}

function rejectionWord(language: Reader["language"], reason: string): string {
  const words: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  return words[reason] ?? reason;
}

/** Before the number and what the text asks for, in a file of who got nothing of a batch. */
const OF_BATCH = {
  en: [PLACE_HEADS.en, ...ADDED.en],
  fr: [PLACE_HEADS.fr, ...ADDED.fr],
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
  reader: Reader,
  tags: readonly string[],
  rejections: readonly MissedRecipient[],
): string {
  const lines = rejections.map(({ index, msisdn, told, client_reference: reference }) => [
    ...[index, "", told, refusalWord(reader, told, msisdn), msisdn],
    ...[...tags.map(() => ""), reference],
  ]);
  return sheetLines(reader.language, lines);
}

/** Rows of its file that were no recipients, as lines of that file. */
export function unreadableLines(
  reader: Reader,
  tags: readonly string[],
  rows: readonly NewUnreadableRow[],
): string {
  const lines = rows.map(({ line, written, cause, attributes, client_reference: reference }) => [
    ...["", line, codeOf(cause), unreadableWord(reader, cause), written],
    ...[...tags.map((tag) => attributes?.[tag] ?? ""), reference],
  ]);
  return sheetLines(reader.language, lines);
}

type ToldRepeat = NewUnreadableRow & { readonly told: string };

/** Rows of its file that repeat a number, as lines of that file: which row they repeat, and what stood in them. */
export function repeatLines(reader: Reader, tags: readonly string[], rows: readonly ToldRepeat[]): string {
  const lines = rows.map(({ line, written, cause, told, attributes, client_reference: reference }) => [
    ...["", line, told, repeatWord(reader, told, cause), written],
    ...[...tags.map((tag) => attributes?.[tag] ?? ""), reference],
  ]);
  return sheetLines(reader.language, lines);
}

function unreadableWord({ language, inTheirWords }: Reader, cause: string): string {
  return cause === "" ? rejectionWord(language, UNREADABLE) : inTheirWords(cause);
}
