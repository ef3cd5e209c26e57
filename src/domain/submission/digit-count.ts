import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
} from "libphonenumber-js/max";
import { assert } from "../../core/assert.ts";
import type { DigitCount } from "../../core/digit-count.ts";
import { plain } from "./number-reading.ts";

/** What people write between digits. */
const BETWEEN = /[ ().-]/g;
const DIAL_OUT = /^00(?=[1-9])/;

/**
 * The digits of a text that somebody meant as a phone number, beside those that a number of its country has; null where other things than
 * digits stand in it, or a code that no country has. It does not say that it is none: `normaliseNumber` does.
 */
export function digitCount(input: string, region: string): DigitCount | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const text = plain(input).replaceAll(BETWEEN, "").replace(DIAL_OUT, "+");
  if (!/^\+?\d+$/.test(text)) return null;
  const home = lengthsOf(region);
  const code = getCountryCallingCode(region);
  if (!text.startsWith("+")) {
    const isWithCode = text.length > home.most && text.startsWith(code);
    return isWithCode
      ? { digits: text.length - code.length, ...home, code }
      : { digits: text.length, ...home, code: null };
  }
  const typing = new AsYouType();
  typing.input(text);
  const abroad = typing.getCallingCode();
  if (abroad === undefined) return null;
  const country = abroad === code ? region : typing.getCountry();
  if (country === undefined) return null;
  return { digits: text.length - 1 - abroad.length, ...lengthsOf(country), code: `+${abroad}` };
}

function lengthsOf(country: CountryCode): Pick<DigitCount, "least" | "most"> {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const lengths = metadata.numberingPlan?.possibleLengths() ?? [];
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}
