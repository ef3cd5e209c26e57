/** Numbers of examples, as the guide and the OpenAPI document write them: `70123456`, `+22676123457`. */
const EXAMPLE = /(?<!\d)((?:00)?226)?((?:70|76|07)12345[67])(?!\d)/g;
const COUNTRY = "226";
/** Fewer digits of an example's own say what a test key does with it. */
const MAX_PREFIX_LENGTH = 6;

/**
 * A page whose examples can be tried here as they stand: a number that no operator owns gets the beginning of one that an operator
 * does, and keeps its end. `prefixes` are those of the operators, E.164 digits without "+".
 */
export function replaceExampleNumbers(page: string, prefixes: readonly string[]): string {
  const own = prefixes
    .filter((prefix) => prefix.startsWith(COUNTRY))
    .map((prefix) => prefix.slice(COUNTRY.length))
    .find(({ length }) => length > 0 && length <= MAX_PREFIX_LENGTH);
  if (own === undefined) return page;
  return page.replaceAll(EXAMPLE, (written, country: string | undefined, number: string) => {
    if (prefixes.some((prefix) => `${COUNTRY}${number}`.startsWith(prefix))) return written;
    return `${country ?? ""}${own}${number.slice(own.length)}`;
  });
}
