/** The languages of the pages, and which of them a reader gets who named none in the address. */
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
