/** A telephone number that something may be kept about, in whatever way it is written in a text. */
export type NumberMatcher = {
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly occursIn: (text: string) => boolean;
  /** The text with something else in place of the number, wherever it stands. */
  readonly replaceIn: (text: string, by: string) => string;
};

/** A number that is to be erased, E.164 with "+", and the name that stands in its place from then on. */
export type ErasedNumber = { readonly msisdn: string; readonly name: string };

/** What two spellings of one number share: its last eight digits. */
const SHARED = 8;

/** What people and operators write between digits. */
const BETWEEN = "[ .\\u00a0\\u202f-]?";

/**
 * Seeks a number in texts: with its country's code or without, with `+`, `00` or `0` before it, with spaces, points or dashes in it. Digits
 * that go on before or behind it make another number.
 */
export function createNumberMatcher(msisdn: string): NumberMatcher {
  const digits = msisdn.replace(/\D/g, "");
  const shared = [...digits.slice(-SHARED)].join(BETWEEN);
  const before = [...digits.slice(0, -SHARED)];
  // The code of the country may be left out, and of codes with a code of their own the first part.
  const code = before.reduce((outer, digit) => `(?:${outer}${digit}${BETWEEN})?`, "");
  const pattern = `(?<![\\d+])\\+?(?:0{1,2}${BETWEEN})?${code}${shared}(?!\\d)`;
  const [once, all] = [new RegExp(pattern), new RegExp(pattern, "g")];
  return {
    msisdn,
    occursIn: (text) => once.test(text),
    replaceIn: (text, by) => text.replace(all, by),
  };
}
