import { accepted, type Outcome, refused } from "../base/failures.ts";
import { nearest } from "../base/nearest.ts";
import { tagNameOf } from "../base/tag-name.ts";
import { LOST } from "../base/text-of.ts";
import { type FileRow, MOST_COLUMNS } from "./file-row.ts";

/** Where a file has what. */
export type Columns = {
  readonly msisdn: number;
  /** What the client calls each recipient; null: nothing says. */
  readonly reference: number | null;
  /** Names of attributes by column; null where a column is none. */
  readonly attributes: readonly (string | null)[];
  /** Where a file that was taken away says by a code why each row got nothing; null in any other. */
  readonly code: number | null;
  /** Whether it was taken away from a batch, and not from a file that nothing was sent to yet. */
  readonly isOfBatch: boolean;
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
/** What is put before the columns of a file of rows that got nothing, in either language; by this it is known when it is brought again. */
export const LEFT_OUT_HEADS = {
  en: ["Line in the file", "Reason code", "Why it was not sent"],
  fr: ["Ligne du fichier", "Code du motif", "Motif du non-envoi"],
} as const;

/** What stands before them in the file of a batch. */
export const PLACE_HEADS = { en: "Place in the batch", fr: "Place dans le lot" } as const;
/** What the column of what the client calls each recipient is called there: in such a file it is known by that too. */
export const REFERENCE_HEADS = { en: "Your reference", fr: "Votre référence" } as const;

/** What stands in the column of the code in a row that repeats a number which gets the text. */
export const SENT_ALREADY_CODES = { en: "DUPLICATE_IN_BATCH", fr: "DOUBLON" } as const;

const ADDED_HEADS: ReadonlySet<string> = new Set([
  ...Object.values(LEFT_OUT_HEADS).flat(),
  ...Object.values(PLACE_HEADS),
]);

const NO_FILE_OF_OURS = { code: null, isOfBatch: false } as const;

const REFERENCE_NAME = "clientreference";
const MOST_SHOWN = 10;
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
  if (cells.length > MOST_COLUMNS) {
    return refused(
      "INVALID_FILE",
      `the file has more than ${MOST_COLUMNS} columns: leave out what is not needed`,
    );
  }
  const heads = cells.map(({ text }) => text);
  const names = heads.map(bare);
  const headless = headlessPlace(heads, names, wanted);
  if (headless !== null) {
    return accepted({
      msisdn: headless,
      reference: null,
      ...NO_FILE_OF_OURS,
      attributes: [],
      isHeadless: true,
    });
  }
  const lost = heads.findIndex((head) => head.includes(LOST));
  if (lost >= 0) {
    return refused(
      "INVALID_FILE",
      `line ${line}: the name of column ${lost + 1}, ${JSON.stringify((heads[lost] ?? "").slice(0, 40))}, holds a character that cannot be read: write it anew and save the file as UTF-8`,
    );
  }
  const found = placesOf(names, wanted);
  const [msisdn] = found;
  if (msisdn === undefined) return noColumn(heads, wanted);
  if (found.length > 1) {
    const which = found.map((place) => JSON.stringify(heads[place])).join(", ");
    return refused("INVALID_FILE", `several columns may hold the numbers: say --column with one of ${which}`);
  }
  const code = codePlace(heads);
  const reference = referencePlace(heads, names, code !== null);
  // What we added to a file that comes back fills in no text.
  const isOurs = (head: string): boolean => code !== null && ADDED_HEADS.has(head);
  const attributes = heads.map((head, place) =>
    place === msisdn || place === reference || head === "" || isOurs(head) ? null : tagNameOf(head),
  );
  const twice = attributes.find((name, place) => name !== null && attributes.indexOf(name) < place);
  if (twice !== undefined) {
    return refused("INVALID_FILE", `two columns are called ${JSON.stringify(twice)}: rename one of them`);
  }
  return accepted({
    ...{ msisdn, reference: reference < 0 ? null : reference, code },
    isOfBatch: code !== null && heads.some((head) => head === PLACE_HEADS.en || head === PLACE_HEADS.fr),
    ...{ attributes, isHeadless: false },
  });
}

/** The code stands behind the line: a column that people call so by themselves does not. */
function codePlace(heads: readonly string[]): number | null {
  for (const [line, code] of Object.values(LEFT_OUT_HEADS)) {
    const place = heads.indexOf(code);
    if (place > 0 && heads[place - 1] === line) return place;
  }
  return null;
}

/** By the name that programs give it; in a file of ours by the one that people read there. */
function referencePlace(heads: readonly string[], names: readonly string[], isOurs: boolean): number {
  const place = names.indexOf(REFERENCE_NAME);
  if (place >= 0 || !isOurs) return place;
  return heads.findIndex((head) => head === REFERENCE_HEADS.en || head === REFERENCE_HEADS.fr);
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
  const shown = there.slice(0, MOST_SHOWN).map((head) => JSON.stringify(head.slice(0, 40)));
  const columns = shown.length === 0 ? "none" : shown.join(", ");
  if (typeof wanted !== "string") {
    return refused(
      "INVALID_FILE",
      `no column of the first line is called msisdn, numero or phone: say which holds the numbers with --column; there are ${columns}`,
    );
  }
  const near = nearest(wanted, there);
  const meant = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return refused(
    "INVALID_FILE",
    `no column is called ${JSON.stringify(wanted)}: there are ${columns}${meant}`,
  );
}
