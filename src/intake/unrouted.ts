import { AsYouType, getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { assert } from "../base/assert.ts";
import { readNumber } from "./number-reading.ts";

/** Why no operator here sends to a number, in words; null: it is a mobile of this country, whose prefix nobody has. `msisdn`: E.164 with "+". */
export function unroutedCause(msisdn: string, region: string): string | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const typing = new AsYouType();
  typing.input(msisdn);
  const code = typing.getCallingCode();
  if (code !== undefined && code !== getCountryCallingCode(region)) {
    return `the code of a country that is not served here (+${code})`;
  }
  const isFixed = readNumber(msisdn, region).standing === "fixed line";
  return isFixed ? "a fixed line, which takes no texts" : null;
}
