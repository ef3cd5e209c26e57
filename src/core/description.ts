/** What the API's reference says of fields and operations: a code in the schemas, and a text once the document is made for a language. */
import { type Code, type ParamsOf, phrase, written } from "../i18n/phrase.ts";

/** The codes of descriptions. */
export type Description = Extract<Code, `reference.${string}`>;

/** A description as a schema holds it: a phrase as a string, for which the document has its text. */
export function describe<C extends Description>(code: C, ...params: ParamsOf<C>): string {
  return written(phrase(code, ...params));
}
