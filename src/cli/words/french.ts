import { ownValue } from "../../base/own-value.ts";
import { english, spokenIn } from "../../i18n/text.ts";
import { inFrench, linesInFrench } from "../../words/in-french.ts";
import { typeset } from "../../words/typeset.ts";
import { labelOf } from "../words.ts";
import type { Dictionary } from "./dictionary.ts";
import { HELP_IN_FRENCH } from "./french-help.ts";
import { REFUSALS_IN_FRENCH } from "./french-refusals.ts";

const BY_CODE: Readonly<Record<string, string | undefined>> = REFUSALS_IN_FRENCH;

export const FRENCH: Dictionary = {
  text: (english) => typeset(ownValue(HELP_IN_FRENCH, english) ?? english),
  label: (name) => labelOf(name, "fr"),
  warning: (detail, code) => `${typeset("avertissement :")} ${spokenIn("fr", detail)} (${code})`,
  phrase: (phrase) => {
    if (phrase.code !== "said") return spokenIn("fr", phrase);
    const text = english(phrase);
    return inFrench(text) ?? linesInFrench(text, inFrench) ?? text;
  },
  refusal: ({ code, detail }) => {
    const known = ownValue(BY_CODE, code);
    if (detail.code !== "said") return spokenIn("fr", detail);
    const text = english(detail);
    const french = inFrench(text) ?? linesInFrench(text, inFrench);
    return french ?? (known === undefined ? text : `${known}${typeset(" :")}\n${text}`);
  },
  sentence: (english) => inFrench(english) ?? english,
};
