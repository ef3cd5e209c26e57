import { AsYouType, getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/max";
import { assert } from "../../core/assert.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readNumber } from "./number-reading.ts";

/** Why no operator here sends to a number; null: it is a mobile of this country, whose prefix nobody has. `msisdn`: E.164 with "+". */
export function unroutedCause(msisdn: string, region: string): Phrase | null {
  assert(isSupportedCountry(region), `region ${region} is known`);
  const typing = new AsYouType();
  typing.input(msisdn);
  const code = typing.getCallingCode();
  if (code !== undefined && code !== getCountryCallingCode(region)) {
    return phrase("row.unserved.country", { code });
  }
  const isFixed = readNumber(msisdn, region).standing === "fixed line";
  return isFixed ? phrase("row.unserved.fixed_line") : null;
}
