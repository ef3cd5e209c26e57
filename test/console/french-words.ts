import type { Phrase } from "../../src/i18n/phrase.ts";
import { spokenIn } from "../../src/i18n/text.ts";
import { inFrench } from "../../src/words/in-french.ts";
import { inEnglish } from "./english-words.ts";

/** `inTheirWords` of somebody who reads French. */
export function inFrenchWords(words: Phrase | string): string {
  if (typeof words !== "string" && words.code !== "said") return spokenIn("fr", words);
  return inFrench(inEnglish(words)) ?? inEnglish(words);
}
