import { english } from "../../i18n/text.ts";
import { labelOf } from "../words.ts";
import type { Dictionary } from "./dictionary.ts";

export const ENGLISH: Dictionary = {
  text: (words) => words,
  label: (name) => labelOf(name, "en"),
  warning: (detail, code) => `warning: ${english(detail)} (${code})`,
  phrase: english,
  refusal: ({ detail }) => english(detail),
  sentence: (words) => words,
};
