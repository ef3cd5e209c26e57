/** A telephone number that something may be stored about, in whatever way it is written in a text. */
export type NumberMatcher = {
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly occursIn: (text: string) => boolean;
  /** The text with the number replaced, wherever it occurs. */
  readonly replaceIn: (text: string, by: string) => string;
};

/** A number that is to be erased, E.164 with "+", and the pseudonym that replaces it. */
export type ErasedNumber = { readonly msisdn: string; readonly name: string };

/** What two spellings of one number share: its last eight digits. */
const SHARED = 8;

/** What people and operators write between digits. */
const BETWEEN = "[ .\\u00a0\\u202f-]?";

/**
 * Searches texts for a number: with its country's code or without, with `+`, `00` or `0` before it, with spaces, points or dashes
 * in it. Digits directly before or after it make another number.
 */
export function createNumberMatcher(msisdn: string): NumberMatcher {
  const digits = msisdn.replace(/\D/g, "");
  const shared = [...digits.slice(-SHARED)].join(BETWEEN);
  const before = [...digits.slice(0, -SHARED)];
  // The country code may be left out, and of codes with a code of their own the first part.
  const code = before.reduce((outer, digit) => `(?:${outer}${digit}${BETWEEN})?`, "");
  const pattern = `(?<![\\d+])\\+?(?:0{1,2}${BETWEEN})?${code}${shared}(?!\\d)`;
  const [once, all] = [new RegExp(pattern), new RegExp(pattern, "g")];
  return {
    msisdn,
    occursIn: (text) => once.test(text),
    replaceIn: (text, by) => text.replace(all, by),
  };
}
