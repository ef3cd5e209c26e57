import { referenceFault } from "../base/reference.ts";
import type { Columns } from "./columns.ts";
import type { Cell, FileRecipient, FileRow } from "./file-row.ts";

/** docs/public-api.md section 8. */
const LONGEST_MSISDN = 32;
const LONGEST_SHOWN = 40;
/** How spreadsheets write long numbers for people to look at: the last digits are lost in a file with only this. */
const SCIENTIFIC = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;
const WITH_DECIMALS = /^\+?\d+[.,]0+$/;
const BLANK: Cell = { text: "" };

/** What a row says, or why it is no recipient. */
export function readRow(
  { cells }: FileRow,
  columns: Columns,
  isNumber: (text: string) => boolean,
): FileRecipient | string {
  const surplus = cells.findLastIndex((cell) => cell.text !== "" || cell.fault !== undefined);
  if (!columns.isHeadless && surplus >= columns.attributes.length) {
    return `it has ${surplus + 1} columns, and the first line names ${columns.attributes.length}`;
  }
  const cell = cells[columns.msisdn] ?? BLANK;
  const msisdn = cell.text.replace(/^'/, "").trim();
  const fault = cell.fault ?? numberFault(msisdn, isNumber);
  if (fault !== null) return fault;
  const attributes = readAttributes(cells, columns);
  if (typeof attributes === "string") return attributes;
  const reference = columns.reference === null ? "" : (cells[columns.reference]?.text ?? "");
  if (reference !== "") {
    const wrong = referenceFault(reference);
    if (wrong !== null) return `client_reference ${wrong}`;
  }
  return {
    msisdn,
    ...(attributes === null ? {} : { attributes }),
    ...(reference === "" ? {} : { client_reference: reference }),
  };
}

function numberFault(msisdn: string, isNumber: (text: string) => boolean): string | null {
  if (msisdn === "") return "it has no number";
  if (SCIENTIFIC.test(msisdn)) {
    return `the spreadsheet wrote ${shown(msisdn)} in place of the number: give the column the format Text, enter the number again and save`;
  }
  if (WITH_DECIMALS.test(msisdn)) {
    return `the number has decimals, ${shown(msisdn)}: give the column the format Text and save again`;
  }
  if (msisdn.length > LONGEST_MSISDN || !isNumber(msisdn)) return `${shown(msisdn)} is not a phone number`;
  return null;
}

/** What is empty is left out: a tag then counts as without a value. */
function readAttributes(
  cells: readonly Cell[],
  { attributes }: Columns,
): Readonly<Record<string, string>> | null | string {
  const values: [string, string][] = [];
  for (const [place, name] of attributes.entries()) {
    const { text, fault } = cells[place] ?? BLANK;
    if (name === null) continue;
    if (fault !== undefined) return `in the column ${JSON.stringify(name)}, ${fault}`;
    if (text.includes("\0") || !text.isWellFormed()) {
      return `the column ${JSON.stringify(name)} holds a character that cannot be sent`;
    }
    if (text !== "") values.push([name, text]);
  }
  return values.length === 0 ? null : Object.fromEntries(values);
}

function shown(text: string): string {
  return text.length > LONGEST_SHOWN
    ? `${JSON.stringify(text.slice(0, LONGEST_SHOWN))}…`
    : JSON.stringify(text);
}
