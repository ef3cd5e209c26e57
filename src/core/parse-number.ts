/** Parses numbers from texts that others wrote. `Number` alone takes "" and " " for 0, "0x1F" for 31 and "1e3" for 1000. */

const WHOLE = /^\d{1,16}$/;
/** As xsd:double writes them, but for infinities; no program writes more characters of one. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const MAX_DECIMAL_CHARACTERS = 64;

/** A whole number from 0 in digits alone; null for any other text, and beyond `most`. */
export function parseWhole(text: string | null | undefined, most = Number.MAX_SAFE_INTEGER): number | null {
  if (text === null || text === undefined || !WHOLE.test(text)) return null;
  const number = Number(text);
  return number <= most ? number : null;
}

/** A number with or without a sign, decimals and an exponent; null for any other text, and for what is too large to be a number. */
export function parseDecimal(text: string): number | null {
  if (text.length > MAX_DECIMAL_CHARACTERS || !DECIMAL.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
