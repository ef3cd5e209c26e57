/** Lines of comma-separated values (RFC 4180) that a spreadsheet opens without running anything. */

/** What begins a cell where a French spreadsheet takes lines apart that are meant for programs, and would be a formula there. */
const FORMULA_AFTER_ANOTHER_SEPARATOR = /(?=[=+\-@])(?<=[;\t][\s"]*)/g;

/** One value of a line for programs; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvField(value: unknown): string {
  return fieldOf(value, ",", (text) => text.replace(FORMULA_AFTER_ANOTHER_SEPARATOR, "'"));
}

function fieldOf(value: unknown, separator: string, guarded = (text: string) => text): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = guarded(typeof value === "string" ? value : JSON.stringify(value));
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  const isQuoted = safe.includes(separator) || /["\r\n]/.test(safe);
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With it at the beginning of a file, spreadsheets read the accents. */
const BYTE_ORDER_MARK = "\ufeff";
/** What a spreadsheet takes for a quantity, and drops the zeros or shortens it: a phone number, most often. */
const EATEN = /^(?:0\d+|\d{12,})$/;

/** What a person's spreadsheet opens by a double click: in French semicolons stand between values, for the comma is in numbers. */
export type SheetLanguage = "fr" | "en";

/** The first lines of such a file. */
export function sheetHead(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  return BYTE_ORDER_MARK + sheetLines(language, rows);
}

/** More lines of it. Digits that a spreadsheet would change get an apostrophe, which is the mark of a text; French fractions a comma. */
export function sheetLines(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  const separator = language === "fr" ? ";" : ",";
  const field = (value: unknown) => {
    if (typeof value === "string" && EATEN.test(value)) return `'${value}`;
    return typeof value === "number" && language === "fr"
      ? String(value).replace(".", ",")
      : fieldOf(value, separator);
  };
  return rows.map((row) => `${row.map(field).join(separator)}\r\n`).join("");
}
