/**
 * The documentation for clients as the appliance serves it: the pages of the guide in two languages, the reference, a search.
 *
 * Begin here: a page is Markdown (`pages`), becomes HTML (`markdown`), and gets what stands around it (`layout`, with the words of
 * its language). `reference` and `trial` are made of the OpenAPI document. Pages are made when they are first asked for, and kept.
 * `routes` serves them.
 */
import { withOwnNumbers } from "./example-numbers.ts";
import type { GuideLanguage } from "./language.ts";
import { layOut, type NavigationEntry } from "./layout.ts";
import { escaped, type RenderedPage, renderPage } from "./markdown.ts";
import { GUIDE, INDEX } from "./pages.ts";
import { referencePage } from "./reference.ts";
import { type Searchable, search } from "./search.ts";
import { type ServedNumbers, withServedNumbers } from "./served-numbers.ts";
import { trialPage } from "./trial.ts";
import { WORDS } from "./words.ts";

export type Site = {
  /** Paths behind `/docs/LANGUAGE` that are pages: "" is the first one. */
  readonly paths: readonly string[];
  /** The HTML of one of `paths`, for a reader who reached the appliance at `origin`: its examples can be tried as they stand. */
  readonly page: (language: GuideLanguage, path: string, origin: string) => Promise<string>;
  /** The HTML of what a search finds. */
  readonly results: (language: GuideLanguage, query: string) => Promise<string>;
};

/** Stands in the guide for the address of the appliance that serves it. */
const EXAMPLE_ORIGIN = "https://sms.example.bf";
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;
const REFERENCE = "reference";
const TRIAL = "try";

type Edition = { readonly index: RenderedPage; readonly pages: readonly Searchable[] };

/** The pages, the reference among them made of the OpenAPI document. `served`: what the operators here own. */
export function documentationSite(
  openApi: () => Promise<string>,
  served: () => readonly ServedNumbers[],
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
      const laidOut = layOut({ language, path, title, content: html, sections }, navigationOf(pages));
      const prefixes = served().flatMap((operator) => operator.prefixes);
      const page = withServedNumbers(withOwnNumbers(laidOut, prefixes), served(), language);
      return ORIGIN.test(origin) ? page.replaceAll(EXAMPLE_ORIGIN, origin) : page;
    },
    results: async (language, query) => {
      const { pages } = await editionIn(language);
      const title = WORDS[language].found(query);
      const content = resultsOf(pages, query, language);
      return layOut({ language, path: "/search", title, content, sections: [], query }, navigationOf(pages));
    },
  };
}

async function makeEdition(language: GuideLanguage, openApi: () => Promise<string>): Promise<Edition> {
  const document = await openApi();
  const guide = GUIDE.map((page) => ({ slug: page.slug, rendered: renderPage(page[language], language) }));
  return {
    index: renderPage(INDEX[language], language),
    pages: [
      ...guide,
      { slug: REFERENCE, rendered: referencePage(document, language) },
      { slug: TRIAL, rendered: trialPage(document, language) },
    ],
  };
}

function navigationOf(pages: readonly Searchable[]): NavigationEntry[] {
  return pages.map(({ slug, rendered: { title } }) => {
    const group = GUIDE.find((page) => page.slug === slug)?.group ?? "reference";
    return { slug, title, group };
  });
}

function resultsOf(pages: readonly Searchable[], query: string, language: GuideLanguage): string {
  const words = WORDS[language];
  const found = search(pages, query, language).map(({ slug, page, anchor, heading, excerpt }) => {
    const href = `/docs/${language}/${slug}${anchor === "" ? "" : `#${anchor}`}`;
    const where = heading === page ? "" : ` <small>${escaped(page)}</small>`;
    return `<li><a href="${href}">${escaped(heading)}</a>${where}<small>${escaped(excerpt)}</small></li>`;
  });
  const list =
    found.length === 0 ? `<p>${words.nothing}</p>` : `<ul class="results">${found.join("\n")}</ul>`;
  return `<h1>${escaped(words.found(query))}</h1>\n${list}\n`;
}
