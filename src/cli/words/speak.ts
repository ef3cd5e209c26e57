import type { Language } from "../language.ts";
import type { Dictionary } from "./dictionary.ts";
import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";

export function dictionaryOf(language: Language): Dictionary {
  switch (language) {
    case "en":
      return ENGLISH;
    case "fr":
      return FRENCH;
  }
}
