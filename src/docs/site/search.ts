/** Search over the sections of the guide: a few dozen pages, so each search reads all of them. */
import type { GuideLanguage } from "./language.ts";
import type { RenderedPage, Section } from "./markdown.ts";
import synonyms from "./synonyms.json" with { type: "json" };

export type SearchHit = {
  readonly slug: string;
  readonly page: string;
  readonly anchor: string;
  readonly heading: string;
  /** The words around the first hit. */
  readonly excerpt: string;
};

type Searchable = { readonly slug: string; readonly rendered: RenderedPage };

const MAX_RESULTS = 20;
const MAX_QUERY_LENGTH = 100;
/** The fewest letters of a word without its ending. */
const MIN_STEM = 5;
const MAX_ENDING_LENGTH = 3;

/**
 * Finds the sections that have every word of the query, ignoring case and accents; a word may be the beginning of a longer
 * one. Headings weigh more than the text below them, and both more than programs and tables of fields. If nothing is found,
 * long words are tried without their endings, so that "rembourser" finds "remboursé". Where readers and pages have different
 * words for a thing, both are searched.
 */
export function search(pages: readonly Searchable[], query: string, language: GuideLanguage): SearchHit[] {
  const words = folded(query.slice(0, MAX_QUERY_LENGTH), language).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const found = withAnyOf(pages, [words, ...sayings(words, language)], language);
  return found.length > 0 ? found : withAnyOf(pages, [words.map(stem)], language);
}

/**
 * Variants of a query in the words of the pages: one for each synonym in it. `synonyms.json` has what readers search
 * for, and in its place what the pages say, in lower case without accents.
 */
function sayings(words: readonly string[], language: GuideLanguage): string[][] {
  const asked = ` ${words.join(" ")} `;
  return Object.entries(synonyms[language])
    .filter(([theirs]) => asked.includes(` ${theirs} `))
    .map(([theirs, ours]) => asked.replace(` ${theirs} `, ` ${ours} `).trim().split(" "));
}

/** The sections that have all words of one of the lists, each once, the best first. */
function withAnyOf(
  pages: readonly Searchable[],
  lists: readonly (readonly string[])[],
  language: GuideLanguage,
): SearchHit[] {
  const best = new Map<Section, Hit>();
  for (const hit of lists.flatMap((words) => sectionsWith(pages, words, language))) {
    if (hit.weight > (best.get(hit.section)?.weight ?? 0)) best.set(hit.section, hit);
  }
  return [...best.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_RESULTS)
    .map(({ found }) => found);
}

type Hit = { readonly section: Section; readonly weight: number; readonly found: SearchHit };

const stem = (word: string): string => word.slice(0, Math.max(MIN_STEM, word.length - MAX_ENDING_LENGTH));

function sectionsWith(
  pages: readonly Searchable[],
  words: readonly string[],
  language: GuideLanguage,
): Hit[] {
  if (words.length === 0) return [];
  return pages.flatMap(({ slug, rendered }) =>
    rendered.sections.flatMap((section) => {
      const weight = weightOf(rendered, section, words, language);
      if (weight === 0) return [];
      const { anchor, heading, depth } = section;
      const found = { slug, page: rendered.title, anchor: depth === 1 ? "" : anchor, heading };
      return [{ section, weight, found: { ...found, excerpt: excerptOf(section, words, language) } }];
    }),
  );
}

/** The weight of a word found only in programs or fields: its section comes after all others. */
const BEHIND = 0.0001;

/** The weight of a section; 0 where a word is missing. */
function weightOf(
  page: RenderedPage,
  section: Section,
  words: readonly string[],
  language: GuideLanguage,
): number {
  const { heading, text, details } = foldedSection(section, language);
  const places = [
    { weight: 10, in: heading },
    { weight: 3, in: folded(page.title, language) },
    { weight: 1, in: text },
  ];
  let sum = 0;
  let isBehind = false;
  for (const word of words) {
    const begins = beginning(word);
    const weight = places.reduce((most, place) => (begins.test(place.in) ? most + place.weight : most), 0);
    if (weight === 0 && !begins.test(details)) return 0;
    isBehind ||= weight === 0;
    sum += Math.max(weight, BEHIND);
  }
  return isBehind ? sum * BEHIND : sum;
}

const beginning = (word: string) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "u");

type FoldedSection = { readonly heading: string; readonly text: string; readonly details: string };

const foldedSections = new WeakMap<Section, FoldedSection>();

/** A section prepared for searching, folded once. */
function foldedSection(section: Section, language: GuideLanguage): FoldedSection {
  const known = foldedSections.get(section);
  if (known !== undefined) return known;
  const { heading, text, details = "" } = section;
  const fold = (words: string) => folded(words, language);
  const made = { heading: fold(heading), text: fold(text), details: fold(`${details}\n${apart(details)}`) };
  foldedSections.set(section, made);
  return made;
}

/** Splits names in programs into their parts: a search for "hmac" finds `createHmac` too. */
const apart = (names: string): string => names.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");

const BEFORE = 60;
const MAX_EXCERPT_LENGTH = 180;

/** The words around the first hit; where a word is only in a program or a table of fields, its line. */
function excerptOf(section: Section, words: readonly string[], language: GuideLanguage): string {
  const { text } = foldedSection(section, language);
  const hidden = words.find((word) => !beginning(word).test(text));
  if (hidden !== undefined) {
    const line = section.details
      ?.split("\n")
      .find((one) => beginning(hidden).test(folded(`${one} ${apart(one)}`, language)));
    if (line !== undefined) return cutAt(line.trim(), 0);
  }
  const where = text.indexOf(words[0] ?? "");
  return cutAt(section.text, where <= BEFORE ? 0 : section.text.indexOf(" ", where - BEFORE) + 1);
}

function cutAt(text: string, from: number): string {
  const before = from > 0 ? "… " : "";
  if (text.length <= from + MAX_EXCERPT_LENGTH) return before + text.slice(from);
  const excerpt = text.slice(from, from + MAX_EXCERPT_LENGTH).replace(/\s+\S*$/, "");
  return `${before}${excerpt} …`;
}

/** Lower case without accents; the length in UTF-16 units stays the same, so that positions agree. */
function folded(text: string, language: GuideLanguage): string {
  return text
    .replaceAll(/[^\p{ASCII}]/gu, (character) => {
      const plain = character.normalize("NFD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase(language);
      return plain.length === character.length ? plain : character.toLocaleLowerCase(language);
    })
    .toLowerCase();
}
