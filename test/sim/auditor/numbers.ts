import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What a submitted number is: E.164 of what the library can make of it, and how sure it is. */
export type ReadNumber = {
  /** Null where nothing can be read. */
  readonly msisdn: string | null;
  readonly isPossible: boolean;
  readonly isValid: boolean;
  readonly isFixedLine: boolean;
};

const NOTHING: ReadNumber = { msisdn: null, isPossible: false, isValid: false, isFixedLine: false };

/** A number as a client wrote it. */
export function readNumber(written: string, region: string): ReadNumber {
  const known = region as NonNullable<Parameters<typeof parsePhoneNumberFromString>[1]> & string;
  const read = parsePhoneNumberFromString(written, { defaultCountry: known as "BF", extract: false });
  if (!read || read.ext) return NOTHING;
  const isValid = read.isValid();
  const isFixedLine = isValid && read.getType() === "FIXED_LINE";
  return { msisdn: read.number, isPossible: read.isPossible(), isValid, isFixedLine };
}
