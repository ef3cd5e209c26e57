/**
 * Renders pages of the client guide and of the reference from Markdown to HTML, with anchors, coloured code, tabs of code by language,
 * and the sections that search reads.
 */
import { Marked, type Token, type Tokens } from "marked";
import { escaped } from "./escape.ts";
import { highlight } from "./highlight.ts";
import type { GuideLanguage } from "./language.ts";

/** A page as HTML, with what search and the list of contents need. */
export type RenderedPage = {
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly lead: string;
  /** Made when it is first asked for: most of the work is the colouring of code, and a search needs none. */
  readonly html: () => string;
  readonly sections: readonly Section[];
};

/** The content below one heading, up to the next. */
export type Section = {
  readonly anchor: string;
  readonly heading: string;
  readonly depth: number;
  /** Plain text. */
  readonly text: string;
  /** Text that search weighs least, line by line: programs and answers, the fields of an operation. */
  readonly details?: string;
};

/** Names of programming languages as tabs show them, by the word after the fence. */
const TABS: ReadonlyMap<string, string> = new Map([
  ["sh", "curl"],
  ["python", "Python"],
  ["js", "Node.js"],
  ["php", "PHP"],
  ["java", "Java"],
  ["go", "Go"],
  ["ruby", "Ruby"],
]);

/**
 * The HTML of a page of the guide. Blocks of code that follow each other become tabs. Links to other pages of the guide lead
 * to where they are served.
 */
export function renderPage(markdown: string, language: GuideLanguage): RenderedPage {
  const marked = new Marked({ gfm: true, renderer: rendererFor(language) });
  const tokens = marked.lexer(markdown);
  const parse = (some: Token[]) => marked.parser(some);
  const render = (group: Token[], place: number) =>
    group.length > 1 ? tabsOf(group as Tokens.Code[], place) : parse(group);
  const sections = sectionsOf(tokens);
  const lead = tokens.find(({ type }) => type === "paragraph");
  return {
    title: sections.find(({ depth }) => depth === 1)?.heading ?? "",
    lead: lead ? plainText(lead) : "",
    html: makeOnce(() => groupsOf(tokens).map(render).join("")),
    sections,
  };
}

/**
 * The HTML of the page of one operation: its text, and beside it the examples, which are what stands behind its last heading. Search
 * has it as one section, with the fields as what it weighs least.
 */
export function renderOperationPage(markdown: string, language: GuideLanguage): RenderedPage {
  const marked = new Marked({ gfm: true, renderer: { ...rendererFor(language), ...REFERENCE_RENDERER } });
  const tokens = marked.lexer(markdown);
  const examplesAt = tokens.findLastIndex(({ type }) => type === "heading");
  const text = tokens.slice(0, examplesAt);
  const [title, ...paragraphs] = text
    .filter(({ type }) => type === "heading" || type === "paragraph")
    .map(plainText);
  const rows = text.flatMap((token) => (isTable(token) ? token.rows : []));
  const section: Section = {
    anchor: "",
    heading: title ?? "",
    depth: 1,
    text: paragraphs.join(" "),
    details: rows.map((row) => row.map(plainText).join(" ")).join("\n"),
  };
  const html = makeOnce(
    () => `<div class="operation">
<div>${marked.parser(text)}</div>
<aside>${marked.parser(tokens.slice(examplesAt))}</aside>
</div>\n`,
  );
  return { title: section.heading, lead: paragraphs[1] ?? "", html, sections: [section] };
}

/** Makes a text when it is first asked for, and keeps it. */
function makeOnce(make: () => string): () => string {
  let made: string | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const isTable = (token: Token): token is Tokens.Table => token.type === "table";

/** In the reference the method of a request stands out, and a long name may break behind each of its parts. */
const REFERENCE_RENDERER = {
  codespan({ text }: Tokens.Codespan): string {
    const [, method, rest = text] = /^([A-Z]+) (\/.*|https?:.*)$/.exec(text) ?? [];
    const name = escaped(rest).replaceAll(/(\.|_)(?=\w)/g, "$1<wbr>");
    return method === undefined
      ? `<code>${name}</code>`
      : `<code><span class="method">${method}</span> ${escaped(rest)}</code>`;
  },
};

/** Groups tokens: consecutive blocks of code of known languages together, all others alone. */
function groupsOf(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  const isTab = (token: Token | undefined) => token?.type === "code" && TABS.has(String(token.lang));
  for (const token of tokens.filter(({ type }) => type !== "space")) {
    const last = groups.at(-1);
    if (isTab(token) && last && isTab(last[0])) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

function tabsOf(blocks: readonly Tokens.Code[], group: number): string {
  const labels = blocks.map(({ lang = "" }, place) => {
    const id = `tab-${group}-${place}`;
    const checked = place === 0 ? " checked" : "";
    return `<input type="radio" name="tab-${group}" id="${id}" value="${lang}"${checked}><label for="${id}">${TABS.get(lang)}</label>`;
  });
  return `<div class="tabs">${labels.join("")}${blocks.map(codeBlock).join("")}</div>\n`;
}

const codeBlock = ({ text, lang = "" }: Tokens.Code) =>
  `<pre tabindex="0" data-lang="${escaped(lang)}"><code>${highlight(text, lang)}</code></pre>\n`;

function rendererFor(language: GuideLanguage) {
  return {
    heading(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Heading): string {
      const anchor = toAnchor(plainText(token));
      const inside = this.parser.parseInline(token.tokens);
      if (token.depth === 1) return `<h1>${inside}</h1>\n`;
      return `<h${token.depth} id="${anchor}"><a class="anchor" href="#${anchor}">${inside}</a></h${token.depth}>\n`;
    },
    code: codeBlock,
    link(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Link): string {
      return `<a href="${escaped(toServedPath(token.href, language))}">${this.parser.parseInline(token.tokens)}</a>`;
    },
    checkbox: () => '<span class="box" aria-hidden="true"></span> ',
    image({ href, text }: Tokens.Image): string {
      const name = href.replace(/^.*\//, "");
      return `<img src="/docs/${escaped(name)}" alt="${escaped(text)}">`;
    },
    table(
      this: { parser: { parseInline(tokens: Token[]): string } },
      { header, rows }: Tokens.Table,
    ): string {
      // On a phone a row is a block without the column heads, so each cell brings its own.
      const headOf = (tag: "td" | "th", column: number): string => {
        const head = header[column]?.text.replaceAll("`", "") ?? "";
        return tag === "th" || column === 0 || head === "" ? "" : ` data-head="${escaped(head)}"`;
      };
      const cells = (row: readonly Tokens.TableCell[], tag: "td" | "th") =>
        row
          .map((cell, at) => `<${tag}${headOf(tag, at)}>${this.parser.parseInline(cell.tokens)}</${tag}>`)
          .join("");
      const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      return `<div class="table" tabindex="0"><table><thead><tr>${cells(header, "th")}</tr></thead>
<tbody>${body}</tbody></table></div>\n`;
    },
  };
}

/** Where a link of the guide's Markdown leads in the pages as they are served. */
export function toServedPath(href: string, language: GuideLanguage): string {
  const [, page, anchor = ""] = /^(?:\.\/)?([\w-]+)\.md(#[^#]*)?$/.exec(href) ?? [];
  const target = anchor.replaceAll("_", "-");
  if (page === undefined) return href.startsWith("#") ? href.replaceAll("_", "-") : href;
  return page === "index" ? `/docs/${language}${target}` : `/docs/${language}/${page}${target}`;
}

/** The anchor of a heading: its words in lower case, joined by hyphens. Codes get the anchors that errors point to. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(/[ _]/g, "-");
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { anchor: string; heading: string; depth: number; text: string; details: string }[] = [];
  for (const token of tokens) {
    if (token.type === "heading") {
      const heading = plainText(token);
      sections.push({
        anchor: toAnchor(heading),
        heading,
        depth: Number(token.depth),
        text: "",
        details: "",
      });
      continue;
    }
    const current = sections.at(-1);
    if (token.type === "html") continue;
    if (!current) continue;
    // A program adds its language: a search for PHP should find where there is some.
    current.text += ` ${token.type === "code" ? (TABS.get(String(token.lang)) ?? "") : plainText(token)}`;
    if (token.type === "code") current.details += `${String(token.text)}\n`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, " ").trim() }));
}

/** The words of a token without its markup. */
function plainText(token: Token | Tokens.TableCell): string {
  if ("header" in token && "rows" in token) {
    const rows = [token.header, ...token.rows] as Tokens.TableCell[][];
    return rows.map((row) => row.map(plainText).join(" ")).join(" ");
  }
  if ("items" in token) return (token.items as Token[]).map(plainText).join(" ");
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token ? unescaped(String(token.text)) : "";
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
