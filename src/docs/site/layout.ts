/**
 * HTML frame of the documentation pages that the appliance serves: navigation, table of contents, assets, and no-break
 * spaces for French.
 */
import { withFrenchSpaces } from "../../i18n/french-spaces.ts";
import { ICON_LINK, LOGO_PATH, type SellerBrand } from "../../ingress/http/brand.ts";
import { escaped } from "./escape.ts";
import style from "./guide.css" with { type: "text" };
import { type GuideLanguage, otherLanguage, WORDS } from "./language.ts";
import type { Section } from "./markdown.ts";
import script from "./script.txt" with { type: "text" };
import tryScript from "./try.txt" with { type: "text" };

export type NavigationEntry = {
  readonly slug: string;
  readonly title: string;
  readonly group: "start" | "guides" | "reference";
};

type SitePage = {
  readonly language: GuideLanguage;
  /** The path behind `/docs/LANGUAGE`: "" for the first page, else "/quick-start" and the like. */
  readonly path: string;
  readonly title: string;
  readonly content: string;
  readonly sections: readonly Section[];
  /** Whether the same address with `.md` behind it is the page as Markdown. */
  readonly hasMarkdown: boolean;
  /** The query that was searched for, shown in the field. */
  readonly query?: string;
  /** Who sells; null: our own name stands at the head. */
  readonly seller: SellerBrand | null;
};

/** Renders a whole page: the frame around its content is the same everywhere. */
export function renderLayout(page: SitePage, navigation: readonly NavigationEntry[]): string {
  const html = documentOf(page, navigation);
  return page.language === "fr" ? addFrenchSpaces(html) : html;
}

function documentOf(page: SitePage, navigation: readonly NavigationEntry[]): string {
  const { language, path, title } = page;
  const words = WORDS[language];
  const other = otherLanguage(language);
  const markdown = page.hasMarkdown
    ? `<link rel="alternate" type="text/markdown" href="/docs/${language}${path === "" ? "/index" : path}.md">\n`
    : "";
  const query = page.query === undefined ? "" : `?q=${encodeURIComponent(page.query)}`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · ${escaped(page.seller?.name ?? "Bendre")}</title>
${ICON_LINK}
<link rel="stylesheet" href="${toAssetUrl(ASSETS.style)}">
<link rel="alternate" hreflang="${other}" href="/docs/${other}${path}">
${markdown}<script src="${toAssetUrl(ASSETS.script)}" defer></script>
</head>
<body data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#text">${words.skip}</a>
<header${barOf(page.seller)}>
<a class="brand" href="/docs/${language}">${brandOf(page.seller)} <span>${words.home}</span></a>
<form role="search" action="/docs/${language}/search"><input type="search" name="q" maxlength="100" value="${escaped(page.query ?? "")}" aria-label="${words.searchFor}" placeholder="${words.searchFor}"><button>${words.search}</button></form>
<a class="menu" href="#menu">${words.menu}</a>
<a class="language" lang="${other}" hreflang="${other}" href="/docs/${other}${path}${query}">${words.other}</a>
</header>
<div class="columns">
<main id="text" tabindex="-1">
${withContents(page)}
${neighbours(page, navigation)}</main>
<nav id="menu" aria-label="${words.menu}">
${navigationOf(page, navigation)}</nav>
</div>
</body>
</html>
`;
}

/** The calabash, as the console has it. */
const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><ellipse cx="12" cy="7" rx="9" ry="3"/><path d="M3 7c0 9 4 14 9 14s9-5 9-14"/></svg> ';

/** The name at the head, with the seller's logo or our mark. */
function brandOf(seller: SellerBrand | null): string {
  if (seller === null) return `${MARK}Bendre`;
  const picture = seller.hasLogo ? `<img src="${LOGO_PATH}" alt="">` : MARK;
  return `${picture} ${escaped(seller.name)}`;
}

/** A line in the seller's colour, which the configuration has checked. */
function barOf(seller: SellerBrand | null): string {
  return seller === null || seller.colour === "" ? "" : ` style="border-top: 4px solid ${seller.colour}"`;
}

function navigationOf({ language, path }: SitePage, navigation: readonly NavigationEntry[]): string {
  const { groups } = WORDS[language];
  return (Object.keys(groups) as (keyof typeof groups)[])
    .map((group) => {
      const items = navigation
        .filter((entry) => entry.group === group && isListed(entry, path))
        .map(({ slug, title }) => {
          const current = path === `/${slug}` ? ' aria-current="page"' : "";
          const below = slug.includes("/") ? ' class="below"' : "";
          return `<li${below}><a href="/docs/${language}/${slug}"${current}>${escaped(title)}</a></li>`;
        });
      return `<h2>${groups[group]}</h2>\n<ul>\n${items.join("\n")}\n</ul>\n`;
    })
    .join("");
}

/** Pages below another stand in the list while that one, or one of them, is shown. */
function isListed({ slug }: NavigationEntry, path: string): boolean {
  const [above, below] = slug.split("/");
  return below === undefined || path === `/${above}` || path.startsWith(`/${above}/`);
}

const MIN_SECTIONS = 3;

/** The content with its list of contents after the first paragraph. */
function withContents(page: SitePage): string {
  const list = contentsOf(page);
  return page.content.replace("</p>\n", (end) => end + list);
}

/** The list of contents, where a page is long enough to need one. */
function contentsOf({ language, sections }: SitePage): string {
  const headings = sections.filter(({ depth }) => depth === 2);
  if (headings.length < MIN_SECTIONS) return "";
  const items = headings.map(
    ({ anchor, heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`,
  );
  return `<details class="contents"><summary>${WORDS[language].contents}</summary><ul>${items.join("")}</ul></details>\n`;
}

function neighbours({ language, path }: SitePage, navigation: readonly NavigationEntry[]): string {
  const place = navigation.findIndex(({ slug }) => path === `/${slug}`);
  if (place < 0) return "";
  const words = WORDS[language];
  const link = (entry: NavigationEntry | undefined, name: string, rel: string) =>
    entry
      ? `<a rel="${rel}" href="/docs/${language}/${entry.slug}"><span>${name}</span> ${escaped(entry.title)}</a>`
      : "<span></span>";
  return `<div class="neighbours">${link(navigation[place - 1], words.previous, "prev")}${link(navigation[place + 1], words.next, "next")}</div>\n`;
}

/** Parts that must stay unchanged: tags, and the content of code, scripts and fields. */
const APART = /(<(?:pre|code|script|textarea)\b[\s\S]*?<\/(?:pre|code|script|textarea)>|<[^>]*>)/;

/** French HTML as it is set: its text, and nothing else. */
export function addFrenchSpaces(html: string): string {
  return html
    .split(APART)
    .map((part, place) => (place % 2 === 1 ? part : withFrenchSpaces(part)))
    .join("");
}

type Asset = { readonly path: string; readonly content: string; readonly type: string };

/** The files that pages load beside their pictures. */
export const ASSETS = {
  style: { path: "/docs/guide.css", content: style, type: "text/css" },
  script: { path: "/docs/guide.js", content: script, type: "text/javascript" },
  tryScript: { path: "/docs/try.js", content: tryScript, type: "text/javascript" },
} as const satisfies Readonly<Record<string, Asset>>;

/** The URL of an asset: browsers keep it for a day, but never that of another version of the appliance. */
export const toAssetUrl = ({ path, content }: Asset): string => `${path}?v=${Bun.hash(content).toString(36)}`;
