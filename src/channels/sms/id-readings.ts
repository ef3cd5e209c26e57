const DECIMAL = /^\d+$/;
const HEXADECIMAL = /^[\da-f]+$/;
/** The longest id that is taken for a number: 64 bits and some room. A UUID without its hyphens is a name. */
const MAX_NUMBER_LENGTH = 20;

/**
 * How a receipt's id is to be read to be the one its response gave: exactly so; in another case, padding or spacing;
 * as the decimal of what the response said in hexadecimal; or as the hexadecimal of what it said in decimal.
 */
const ID_FORMATS = ["exact", "padded", "decimal", "hexadecimal"] as const;

export type IdFormat = (typeof ID_FORMATS)[number];

/** A canonical id under which the message of a receipt may stand, and the form the receipt's id has then. */
export type IdCandidate = { readonly form: Exclude<IdFormat, "exact">; readonly key: string };

/**
 * The form under which an operator's message id is indexed: trimmed, lower case, no leading zeros
 * (docs/behaviour.md#ids-of-operators).
 */
export function canonicalId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^[0\s]+(?=.)/, "");
}

/**
 * The canonical ids under which the message of a receipt may stand, likeliest first: as received, and read as the
 * other base, because some operators answer in hexadecimal and report in decimal, or the reverse. What is all
 * digits may be either; what has letters a to f can only be hexadecimal.
 */
export function toIdCandidates(id: string): IdCandidate[] {
  const canonical = canonicalId(id);
  const readings: IdCandidate[] = [{ form: "padded", key: canonical }];
  if (canonical.length > MAX_NUMBER_LENGTH) return readings;
  const add = (form: IdCandidate["form"], key: string) => {
    if (!readings.some((known) => known.key === key)) readings.push({ form, key });
  };
  if (DECIMAL.test(canonical)) add("decimal", BigInt(canonical).toString(16));
  if (HEXADECIMAL.test(canonical)) add("hexadecimal", BigInt(`0x${canonical}`).toString(10));
  return readings;
}

/** The canonical ids of `readingsOf`: also those that receipts of the message with this id may be parked under. */
export function candidateIds(id: string): string[] {
  return toIdCandidates(id).map(({ key }) => key);
}
