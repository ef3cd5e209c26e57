/** Compares telephone numbers in the spellings that operators use. */

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
