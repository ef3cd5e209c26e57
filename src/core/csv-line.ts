/**
 * Lines of separated values (RFC 4180) that a spreadsheet opens without running anything: the one writer of such files. Whichever of
 * comma, semicolon and tab the spreadsheet goes by, no cell of it begins with a formula: quotes protect a cell only where its own
 * separator rules, so that inside of a text an apostrophe stands before what would begin one.
 */

/** What a spreadsheet begins a formula with, in wide characters too (OWASP, CSV injection). */
const FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20";
const BEGINS_FORMULA = /^(?:[\t\r\n]|\s{0,64}[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** What may stand before a cell where another separator rules; with apostrophes, so that one more can be told from them. */
const BEFORE_CELL = { ",": /[;\t\r\n][\s"]*'*/g, ";": /[,\t\r\n][\s"]*'*/g } as const;
const BEFORE_ANY_CELL = /[,;\t\r\n][\s"]*'*/g;

type Separator = keyof typeof BEFORE_CELL;

/** One value of a line for programs, which commas separate. */
export function toCsvField(value: unknown): string {
  return fieldOf(value, ",");
}

function fieldOf(value: unknown, separator: Separator): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const safe = guarded(typeof value === "string" ? value : JSON.stringify(value), separator);
  const isQuoted = safe.includes(separator) || /["\r\n]/.test(safe);
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function guarded(text: string, separator: Separator): string {
  const inside = text.replace(BEFORE_CELL[separator], (before, at: number) =>
    beginsFormula(text, at + before.length) ? `${before}'` : before,
  );
  return BEGINS_FORMULA.test(inside) ? `'${inside}` : inside;
}

/** A text of a file that was written here, without the apostrophes that were put inside of it. */
export function unguardFormula(text: string): string {
  return text.replace(BEFORE_ANY_CELL, (before, at: number) =>
    before.endsWith("'") && beginsFormula(text, at + before.length) ? before.slice(0, -1) : before,
  );
}

function beginsFormula(text: string, at: number): boolean {
  return at < text.length && FORMULA.includes(text[at] ?? "");
}

/** With it at the beginning of a file, spreadsheets read the accents. */
const BYTE_ORDER_MARK = "\ufeff";
/** What a spreadsheet takes for a quantity, and drops the zeros or shortens it: a phone number, most often. */
const EATEN = /^(?:0\d+|\d{12,})$/;

/** What a person's spreadsheet opens by a double click: in French semicolons stand between values, for the comma is in numbers. */
export type SheetLanguage = "fr" | "en";

/** The first lines of such a file. */
export function renderSheetHead(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  return BYTE_ORDER_MARK + renderSheetLines(language, rows);
}

/** More lines of it. Digits that a spreadsheet would change get an apostrophe, which is the mark of a text; French fractions a comma. */
export function renderSheetLines(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  const separator = language === "fr" ? ";" : ",";
  const field = (value: unknown) => {
    if (typeof value === "string" && EATEN.test(value)) return `'${value}`;
    return typeof value === "number" && language === "fr"
      ? String(value).replace(".", ",")
      : fieldOf(value, separator);
  };
  return rows.map((row) => `${row.map(field).join(separator)}\r\n`).join("");
}
