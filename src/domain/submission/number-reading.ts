import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What libphonenumber makes of a number. `digits` is E.164 without "+". */
export type NumberReading =
  | { readonly standing: "valid" | "fixed line" | "possible" | "extended"; readonly digits: string }
  /** No number at all, or none of a length that its country has. */
  | { readonly standing: "impossible" };

const IMPOSSIBLE: NumberReading = { standing: "impossible" };

/** Marks that spreadsheets and address books leave around numbers: soft hyphen, text direction, zero width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** The library knows only some of the spaces; French grouping is U+202F. */
const SPACE = /[\p{Zs}\t]/gu;
const BRACKETED_CODE = /^[(\uff08]\s*([+\uff0b]\p{Nd}+)\s*[)\uff09]/u;

/**
 * Reads a number as a person writes it, in local or international form, with the library's full (`max`) metadata. The
 * whole input has to be the number: nothing is picked out of a sentence, and letters are not digits. About 10 µs.
 */
export function readNumber(input: string, region: CountryCode): NumberReading {
  const text = plain(input);
  const number = parsed(text, region) ?? (text.includes(PHONE_CONTEXT) ? parsed(text, region) : undefined);
  if (number === undefined || !number.isPossible()) return IMPOSSIBLE;
  const digits = number.number.slice(1);
  if (number.ext !== undefined) return { standing: "extended", digits };
  if (!number.isValid()) return { standing: "possible", digits };
  return { standing: number.getType() === "FIXED_LINE" ? "fixed line" : "valid", digits };
}

/**
 * The library's patterns for a phone-context go on from where they matched last, so that each match makes them miss the
 * next one: what was missed is read a second time.
 */
const PHONE_CONTEXT = ";phone-context=";

function parsed(text: string, region: CountryCode): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
}

/** The input without what `extract: false` makes the library stumble over, though any reader would pass it over. */
export function plain(input: string): string {
  const text = input.replace(INVISIBLE, "").replace(SPACE, " ").trim().replace(BRACKETED_CODE, "$1 ");
  // RFC 3966: with a phone-context the library reads the whole URI itself.
  return /^tel:/i.test(text) && !text.includes(PHONE_CONTEXT) ? text.slice("tel:".length) : text;
}
