/** Files of who got nothing, as a spreadsheet in the reader's language opens them. */
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import type { RejectionObject } from "../../messages/batches.ts";
import type { LeftOutRows } from "../../recipients/left-out-rows.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import type { Asked } from "./asked.ts";

type Reader = Pick<Asked, "language" | "inTheirWords">;

/** What is put before the columns of a file: no column that people have is called so. */
const ADDED = {
  en: ["Line in the file", "Reason code", "Why it was left out"],
  fr: ["Ligne du fichier", "Code du motif", "Motif du refus"],
} as const;
/** Of a row that cannot be read. */
const UNREADABLE = "UNREADABLE_ROW";
/** What the column of numbers is called where a file names no columns: it is found by that when it is brought again. */
const NUMBER = { en: "number", fr: "numéro" } as const;
const COLUMN = { en: "column", fr: "colonne" } as const;

const STEP = 1000;

/** Rows of a file that nothing is sent for, with all of their columns. What an earlier file of this kind added is left out. */
export function* leftOutLines(reader: Reader, { headings, msisdn, rows }: LeftOutRows): Generator<string> {
  const { language } = reader;
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const own: readonly string[] = [...ADDED.en, ...ADDED.fr];
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

const REJECTION_COLUMNS = {
  en: ["index", "msisdn", "reason_code", "reason", "client_reference"],
  fr: ["index", "numéro", "code_du_motif", "motif", "référence"],
} as const;

/** The head of a file of the rejected recipients of a batch. */
export function rejectionHead({ language }: Reader): string {
  return sheetHead(language, [REJECTION_COLUMNS[language]]);
}

/** Rejected recipients of a batch as lines of that file. */
export function rejectionLines({ language }: Reader, rejections: readonly RejectionObject[]): string {
  return sheetLines(
    language,
    rejections.map(({ index, msisdn, reason_code: code, client_reference: reference }) => [
      index,
      msisdn,
      code,
      rejectionWord(language, code),
      reference,
    ]),
  );
}
