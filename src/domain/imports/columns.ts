import { accepted, type Outcome, refuse } from "../../core/failures.ts";
import { nearest } from "../../core/nearest.ts";
import { toTagName } from "../../core/tag-name.ts";
import { REPLACEMENT_CHARACTER } from "../../core/text-of.ts";
import { type FileRow, MAX_COLUMNS } from "./file-row.ts";

/** Where a file has what. */
export type Columns = {
  readonly msisdn: number;
  /** What the client calls each recipient; null: nothing says. */
  readonly reference: number | null;
  /** Names of attributes by column; null where a column is none. */
  readonly attributes: readonly (string | null)[];
  /** Where a file that was taken away has the id of each row, and by a code why it got nothing; null in any other. */
  readonly rowId: number | null;
  readonly code: number | null;
  /** Whether the first row is a recipient already. */
  readonly isHeadless: boolean;
};

/** How people head the column of numbers, without case, accents, spaces and signs. */
const NUMBER_NAMES: readonly string[] = [
  ...["msisdn", "numero", "numerotelephone", "numerodetelephone", "numeromobile", "telephone", "tel"],
  ...["telephonemobile", "telmobile", "mobile", "portable", "gsm", "contact", "destinataire", "num"],
  ...["number", "phone", "phonenumber", "mobilenumber", "mobilephone", "cell", "cellphone", "cellular"],
  ...["recipient", "to", "whatsapp"],
];
/** What the columns are called, in any language, of the id of a row that got nothing and of its code, in files that are brought again. */
export const ROW_ID_COLUMN = "bendre_row";
export const CODE_COLUMN = "reason_code";

/** What the column is called of what the client calls each recipient. */
export const REFERENCE_COLUMN = "client_reference";
const MAX_SHOWN = 10;
/** Digits that a number has at least, where a file without names is guessed at. */
const LIKE_A_NUMBER = /^'?\+?[\d\s().-]{8,20}$/;

/**
 * Finds the columns by the first row. The numbers are in the one that `wanted` names, or whose place it is, else in the one with a
 * usual French or English name, of which there may be one. A first row that has a number and no such name is a recipient already: then there are
 * no attributes.
 */
export function columnsOf(
  { line, cells }: FileRow,
  wanted: string | number | null,
): Outcome<Columns, "INVALID_FILE"> {
  if (cells.length > MAX_COLUMNS) {
    return refuse("INVALID_FILE.columns", { most: MAX_COLUMNS });
  }
  const heads = cells.map(({ text }) => text);
  const names = heads.map(bare);
  const headless = headlessPlace(heads, names, wanted);
  if (headless !== null) {
    return accepted({
      msisdn: headless,
      reference: null,
      rowId: null,
      code: null,
      attributes: [],
      isHeadless: true,
    });
  }
  const lost = heads.findIndex((head) => head.includes(REPLACEMENT_CHARACTER));
  if (lost >= 0) {
    const name = (heads[lost] ?? "").slice(0, 40);
    return refuse("INVALID_FILE.column_lost", { line, column: lost + 1, name });
  }
  const found = placesOf(names, wanted);
  const [msisdn] = found;
  if (msisdn === undefined) return noColumn(heads, wanted);
  if (found.length > 1) {
    const columns = found.map((place) => JSON.stringify(heads[place])).join(", ");
    return refuse("INVALID_FILE.column_which", { columns });
  }
  const rowId = placeOf(heads, ROW_ID_COLUMN);
  const reference = placeOf(names, bare(REFERENCE_COLUMN));
  // What was put before a file that comes back fills in no text.
  const isAdded = (place: number): boolean => rowId !== null && place <= (rowId < msisdn ? rowId : -1);
  const attributes = heads.map((head, place) =>
    place === msisdn || place === reference || place === rowId || head === "" || isAdded(place)
      ? null
      : toTagName(head),
  );
  const twice = attributes.find((name, place) => name !== null && attributes.indexOf(name) < place) ?? null;
  if (twice !== null) {
    return refuse("INVALID_FILE.column_twice", { name: twice });
  }
  return accepted({
    msisdn,
    reference,
    rowId,
    code: rowId === null ? null : placeOf(heads, CODE_COLUMN),
    attributes,
    isHeadless: false,
  });
}

function placeOf(heads: readonly string[], name: string): number | null {
  const place = heads.indexOf(name);
  return place < 0 ? null : place;
}

function bare(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Where the numbers are in a file whose first row is a recipient already; null where it holds names. */
function headlessPlace(
  heads: readonly string[],
  names: readonly string[],
  wanted: string | number | null,
): number | null {
  if (typeof wanted === "number") return LIKE_A_NUMBER.test(heads[wanted] ?? "") ? wanted : null;
  if (wanted !== null || usual(names).length > 0) return null;
  const place = heads.findIndex((head) => LIKE_A_NUMBER.test(head));
  return place < 0 ? null : place;
}

function placesOf(names: readonly string[], wanted: string | number | null): number[] {
  if (typeof wanted === "number") return wanted < names.length ? [wanted] : [];
  return wanted === null ? usual(names) : places(names, (name) => name === bare(wanted));
}

function usual(names: readonly string[]): number[] {
  const best = names.indexOf("msisdn");
  return best >= 0 ? [best] : places(names, (name) => NUMBER_NAMES.includes(name));
}

function places(names: readonly string[], isIt: (name: string) => boolean): number[] {
  return names.flatMap((name, place) => (isIt(name) ? [place] : []));
}

function noColumn(heads: readonly string[], wanted: string | number | null) {
  const there = heads.filter((head) => head !== "");
  const shown = there.slice(0, MAX_SHOWN).map((head) => JSON.stringify(head.slice(0, 40)));
  const columns = shown.join(", ");
  if (typeof wanted !== "string") {
    return shown.length === 0
      ? refuse("INVALID_FILE.columnless")
      : refuse("INVALID_FILE.column_unnamed", { columns });
  }
  if (shown.length === 0) return refuse("INVALID_FILE.column_unknown_none", { name: wanted });
  const meant = nearest(wanted, there);
  return meant === null
    ? refuse("INVALID_FILE.column_unknown", { name: wanted, columns })
    : refuse("INVALID_FILE.column_near", { name: wanted, columns, meant });
}
