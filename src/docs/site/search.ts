/** Search over the sections of the guide: a few dozen pages, so it looks at all of them. */
import type { GuideLanguage } from "./language.ts";
import type { RenderedPage, Section } from "./markdown.ts";

export type Found = {
  readonly slug: string;
  readonly page: string;
  readonly anchor: string;
  readonly heading: string;
  /** The words around the first hit. */
  readonly excerpt: string;
};

export type Searchable = { readonly slug: string; readonly rendered: RenderedPage };

const MOST_RESULTS = 20;
const LONGEST_QUERY = 100;
/** What is left of a word without its end has letters enough to mean something. */
const SHORTEST_STEM = 5;
const LONGEST_ENDING = 3;

/**
 * The sections that have every word of the query, without regard to case and accents; a word may be the beginning of a
 * longer one. A heading weighs more than the text below it. Where nothing has them, long words are tried without their ends, so that
 * "rembourser" finds "remboursé".
 */
export function search(pages: readonly Searchable[], query: string, language: GuideLanguage): Found[] {
  const words = folded(query.slice(0, LONGEST_QUERY), language).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const found = sectionsWith(pages, words, language);
  return found.length > 0 ? found : sectionsWith(pages, words.map(stem), language);
}

const stem = (word: string): string => word.slice(0, Math.max(SHORTEST_STEM, word.length - LONGEST_ENDING));

function sectionsWith(
  pages: readonly Searchable[],
  words: readonly string[],
  language: GuideLanguage,
): Found[] {
  if (words.length === 0) return [];
  const hits = pages.flatMap(({ slug, rendered }) =>
    rendered.sections.flatMap((section) => {
      const weight = weightOf(rendered, section, words, language);
      if (weight === 0) return [];
      const { anchor, heading, depth } = section;
      const found = { slug, page: rendered.title, anchor: depth === 1 ? "" : anchor, heading };
      return [{ weight, found: { ...found, excerpt: excerptOf(section.text, words, language) } }];
    }),
  );
  return hits
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_RESULTS)
    .map(({ found }) => found);
}

/** 0 where a word is missing. */
function weightOf(
  page: RenderedPage,
  { heading, text }: Section,
  words: readonly string[],
  language: GuideLanguage,
): number {
  const places = [
    { weight: 10, in: folded(heading, language) },
    { weight: 3, in: folded(page.title, language) },
    { weight: 1, in: folded(text, language) },
  ];
  let sum = 0;
  for (const word of words) {
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "u");
    const weight = places.reduce((most, place) => (begins.test(place.in) ? most + place.weight : most), 0);
    if (weight === 0) return 0;
    sum += weight;
  }
  return sum;
}

const BEFORE = 60;
const LONGEST_EXCERPT = 180;

function excerptOf(text: string, words: readonly string[], language: GuideLanguage): string {
  const where = folded(text, language).indexOf(words[0] ?? "");
  const from = where <= BEFORE ? 0 : text.indexOf(" ", where - BEFORE) + 1;
  const excerpt = text.slice(from, from + LONGEST_EXCERPT);
  return `${from > 0 ? "… " : ""}${excerpt}${from + LONGEST_EXCERPT < text.length ? " …" : ""}`;
}

/** Small letters without accents; as many UTF-16 units as before, so that places agree. */
function folded(text: string, language: GuideLanguage): string {
  return Array.from(text, (character) => {
    const plain = character.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase(language);
    return plain.length === character.length ? plain : character.toLocaleLowerCase(language);
  }).join("");
}
