/** Files of who got nothing, as a spreadsheet in the reader's language opens them. */
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import { ownValue } from "../../base/own-value.ts";
import { msisdnReader } from "../../operations/msisdn.ts";
import { LEFT_OUT_HEADS as ADDED, PLACE_HEADS, REFERENCE_HEADS } from "../../recipients/columns.ts";
import type { LeftOutRows } from "../../recipients/left-out-rows.ts";
import type { NotSentRow } from "./not-sent-rows.ts";
import { codeIn, type WhyReader, whyOf } from "./why-not-sent.ts";

/** What the column of numbers is called where a file names no columns: it is found by that when it is brought again. */
const NUMBER = { en: "number", fr: "numéro" } as const;
const COLUMN = { en: "column", fr: "colonne" } as const;

const STEP = 1000;

/** Rows of a file that nothing is sent for, with all of their columns. What an earlier file of this kind added is left out. */
export function* leftOutLines(reader: WhyReader, { headings, msisdn, rows }: LeftOutRows): Generator<string> {
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

/** Before the number and what the text asks for, in a file of who got nothing of a batch. */
const OF_BATCH = {
  en: [PLACE_HEADS.en, ...ADDED.en],
  fr: [PLACE_HEADS.fr, ...ADDED.fr],
} as const;
/** The head of a file of who got nothing of a batch. `tags`: what its text asks for. */
export function missedHead({ language }: WhyReader, tags: readonly string[]): string {
  return sheetHead(language, [[...OF_BATCH[language], NUMBER[language], ...tags, REFERENCE_HEADS[language]]]);
}

/** Rows that nothing was sent for, as lines of that file. */
export function missedLines(
  { language }: WhyReader,
  tags: readonly string[],
  rows: readonly NotSentRow[],
): string {
  const lines = rows.map(({ index, line, code, why, written, values, client_reference: reference }) => [
    ...[index ?? "", line ?? "", codeIn(language, code), why, written],
    ...[...tags.map((tag) => ownValue(values ?? {}, tag) ?? ""), reference],
  ]);
  return sheetLines(language, lines);
}
