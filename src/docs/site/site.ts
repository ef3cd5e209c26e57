/**
 * The documentation for clients as the appliance serves it: the pages of the guide in two languages, the reference, a search.
 *
 * Begin here: a page is Markdown (`pages`), becomes HTML (`markdown`), and gets what stands around it (`layout`, with the words of
 * its language). `reference` and `trial` are made of the OpenAPI document. Pages are made when they are first asked for, and kept.
 * `routes` serves them.
 */
import type { GuideLanguage } from "./language.ts";
import { WORDS } from "./language.ts";
import { type NavigationEntry, renderLayout } from "./layout.ts";
import { escaped, type RenderedPage, renderPage } from "./markdown.ts";
import { GUIDE, INDEX } from "./pages.ts";
import { renderReferencePage, renderTryItPage } from "./reference.ts";
import { type Searchable, type SearchHit, search } from "./search.ts";

export type Site = {
  /** Paths behind `/docs/LANGUAGE` that are pages: "" is the first one. */
  readonly paths: readonly string[];
  /** The HTML of one of `paths`, for a reader who reached the appliance at `origin`: its examples can be tried as they stand. */
  readonly page: (language: GuideLanguage, path: string, origin: string) => Promise<string>;
  /** The HTML of what a search finds. */
  readonly results: (language: GuideLanguage, query: string) => Promise<string>;
  /** The HTML for an address where no page is, with those that it may mean. */
  readonly missing: (language: GuideLanguage, address: string) => Promise<string>;
};

/** Stands in the guide for the address of the appliance that serves it. */
const EXAMPLE_ORIGIN = "https://sms.example.bf";
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;
const REFERENCE = "reference";
const TRIAL = "try";
/** So many pages at most are offered in the place of one that is not there. */
const MAX_NEAR = 5;

type Edition = { readonly index: RenderedPage; readonly pages: readonly Searchable[] };

/** The pages, the reference among them made of the OpenAPI document. `served`: what the operators here own; `nowMs`: the time. */
export function documentationSite(
  openApi: (language: GuideLanguage) => Promise<string>,
  served: () => readonly ServedNumbers[],
  nowMs: () => number,
): Site {
  const editions = new Map<GuideLanguage, Promise<Edition>>();
  const editionIn = (language: GuideLanguage): Promise<Edition> => {
    const known = editions.get(language) ?? makeEdition(language, openApi);
    editions.set(language, known);
    return known;
  };
  return {
    paths: ["", ...GUIDE.map(({ slug }) => `/${slug}`), `/${REFERENCE}`, `/${TRIAL}`],
    page: async (language, path, origin) => {
      const { index, pages } = await editionIn(language);
      const { title, html, sections } = pages.find(({ slug }) => path === `/${slug}`)?.rendered ?? index;
      const laidOut = renderLayout({ language, path, title, content: html, sections }, navigationOf(pages));
      const prefixes = served().flatMap((operator) => operator.prefixes);
      const current = replaceExampleTimes(replaceExampleNumbers(laidOut, prefixes), nowMs());
      const page = fillServedNumbers(current, served(), language);
      return ORIGIN.test(origin) ? page.replaceAll(EXAMPLE_ORIGIN, origin) : page;
    },
    results: async (language, query) => {
      const { pages } = await editionIn(language);
      const title = WORDS[language].found(query);
      const found = listOf(search(pages, query, language), language);
      const content = `<h1>${escaped(title)}</h1>\n${found || `<p>${WORDS[language].nothing}</p>`}\n`;
      return renderLayout(
        { language, path: "/search", title, content, sections: [], query },
        navigationOf(pages),
      );
    },
    missing: async (language, address) => {
      const { pages } = await editionIn(language);
      const { title, lead, perhaps } = WORDS[language].missing;
      const query = wordsOf(address);
      const near = listOf(nearestPages(pages, query, language), language);
      const content = `<h1>${title}</h1>
<p>${lead(`<code>${escaped(address)}</code>`)}</p>
${near === "" ? "" : `<h2>${perhaps}</h2>\n${near}\n`}`;
      return renderLayout({ language, path: "", title, content, sections: [], query }, navigationOf(pages));
    },
  };
}

async function makeEdition(
  language: GuideLanguage,
  openApi: (language: GuideLanguage) => Promise<string>,
): Promise<Edition> {
  const document = await openApi(language);
  const guide = GUIDE.map((page) => ({ slug: page.slug, rendered: renderPage(page[language], language) }));
  return {
    index: renderPage(INDEX[language], language),
    pages: [
      ...guide,
      { slug: REFERENCE, rendered: renderReferencePage(document, language) },
      { slug: TRIAL, rendered: renderTryItPage(document, language) },
    ],
  };
}

function navigationOf(pages: readonly Searchable[]): NavigationEntry[] {
  return pages.map(({ slug, rendered: { title } }) => {
    const group = GUIDE.find((page) => page.slug === slug)?.group ?? "reference";
    return { slug, title, group };
  });
}

/** The pages that an address may mean, each once: those that are called so, then those that say so. */
function nearestPages(pages: readonly Searchable[], query: string, language: GuideLanguage): SearchHit[] {
  const words = query.toLowerCase().split(" ").filter(Boolean);
  const called = pages.filter(({ slug }) => words.length > 0 && words.every((word) => slug.includes(word)));
  const found = [
    ...called.map(({ slug, rendered: { title, lead } }) => {
      return { slug, page: title, anchor: "", heading: title, excerpt: lead };
    }),
    ...search(pages, query, language),
  ];
  return found
    .filter(({ slug }, place) => found.findIndex((other) => other.slug === slug) === place)
    .slice(0, MAX_NEAR);
}

/** What was found as a list; empty when nothing was. */
function listOf(found: readonly SearchHit[], language: GuideLanguage): string {
  const items = found.map(({ slug, page, anchor, heading, excerpt }) => {
    const href = `/docs/${language}/${slug}${anchor === "" ? "" : `#${anchor}`}`;
    const where = heading === page ? "" : ` <small>${escaped(page)}</small>`;
    return `<li><a href="${href}">${escaped(heading)}</a>${where}<small>${escaped(excerpt)}</small></li>`;
  });
  return items.length === 0 ? "" : `<ul class="results">${items.join("\n")}</ul>`;
}

/** What the last part of an address that leads nowhere may be about: `quick_start.html` is "quick start". */
const wordsOf = (address: string): string =>
  (address.split("/").findLast((part) => part !== "") ?? "")
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim();

/** Numbers of examples, as the guide and the OpenAPI document write them: `70123456`, `+22676123457`. */
const EXAMPLE = /(?<!\d)((?:00)?226)?((?:70|76|07)12345[67])(?!\d)/g;
const COUNTRY = "226";
/** Fewer digits of an example's own say what a test key does with it. */
const MAX_PREFIX_LENGTH = 6;

/**
 * A page whose examples can be tried here as they stand: a number that no operator owns gets the beginning of one that an operator
 * does, and keeps its end. `prefixes` are those of the operators, E.164 digits without "+".
 */
export function replaceExampleNumbers(page: string, prefixes: readonly string[]): string {
  const own = prefixes
    .filter((prefix) => prefix.startsWith(COUNTRY))
    .map((prefix) => prefix.slice(COUNTRY.length))
    .find(({ length }) => length > 0 && length <= MAX_PREFIX_LENGTH);
  if (own === undefined) return page;
  return page.replaceAll(EXAMPLE, (written, country: string | undefined, number: string) => {
    if (prefixes.some((prefix) => `${COUNTRY}${number}`.startsWith(prefix))) return written;
    return `${country ?? ""}${own}${number.slice(own.length)}`;
  });
}

/** The moment of examples that are for later, as the guide writes it. */
const EXAMPLE_TIME = "2026-03-01T18:00:00";
const DAY_MS = 86_400_000;
const DATE_LENGTH = "2026-03-01".length;

/** A page whose examples for later are for the evening after `nowMs`, so that they can be tried as they stand. */
export function replaceExampleTimes(page: string, nowMs: number): string {
  const tomorrow = new Date(nowMs + DAY_MS).toISOString().slice(0, DATE_LENGTH);
  return page.replaceAll(EXAMPLE_TIME, `${tomorrow}${EXAMPLE_TIME.slice(DATE_LENGTH)}`);
}

/** An operator's code, and the beginnings of the numbers that it owns: E.164 digits without "+". */
export type ServedNumbers = { readonly operator: string; readonly prefixes: readonly string[] };

/** Stands in a page where the beginnings of numbers are told that this appliance serves. */
const MARK = "<!-- served numbers -->";

/** A page (HTML) that tells by operator how numbers begin that can be written to here; nothing where there is no operator. */
function fillServedNumbers(page: string, served: readonly ServedNumbers[], language: GuideLanguage): string {
  if (!page.includes(MARK)) return page;
  const { operator, begin } = WORDS[language].served;
  const rows = served.map(({ operator: code, prefixes }) => {
    const beginnings = prefixes.toSorted().map((prefix) => `<code>+${escaped(prefix)}</code>`);
    return `<tr><td><code>${escaped(code)}</code></td><td data-head="${begin}">${beginnings.join(" ")}</td></tr>`;
  });
  const table = `<div class="table" tabindex="0"><table><thead><tr><th>${operator}</th><th>${begin}</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
  return page.replace(MARK, served.length > 0 ? table : "");
}
