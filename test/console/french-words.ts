import type { Phrase } from "../../src/i18n/phrase.ts";
import { spokenIn } from "../../src/i18n/text.ts";

/** `inTheirWords` of somebody who reads French. */
export function inFrenchWords(phrase: Phrase): string {
  return spokenIn("fr", phrase);
}
