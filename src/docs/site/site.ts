/**
 * The documentation for clients as the appliance serves it: the pages of the guide in two languages, the reference, a search.
 *
 * A page is Markdown (`pages`, and `reference` for the OpenAPI document), gets examples that work here (`own-examples`), becomes HTML
 * (`markdown`), and gets its frame (`layout`, with the words of its language). Programs read the Markdown. `try-it` is a page of forms.
 * Pages are made when they are first requested, and kept. `routes` serves them.
 */

import type { SellerBrand } from "../../ingress/http/brand.ts";
import { escaped } from "./escape.ts";
import { type GuideLanguage, WORDS } from "./language.ts";
import { type NavigationEntry, renderLayout } from "./layout.ts";
import { type RenderedPage, renderOperationPage, renderPage } from "./markdown.ts";
import {
  EXAMPLE_ORIGIN,
  type ServedNumbers,
  useComingEvening,
  useOrigin,
  useServedNumbers,
} from "./own-examples.ts";
import { GUIDE, INDEX } from "./pages.ts";
import { REFERENCE, writeReference } from "./reference.ts";
import { type SearchHit, search } from "./search.ts";
import { renderTryItPage } from "./try-it.ts";

export type Site = {
  /** Paths behind `/docs/LANGUAGE` that are pages whatever the API has: "" is the first one. Pages of operations stand below `/reference`. */
  readonly paths: readonly string[];
  /** The HTML of a page, for a reader who reached the appliance at `origin`; null where there is none. */
  readonly page: (language: GuideLanguage, path: string, origin: string) => Promise<string | null>;
  /** The same as Markdown; null where there is none, as for the page of forms. */
  readonly markdown: (language: GuideLanguage, path: string, origin: string) => Promise<string | null>;
  /** A list of all pages as Markdown (llmstxt.org). */
  readonly summary: (origin: string) => Promise<string>;
  /** The HTML of the results of a search. */
  readonly results: (language: GuideLanguage, query: string) => Promise<string>;
  /** The HTML for an address without a page, with the pages that it may mean. */
  readonly missing: (language: GuideLanguage, address: string) => Promise<string>;
};

const TRIAL = "try";
/** The most pages offered in place of one that does not exist. */
const MAX_NEAR = 5;

type Page = {
  /** "" for the first page, else as in addresses: `quick-start`, `reference/submitBatch`. */
  readonly slug: string;
  readonly rendered: RenderedPage;
  /** Null for the page of forms. */
  readonly markdown: string | null;
};

/** All pages in a language, as they are for what the operators own. */
type Edition = { readonly document: string; readonly served: string; readonly pages: readonly Page[] };

/** The pages, the reference among them made of the OpenAPI document. `served`: what the operators here own; `nowMs`: the time. */
export function documentationSite(
  openApi: (language: GuideLanguage) => Promise<string>,
  served: () => readonly ServedNumbers[],
  nowMs: () => number,
  seller: () => SellerBrand | null = () => null,
): Site {
  const editions = new Map<GuideLanguage, Edition>();
  const editionIn = async (language: GuideLanguage): Promise<Edition> => {
    const document = await openApi(language);
    const numbers = JSON.stringify(served());
    const kept = editions.get(language);
    if (kept?.document === document && kept.served === numbers) return kept;
    const made = { document, served: numbers, pages: makePages(language, document, served()) };
    editions.set(language, made);
    return made;
  };
  const useHere = (text: string, origin: string): string =>
    useOrigin(useComingEvening(text, nowMs()), origin);
  return {
    paths: ["", ...GUIDE.map(({ slug }) => `/${slug}`), `/${REFERENCE}`, `/${TRIAL}`],
    page: async (language, path, origin) => {
      const { pages } = await editionIn(language);
      const found = findPage(pages, path);
      if (found === undefined) return null;
      const { title, sections } = found.rendered;
      const content = found.rendered.html();
      const hasMarkdown = found.markdown !== null;
      return useHere(
        renderLayout(
          { language, path, title, content, sections, hasMarkdown, seller: seller() },
          navigationOf(pages),
        ),
        origin,
      );
    },
    markdown: async (language, path, origin) => {
      const markdown = findPage((await editionIn(language)).pages, path)?.markdown ?? null;
      return markdown === null ? null : useHere(markdown, origin);
    },
    summary: async (origin) => useHere(summaryOf((await editionIn("en")).pages), origin),
    results: async (language, query) => {
      const { pages } = await editionIn(language);
      const title = WORDS[language].found({ query });
      const found = listOf(search(searchable(pages), query, language), language);
      const content = `<h1>${escaped(title)}</h1>\n${found || `<p>${WORDS[language].nothing}</p>`}\n`;
      return renderLayout(
        {
          language,
          path: "/search",
          title,
          content,
          sections: [],
          hasMarkdown: false,
          query,
          seller: seller(),
        },
        navigationOf(pages),
      );
    },
    missing: async (language, address) => {
      const { pages } = await editionIn(language);
      const { title, lead, perhaps } = WORDS[language].missing;
      const query = wordsOf(address);
      const near = listOf(nearestPages(searchable(pages), query, language), language);
      const content = `<h1>${title}</h1>
<p>${lead({ address: `<code>${escaped(address)}</code>` })}</p>
${near === "" ? "" : `<h2>${perhaps}</h2>\n${near}\n`}`;
      return renderLayout(
        { language, path: "", title, content, sections: [], hasMarkdown: false, query, seller: seller() },
        navigationOf(pages),
      );
    },
  };
}

function makePages(
  language: GuideLanguage,
  document: string,
  served: readonly ServedNumbers[],
): readonly Page[] {
  const own = (markdown: string) => fillServedNumbers(useServedNumbers(markdown, served), served, language);
  const guide = [{ slug: "", ...INDEX }, ...GUIDE].map((page) => {
    const markdown = own(page[language]);
    return { slug: page.slug, markdown, rendered: renderPage(markdown, language) };
  });
  const reference = writeReference(document, language).map(({ slug, markdown }) => ({
    slug,
    markdown,
    rendered: slug === REFERENCE ? renderPage(markdown, language) : renderOperationPage(markdown, language),
  }));
  const trial = { slug: TRIAL, markdown: null, rendered: renderTryItPage(document, language) };
  return [...guide, ...reference, trial];
}

/** The page behind `/docs/LANGUAGE` and a path. */
function findPage(pages: readonly Page[], path: string): Page | undefined {
  return pages.find(({ slug }) => path === (slug === "" ? "" : `/${slug}`));
}

/** What a search reads: the first page only names the others. */
const searchable = (pages: readonly Page[]): readonly Page[] => pages.filter(({ slug }) => slug !== "");

function navigationOf(pages: readonly Page[]): NavigationEntry[] {
  return searchable(pages).map(({ slug, rendered: { title } }) => {
    const group = GUIDE.find((page) => page.slug === slug)?.group ?? "reference";
    return { slug, title, group };
  });
}

/** The list of pages for programs that read documentation: https://llmstxt.org. */
function summaryOf(pages: readonly Page[]): string {
  const lines = pages
    .filter(({ markdown }) => markdown !== null)
    .map(({ slug, rendered: { title, lead } }) => {
      const address = `${EXAMPLE_ORIGIN}/docs/en/${slug === "" ? "index" : slug}.md`;
      return {
        isOperation: slug.startsWith(`${REFERENCE}/`),
        line: `- [${title}](${address}): ${lead.replaceAll(/\s+/g, " ")}`,
      };
    });
  const listed = (isOperation: boolean) =>
    lines.filter((one) => one.isOperation === isOperation).map(({ line }) => line);
  const { summary, guide, operations, more } = WORDS.en.programs;
  return `# Bendre

> ${summary}

${more}

## ${guide}

${listed(false).join("\n")}

## ${operations}

${listed(true).join("\n")}
`;
}

/** The pages that an address may mean, each once: first those with a matching name, then those with matching text. */
function nearestPages(pages: readonly Page[], query: string, language: GuideLanguage): SearchHit[] {
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

/** The placeholder in a page for the prefixes of numbers that this appliance serves. */
const MARK = "<!-- served numbers -->";

/** Fills the placeholder of a page (Markdown) with the served prefixes by operator; with nothing where there is no operator. */
function fillServedNumbers(page: string, served: readonly ServedNumbers[], language: GuideLanguage): string {
  const { operator, begin } = WORDS[language].served;
  const rows = served.map(({ operator: code, prefixes }) => {
    const beginnings = prefixes.toSorted().map((prefix) => `\`+${prefix}\``);
    return `| \`${code}\` | ${beginnings.join(" ")} |`;
  });
  const table = `| ${operator} | ${begin} |\n| --- | --- |\n${rows.join("\n")}\n`;
  return page.replace(MARK, served.length > 0 ? table : "");
}
