/** Texts by all catalogues: what the server says itself, in answers, terminals and mails. */
import enCommon from "./en/common.json" with { type: "json" };
import enHealth from "./en/health.json" with { type: "json" };
import enReadiness from "./en/readiness.json" with { type: "json" };
import frCommon from "./fr/common.json" with { type: "json" };
import frHealth from "./fr/health.json" with { type: "json" };
import frReadiness from "./fr/readiness.json" with { type: "json" };
import { EXACT_ENGLISH, type Phrase, renderer } from "./phrase.ts";
import { VALUES } from "./values.ts";

/** A phrase as a text for a reader. */
export const t = renderer(
  {
    en: { common: enCommon, health: enHealth, readiness: enReadiness },
    fr: { common: frCommon, health: frHealth, readiness: frReadiness },
  },
  VALUES,
);

/** In English with values as they are: for lines of the log, and for refusals as long as these are sentences. */
export function english(phrase: Phrase): string {
  return t(phrase, EXACT_ENGLISH) as unknown as string;
}
