import { type Phrase, phrase } from "../i18n/phrase.ts";

/** How many digits stand in a text that is no phone number, and how many a number of its country has. */
export type DigitCount = {
  readonly digits: number;
  /** The same where all of them have as many. */
  readonly least: number;
  readonly most: number;
  /** The code of the country that stands before them; null: as it is dialled at home. */
  readonly code: string | null;
};

/** Why it is no phone number. `written`: how it stands there. */
export function digitPhrase(written: Phrase, { digits, least, most, code }: DigitCount): Phrase {
  if (digits >= least && digits <= most) return phrase("row.digits.as_many", { written });
  const wanted = least === most ? String(least) : `${least}–${most}`;
  return code === null
    ? phrase("row.digits", { written, count: digits, wanted })
    : phrase("row.digits.behind_code", { written, digits, code, wanted });
}
