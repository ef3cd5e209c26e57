import { describe, expect, test } from "vitest";
import { renderPage } from "../../src/docs/site/markdown.ts";
import { search } from "../../src/docs/site/search.ts";

const page = (slug: string, markdown: string) => ({ slug, rendered: renderPage(markdown, "fr") });
const PAGES = [
  page(
    "argent",
    "# Argent\n\nLe solde.\n\n## Débité\n\nQuand l’opérateur a tout pris.\n\n## RATE_LIMITED\n\nTrop.",
  ),
  page("textes", `# Textes\n\n${"Des mots. ".repeat(30)}Un débit de parole.\n`),
];
const found = (query: string) => search(PAGES, query, "fr").map(({ slug, anchor }) => `${slug}#${anchor}`);

describe("a search", () => {
  test("finds words without their accents and case, and by their beginning; a heading comes first", () => {
    expect(found("DEBIT")).toEqual(["argent#débité", "textes#"]);
  });

  test("wants every word, and no letters inside of another", () => {
    expect(found("débité opérateur")).toEqual(["argent#débité"]);
    expect(found("débité silence")).toEqual([]);
    expect(found("ébité")).toEqual([]);
  });

  test("tries long words without their ends where nothing has them, and short ones never", () => {
    expect(found("débitera")).toEqual(["argent#débité", "textes#"]);
    expect(found("sold")).toEqual(["argent#"]);
    expect(found("soldx")).toEqual([]);
  });

  test("finds where there is a program in a language, and not what stands in it", () => {
    const pages = [page("essai", "# Essai\n\nUn programme.\n\n```php\necho secret();\n```\n")];
    expect(search(pages, "php", "fr")).toHaveLength(1);
    expect(search(pages, "secret", "fr")).toEqual([]);
  });

  test("finds a code", () => {
    expect(found("rate_limited")).toEqual(["argent#rate-limited"]);
  });

  test("shows the words around what it found", () => {
    expect(search(PAGES, "parole", "fr").map(({ excerpt }) => excerpt)).toEqual([
      expect.stringMatching(/^… .*Un débit de parole\.$/),
    ]);
  });

  test("finds nothing for nothing, and takes signs for signs", () => {
    expect(["", "  ", "(.*", "[-"].map(found)).toEqual([[], [], [], []]);
  });
});
