import { describe, expect, test } from "vitest";
import type { GuideLanguage } from "../../src/docs/site/language.ts";
import { renderPage } from "../../src/docs/site/markdown.ts";
import { GUIDE } from "../../src/docs/site/pages.ts";
import { search } from "../../src/docs/site/search.ts";
import synonyms from "../../src/docs/site/synonyms.json" with { type: "json" };

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

  test("finds where there is a program in a language", () => {
    const pages = [page("essai", "# Essai\n\nUn programme.\n\n```php\necho secret();\n```\n")];
    expect(search(pages, "php", "fr")).toHaveLength(1);
  });

  describe("in programs", () => {
    const pages = [
      page(
        "signer",
        "# Signer\n\nComment.\n\n```php\n<?php\n$digest = hash_hmac('sha256', $body);\n```\n\n```js\nconst mac = createHmac(body);\n```\n",
      ),
      page("mots", "# Mots\n\nUn HMAC est une signature.\n\n## hmac\n\nAutre chose."),
    ];
    const places = (query: string) =>
      search(pages, query, "fr").map(({ slug, anchor }) => `${slug}#${anchor}`);

    test("finds a function by its name, and by a part of it", () => {
      expect(places("hash_hmac")).toEqual(["signer#"]);
      expect(places("createhmac")).toEqual(["signer#"]);
      expect(places("digest")).toEqual(["signer#"]);
      expect(places("igest")).toEqual([]);
    });

    test("comes behind headings and text, even where the page's title has another word of it", () => {
      expect(places("hmac")).toEqual(["mots#hmac", "mots#", "signer#"]);
      expect(places("signer hmac")).toEqual(["signer#"]);
    });

    test("shows the line that has it", () => {
      const [first] = search(pages, "createhmac", "fr");
      expect(first?.excerpt).toBe("const mac = createHmac(body);");
      expect(search(pages, "hash_hmac sha256", "fr")[0]?.excerpt).toBe(
        "$digest = hash_hmac('sha256', $body);",
      );
    });
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

describe("the words of the trade", () => {
  const editions = new Map(
    (["en", "fr"] as const).map((language) => [
      language,
      GUIDE.map(({ slug, [language]: text }) => ({ slug, rendered: renderPage(text, language) })),
    ]),
  );
  const first = (language: GuideLanguage, query: string) =>
    search(editions.get(language) ?? [], query, language)
      .slice(0, 3)
      .map(({ slug, anchor }) => `${slug}#${anchor}`);

  test.each([
    ["en", "go live", "going-live#"],
    ["en", "production", "going-live#"],
    ["en", "retention", "limits#what-is-kept"],
    ["en", "time zone", "classes#hours"],
    ["en", "degree", "texts#what-surprises-in-french"],
    ["en", "tax", "money#tax-and-statements"],
    ["en", "deprecated", "going-live#ask-your-provider"],
    ["en", "support", "going-live#ask-your-provider"],
    ["fr", "production", "going-live#"],
    ["fr", "mettre en production", "going-live#"],
    ["fr", "conservation", "limits#ce-qui-est-gardé"],
    ["fr", "durée de conservation", "limits#ce-qui-est-gardé"],
    ["fr", "fuseau horaire", "classes#heures"],
    ["fr", "accusé de réception", "following#la-vie-dun-message"],
    ["fr", "code à usage unique", "classes#envoyer-un-code"],
    ["fr", "programmer", "schedules#"],
    ["fr", "numéro faux", "errors#raisons-de-rejet"],
    ["fr", "TVA", "money#tva-et-relevés"],
    ["fr", "degré", "texts#ce-qui-surprend-en-français"],
    ["fr", "support", "going-live#à-demander-à-votre-fournisseur"],
  ] as const)(
    "are found as readers say them: in %s %s shows %s among the first",
    (language, query, place) => {
      expect(first(language, query)).toContain(place);
    },
  );

  test.each(["en", "fr"] as const)("lead somewhere, every one of them (%s)", (language) => {
    for (const asked of Object.keys(synonyms[language])) {
      expect([asked, first(language, asked)]).not.toEqual([asked, []]);
    }
  });
});
