import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** What a submitted number is: E.164 of what the library can make of it, and how sure it is. */
export type ReadNumber = {
  /** Null where nothing can be read. */
  readonly msisdn: string | null;
  /**
   * What a rejection shows of it: "null unless the library calls the number possible" (docs/behaviour.md#numbers), so that of one
   * with an extension, which is no number to send to, the number before it is shown.
   */
  readonly shown: string | null;
  readonly isPossible: boolean;
  readonly isValid: boolean;
};

const NOTHING: ReadNumber = { msisdn: null, shown: null, isPossible: false, isValid: false };

/** What was read before; the same numbers are asked for again and again. */
const known = new Map<string, ReadNumber>();
const MAX_KNOWN = 50_000;

/** A number as a client wrote it. */
export function readNumber(written: string, region: string): ReadNumber {
  const key = `${region} ${written}`;
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const now = read(written, region);
  known.set(key, now);
  return now;
}

function read(written: string, region: string): ReadNumber {
  const country = region as NonNullable<Parameters<typeof parsePhoneNumberFromString>[1]> & string;
  const number = parsePhoneNumberFromString(written, { defaultCountry: country as "BF", extract: false });
  if (!number) return NOTHING;
  const shown = number.isPossible() ? number.number : null;
  if (number.ext) return { ...NOTHING, shown };
  return { msisdn: number.number, shown, isPossible: number.isPossible(), isValid: number.isValid() };
}
