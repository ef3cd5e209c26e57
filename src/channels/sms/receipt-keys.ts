/**
 * By what receipts are looked up: the forms in which operators write a message id, with which of them an operator's receipts
 * have shown so far, and the spellings of a telephone number.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { readFamilies } from "../../domain/messages/operator-codes.ts";

const DECIMAL = /^\d+$/;
const HEXADECIMAL = /^[\da-f]+$/;
/** The longest id that is read as a number: 64 bits and some room. A UUID without its hyphens is a name. */
const MAX_NUMBER_LENGTH = 20;

/**
 * How a receipt's id relates to the one in the response: exactly equal; different in case, padding or spacing;
 * the decimal of what the response gave in hexadecimal; or the hexadecimal of what it gave in decimal.
 */
const ID_FORMATS = ["exact", "padded", "decimal", "hexadecimal"] as const;

export type IdFormat = (typeof ID_FORMATS)[number];

/** A canonical id under which the message of a receipt may be stored, and the form the receipt's id has then. */
export type IdCandidate = { readonly form: Exclude<IdFormat, "exact">; readonly key: string };

/**
 * The form under which an operator's message id is indexed: trimmed, lower case, no leading zeros
 * (docs/behaviour.md#ids-of-operators).
 */
export function canonicalId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^[0\s]+(?=.)/, "");
}

/** The form under which an id is indexed that an SMSC account gave to a segment which has the same id from another account. */
export function keyOfAccount(key: string, account: string): string {
  return `${key} @${account}`;
}

/**
 * The canonical ids under which the message of a receipt may be stored, likeliest first: as received, and read in the
 * other base, because some operators answer in hexadecimal and report in decimal, or the reverse. An id that is all
 * digits may be either; one with letters a to f can only be hexadecimal.
 */
export function toIdCandidates(id: string): IdCandidate[] {
  const canonical = canonicalId(id);
  const readings: IdCandidate[] = [{ form: "padded", key: canonical }];
  if (canonical.length > MAX_NUMBER_LENGTH) return readings;
  const add = (form: IdCandidate["form"], key: string) => {
    if (!readings.some((known) => known.key === key)) readings.push({ form, key });
  };
  if (DECIMAL.test(canonical)) add("decimal", BigInt(canonical).toString(16));
  if (HEXADECIMAL.test(canonical)) add("hexadecimal", BigInt(`0x${canonical}`).toString(10));
  return readings;
}

/** The canonical ids of `toIdCandidates`: also those that receipts of the message with this id may be stored under. */
export function candidateIds(id: string): string[] {
  return toIdCandidates(id).map(({ key }) => key);
}

/** How often each form of an id was the right one, per operator. An operator without a row writes ids as its responses do. */
type FormatEvidence = ReadonlyMap<IdFormat, number>;

type FormRow = { readonly form: IdFormat; readonly matches: number };

const HAS_ANY = "SELECT 1 FROM receipt_id_forms WHERE operator = ? LIMIT 1";

/**
 * The forms that receipts of a family have shown; read with each receipt. Most families have shown nothing, which is cached
 * until something is written.
 */
export function readFormatEvidence(read: Reader, operators: readonly string[]): FormatEvidence {
  const evidence = new Map<IdFormat, number>();
  for (const operator of operators) {
    if (read.known(HAS_ANY, operator) === null) continue;
    const rows = read.all<FormRow>("SELECT form, matches FROM receipt_id_forms WHERE operator = ?", operator);
    for (const { form, matches } of rows) evidence.set(form, (evidence.get(form) ?? 0) + matches);
  }
  return evidence;
}

/** Counts a receipt whose id could be read in one form only. */
export function countIdFormat(tx: Tx, operator: string, form: IdFormat): void {
  tx.run(
    `INSERT INTO receipt_id_forms (operator, form, matches) VALUES (?, ?, 1)
     ON CONFLICT (operator, form) DO UPDATE SET matches = matches + 1`,
    operator,
    form,
  );
}

/** This many receipts of one form, and nine in ten of all, make it an operator's. */
const MIN_MATCHES = 10;
const MIN_IN_TEN = 9;

/** The form in which an operator writes ids, once its receipts have shown one that is not the exact one. Pure. */
export function deriveIdFormat(evidence: FormatEvidence): IdFormat | null {
  let total = 0;
  let best: IdFormat | null = null;
  for (const [form, matches] of evidence) {
    total += matches;
    if (best === null || matches > (evidence.get(best) ?? 0)) best = form;
  }
  if (best === null) return null;
  const matches = evidence.get(best) ?? 0;
  return matches >= MIN_MATCHES && matches * 10 >= total * MIN_IN_TEN ? best : null;
}

/** The learnt form of an operator's family; null when it has none. */
export function readIdFormat(read: Reader, operator: string): IdFormat | null {
  return deriveIdFormat(readFormatEvidence(read, readFamilies(read).get(operator) ?? [operator]));
}

// Compares telephone numbers in the spellings that operators use.

/** The key that all spellings of one number share: its last eight digits, or null where there are fewer. */
export function numberKey(number: string): string | null {
  const digits = ONLY_DIGITS.test(number) ? number : number.replace(/\D/g, "");
  return digits.length < SIGNIFICANT ? null : digits.slice(-SIGNIFICANT);
}

const ONLY_DIGITS = /^\d*$/;
const SIGNIFICANT = 8;

/**
 * Whether a spelling may be this number, which is E.164 with "+": operators write the national form, `00` or no `+` as
 * they like.
 */
export function numbersAgree(msisdn: string, spelling: string): boolean {
  const key = numberKey(spelling);
  return key !== null && msisdn.endsWith(key);
}

/** Digits with the separators that people and operators write between them. */
const SPELT = /^\+?[\d .-]+$/;

/**
 * The numbers that a spelling of an operator may stand for, likeliest first: as it is written, as an international
 * one, and as a national one. Operators confuse the two types of number, and write `00` and `0` before both.
 */
export function toSpellings(written: string): readonly string[] {
  if (!SPELT.test(written)) return [written];
  const digits = written.replace(/\D/g, "");
  const bare = digits.replace(/^0+/, "");
  return [...new Set([written, `+${bare}`, digits, bare])];
}
