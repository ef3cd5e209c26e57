import type { Phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";

/** What is said to whoever asks in tests that are about other things: in English. */
export function inEnglish(phrase: Phrase): string {
  return english(phrase);
}
