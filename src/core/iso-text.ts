/** Instants as texts. Those that are told stand close together, so the texts of a few seconds are kept. */

/** Seconds whose texts are kept, each in a place of its own. */
const PLACES = 64;

const seconds = new Float64Array(PLACES).fill(Number.NaN);
const heads: string[] = Array.from({ length: PLACES }, () => "");
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/**
 * An instant as ISO 8601 in UTC with milliseconds and `Z`, as `Date.prototype.toISOString` writes it.
 * @throws RangeError for what is no time.
 */
export function renderIso(epochMs: number): string {
  const ms = Math.trunc(epochMs);
  const second = Math.floor(ms / 1000);
  const place = Math.abs(second % PLACES);
  if (seconds[place] !== second) {
    // Without the milliseconds and the "Z".
    heads[place] = new Date(ms).toISOString().slice(0, -4);
    seconds[place] = second;
  }
  return `${heads[place]}${THREE_DIGITS[ms - second * 1000]}Z`;
}

/** Three digits of a number below 1,000. */
export function threeDigits(number: number): string {
  return THREE_DIGITS[number] ?? "";
}
