/**
 * The documentation for clients as the appliance serves it: the pages of the guide in two languages, the reference, a search.
 *
 * A page is Markdown (`pages`), becomes HTML (`markdown`), and gets its frame (`layout`, with the words of its language).
 * `reference` makes the reference and the try-it page from the OpenAPI document. Pages are made when they are first requested,
 * and kept. `routes` serves them.
 */
import { type GuideLanguage, WORDS } from "./language.ts";
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
  /** The HTML of the results of a search. */
  readonly results: (language: GuideLanguage, query: string) => Promise<string>;
  /** The HTML for an address without a page, with the pages that it may mean. */
  readonly missing: (language: GuideLanguage, address: string) => Promise<string>;
};

/** The placeholder in the guide for the address of the appliance that serves it. */
const EXAMPLE_ORIGIN = "https://sms.example.bf";
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;
const REFERENCE = "reference";
const TRIAL = "try";
/** The most pages offered in place of one that does not exist. */
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
      const title = WORDS[language].found({ query });
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
<p>${lead({ address: `<code>${escaped(address)}</code>` })}</p>
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

/** The pages that an address may mean, each once: first those with a matching name, then those with matching text. */
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

/** The search hits as an HTML list; empty when there are none. */
function listOf(found: readonly SearchHit[], language: GuideLanguage): string {
  const items = found.map(({ slug, page, anchor, heading, excerpt }) => {
    const href = `/docs/${language}/${slug}${anchor === "" ? "" : `#${anchor}`}`;
    const where = heading === page ? "" : ` <small>${escaped(page)}</small>`;
    return `<li><a href="${href}">${escaped(heading)}</a>${where}<small>${escaped(excerpt)}</small></li>`;
  });
  return items.length === 0 ? "" : `<ul class="results">${items.join("\n")}</ul>`;
}

/** The words in the last part of an address without a page: `quick_start.html` is "quick start". */
const wordsOf = (address: string): string =>
  (address.split("/").findLast((part) => part !== "") ?? "")
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim();

/** Example numbers, as the guide and the OpenAPI document write them: `70123456`, `+22676123457`. */
const EXAMPLE = /(?<!\d)((?:00)?226)?((?:70|76|07)12345[67])(?!\d)/g;
const COUNTRY = "226";
/** The longest prefix put in: the rest of an example's digits must still choose what a test key does with it. */
const MAX_PREFIX_LENGTH = 6;

/**
 * Makes the examples of a page usable here as they stand: a number that no operator owns gets the prefix of one that an operator
 * owns, and keeps its end. `prefixes`: those of the operators, E.164 digits without "+".
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

/** The moment of scheduled examples, as the guide writes it. */
const EXAMPLE_TIME = "2026-03-01T18:00:00";
const DAY_MS = 86_400_000;
const DATE_LENGTH = "2026-03-01".length;

/** Moves the scheduled examples of a page to the evening after `nowMs`, so that they can be tried as they stand. */
export function replaceExampleTimes(page: string, nowMs: number): string {
  const tomorrow = new Date(nowMs + DAY_MS).toISOString().slice(0, DATE_LENGTH);
  return page.replaceAll(EXAMPLE_TIME, `${tomorrow}${EXAMPLE_TIME.slice(DATE_LENGTH)}`);
}

/** An operator's code, and the prefixes of the numbers that it owns: E.164 digits without "+". */
export type ServedNumbers = { readonly operator: string; readonly prefixes: readonly string[] };

/** The placeholder in a page for the prefixes of numbers that this appliance serves. */
const MARK = "<!-- served numbers -->";

/** Fills the placeholder of a page (HTML) with the served prefixes by operator; with nothing where there is no operator. */
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
