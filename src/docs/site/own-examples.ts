/**
 * Makes the examples of the guide and of the OpenAPI document ones that can be tried on the appliance that serves them: its address,
 * numbers that its operators own, the operator's code beside them, and evenings that are still to come.
 */

/** An operator's code, and the prefixes of the numbers that it owns: E.164 digits without "+". */
export type ServedNumbers = { readonly operator: string; readonly prefixes: readonly string[] };

/** The address of the appliance in examples. */
export const EXAMPLE_ORIGIN = "https://sms.example.bf";

/** Example numbers, as the guide and the OpenAPI document write them: `70123456`, `+22676123457`. */
const EXAMPLE_NUMBER = /(?<!\d)((?:00)?226)?((?:70|76|07)12345[67])(?!\d)/g;
/** The operator that examples name beside a number, and such a number. */
const EXAMPLE_OPERATORS = { moov: "22670123456", orange: "22676123456" } as const;
const COUNTRY = "226";
/** The longest prefix put in: the rest of an example's digits must still choose what a test key does with it. */
const MAX_PREFIX_LENGTH = 6;

/**
 * Gives a number of the examples that no operator owns the prefix of one that an operator owns, and keeps its end; and names, in JSON,
 * the operator that owns it.
 */
export function useServedNumbers(text: string, served: readonly ServedNumbers[]): string {
  const own = ownPrefix(served);
  const prefixes = served.flatMap((operator) => operator.prefixes);
  const change = (country: string, number: string): string => {
    const isOwned = prefixes.some((prefix) => `${COUNTRY}${number}`.startsWith(prefix));
    return isOwned || own === null ? `${country}${number}` : `${country}${own}${number.slice(own.length)}`;
  };
  return text
    .replaceAll(EXAMPLE_NUMBER, (_written, country: string | undefined, number: string) =>
      change(country ?? "", number),
    )
    .replaceAll(/(?<=")(?:moov|orange)(?=")/g, (code) => {
      const example = EXAMPLE_OPERATORS[code as keyof typeof EXAMPLE_OPERATORS];
      return ownerOf(change(COUNTRY, example.slice(COUNTRY.length)), served) ?? code;
    });
}

/** The first prefix, without the country's, that leaves the end of an example; null where no operator owns numbers of the country. */
function ownPrefix(served: readonly ServedNumbers[]): string | null {
  const own = served
    .flatMap(({ prefixes }) => prefixes)
    .filter((prefix) => prefix.startsWith(COUNTRY))
    .map((prefix) => prefix.slice(COUNTRY.length))
    .find(({ length }) => length > 0 && length <= MAX_PREFIX_LENGTH);
  return own ?? null;
}

/** The operator with the longest prefix of a number. */
function ownerOf(number: string, served: readonly ServedNumbers[]): string | null {
  const owning = served.flatMap(({ operator, prefixes }) =>
    prefixes.filter((prefix) => number.startsWith(prefix)).map((prefix) => ({ operator, prefix })),
  );
  return owning.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.operator ?? null;
}

/** The moment of scheduled examples. */
const EXAMPLE_TIME = "2026-03-01T18:00:00";
const DAY_MS = 86_400_000;
const DATE_LENGTH = "2026-03-01".length;

/** Moves scheduled examples to the evening after `nowMs`. */
export function useComingEvening(text: string, nowMs: number): string {
  const tomorrow = new Date(nowMs + DAY_MS).toISOString().slice(0, DATE_LENGTH);
  return text.replaceAll(EXAMPLE_TIME, `${tomorrow}${EXAMPLE_TIME.slice(DATE_LENGTH)}`);
}

const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Puts the address at which a reader reached the appliance into the examples; leaves them where it is none that one may write. */
export const useOrigin = (text: string, origin: string): string =>
  ORIGIN.test(origin) ? text.replaceAll(EXAMPLE_ORIGIN, origin) : text;
