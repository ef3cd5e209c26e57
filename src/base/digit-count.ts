/** How many digits stand in a text that is no phone number, and how many a number of its country has. */
export type DigitCount = {
  readonly digits: number;
  /** The same where all of them have as many. */
  readonly least: number;
  readonly most: number;
  /** The code of the country that stands before them; null: as it is dialled at home. */
  readonly code: string | null;
};

/** Why it is no phone number, in words. `shown`: how it is written there. */
export function digitSentence(shown: string, { digits, least, most, code }: DigitCount): string {
  if (digits >= least && digits <= most) {
    return `${shown} has as many digits as a number has, and no operator has numbers that begin so`;
  }
  const wanted = least === most ? String(least) : `${least}–${most}`;
  if (code !== null)
    return `${shown} has ${digits} digit(s) behind the country's code ${code} instead of ${wanted}`;
  return digits === 1
    ? `${shown} has 1 digit instead of ${wanted}`
    : `${shown} has ${digits} digits instead of ${wanted}`;
}
