/** The languages of the pages, which of them a reader gets who named none in the address, and the words of each. */
import { loadWords } from "../../i18n/words.ts";
import en from "./words.en.json" with { type: "json" };
import fr from "./words.fr.json" with { type: "json" };

export const LANGUAGES = ["en", "fr"] as const;
export type GuideLanguage = (typeof LANGUAGES)[number];

/**
 * The reader's language by `Accept-Language` (RFC 9110 section 12.5.4): the one with the highest weight, of equal weights
 * the first, English where neither is asked for.
 */
export function preferredLanguage(header: string | null): GuideLanguage {
  const asked = (header ?? "").split(",").flatMap((range) => {
    const [tag = "", ...parameters] = range.split(";").map((word) => word.trim().toLowerCase());
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return language && quality > 0 ? [{ language, quality }] : [];
  });
  const best = Math.max(...asked.map(({ quality }) => quality));
  return asked.find(({ quality }) => quality === best)?.language ?? "en";
}

export const otherLanguage = (language: GuideLanguage): GuideLanguage => (language === "en" ? "fr" : "en");

/** The words around the text of a page; those of a result, of a default and of a missing page have what they are about in them. */
export type SiteTexts = Omit<typeof en, "found" | "usually" | "missing" | "where"> & {
  readonly found: (about: { readonly query: string }) => string;
  readonly usually: (about: { readonly value: string }) => string;
  readonly missing: Omit<typeof en.missing, "lead"> & {
    readonly lead: (about: { readonly address: string }) => string;
  };
  /** Where a parameter stands in a request, by the word of OpenAPI. */
  readonly where: Readonly<Record<string, string>>;
};

export const WORDS: Readonly<Record<GuideLanguage, SiteTexts>> = {
  en: loadWords<SiteTexts>(en),
  fr: loadWords<SiteTexts>(fr satisfies typeof en),
};
