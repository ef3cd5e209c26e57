import type { Phrase } from "../../src/i18n/phrase.ts";
import { renderIn } from "../../src/i18n/text.ts";

/** `translate` of somebody who reads French. */
export function inFrenchWords(phrase: Phrase): string {
  return renderIn("fr", phrase);
}
