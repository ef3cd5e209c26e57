import { describe, expect, test } from "vitest";
import type { RequestRecipient } from "../../../src/domain/submission/recipients.ts";
import {
  createLengthWarnings,
  createTagWarnings,
  MAX_WARNINGS,
} from "../../../src/domain/submission/warnings.ts";
import { english } from "../../../src/i18n/text.ts";
import { compileTemplate } from "../../../src/text/template.ts";

/** What is told of recipients with these attributes: "code tag nearest recipients". */
function told(body: string, recipients: readonly RequestRecipient["attributes"][]) {
  const book = createTagWarnings(compileTemplate(body), "empty");
  for (const attributes of recipients) book.isIncomplete({ msisdn: "1", attributes });
  return book.warnings().map(({ code, tag, nearest, recipients }) => [code, tag, nearest, recipients]);
}

describe("a tag without a value", () => {
  test("is told with the attribute that is nearest without case and accents, and that one with the tag", () => {
    expect(told("Bonjour {Prenom}", [{ prénom: "Awa" }, { prénom: "Issa" }, null])).toEqual([
      ["MISSING_ATTRIBUTE", "Prenom", "prénom", 3],
      ["UNUSED_ATTRIBUTE", "prénom", "Prenom", 2],
    ]);
    expect(told("{montant}", [{ montnat: 5 }])).toEqual([
      ["MISSING_ATTRIBUTE", "montant", "montnat", 1],
      ["UNUSED_ATTRIBUTE", "montnat", "montant", 1],
    ]);
  });

  test("may mean an attribute that another tag has", () => {
    expect(told("{nom} {Nom}", [{ nom: "Awa" }])).toEqual([["MISSING_ATTRIBUTE", "Nom", "nom", 1]]);
  });

  test("of a letter or two has no neighbour but itself in another case", () => {
    expect(told("100 {F}", [{ n: 1 }])).toEqual([
      ["MISSING_ATTRIBUTE", "F", null, 1],
      ["UNUSED_ATTRIBUTE", "n", null, 1],
    ]);
    expect(told("100 {F}", [{ f: 1 }])[0]).toEqual(["MISSING_ATTRIBUTE", "F", "f", 1]);
  });

  test("is one with null, and not one with an empty text, 0 or false", () => {
    expect(told("{a}{b}{c}{d}", [{ a: "", b: 0, c: false, d: null }])).toEqual([
      ["MISSING_ATTRIBUTE", "d", null, 1],
    ]);
  });

  test("is not one whose accents are written in another way", () => {
    expect(told("{prénom}", [{ "pre\u0301nom": "Awa", autre: 1 }])).toEqual([]);
  });
});

describe("a text in braces that is no tag", () => {
  const inBraces = (texts: readonly string[], recipients: readonly RequestRecipient["attributes"][]) => {
    const book = createTagWarnings(
      compileTemplate(texts.map((text) => `{${text}}`).join("")),
      "empty",
      texts,
    );
    for (const attributes of recipients) book.isIncomplete({ msisdn: "1", attributes });
    return book.warnings().map(({ code, tag, nearest, recipients }) => [code, tag, nearest, recipients]);
  };

  test("is told as it is written, with the attribute that is nearest", () => {
    expect(inBraces(["nom complet", " Nom  "], [{ Nom_complet: "Awa", nom: "Awa" }, null])).toEqual([
      ["TEXT_IN_BRACES", "nom complet", "Nom_complet", 2],
      ["TEXT_IN_BRACES", " Nom  ", "nom", 2],
    ]);
    expect(inBraces(["voir le site"], [{ nom: "Awa" }])).toEqual([
      ["TEXT_IN_BRACES", "voir le site", null, 1],
    ]);
  });

  test("is not told of a batch without attributes, which means no tags", () => {
    expect(inBraces(["nom complet"], [null, {}])).toEqual([]);
  });

  test("finds attributes that were left out as well", () => {
    const book = createTagWarnings(compileTemplate("{a b}"), "empty", ["a b"]);
    book.isIncomplete({ msisdn: "1", attributes: null, others: ["a_b"] });
    expect(book.warnings()).toMatchObject([{ code: "TEXT_IN_BRACES", nearest: "a_b" }]);
  });
});

describe("long texts", () => {
  test("are told from eleven segments on, how many and the longest, whichever way they go", () => {
    const book = createLengthWarnings();
    const draft = (segments: number, second: number | null = null) =>
      book.note({ segments, second: second === null ? null : { segments: second } });
    draft(10);
    expect(book.warnings()).toEqual([]);
    draft(11);
    draft(1, 14);
    expect(book.warnings()).toMatchObject([{ code: "LONG_TEXT", recipients: 2, segments: 14, tag: "" }]);
  });
});

describe("warnings", () => {
  test("say nothing of attributes while no tag lacks one", () => {
    expect(told("{nom}", [{ nom: "Awa", ville: "Bobo" }])).toEqual([]);
    expect(told("Bonjour", [{ ville: "Bobo" }])).toEqual([]);
  });

  test("begin with what most recipients miss, and are twenty at most", () => {
    const tags = Array.from({ length: 25 }, (_, index) => `tag${index}x`);
    const body = tags.map((tag) => `{${tag}}`).join("");
    const found = told(body, [{ tag0x: 1, ville: "Bobo" }, null]);
    expect(found.length).toBe(MAX_WARNINGS);
    expect(found[0]?.slice(0, 2)).toEqual(["MISSING_ATTRIBUTE", "tag1x"]);
    expect(told("{a1x}{b2y}", [{ a1x: 1, v: 1 }, null]).map(([, tag, , count]) => [tag, count])).toEqual([
      ["b2y", 2],
      ["a1x", 1],
      ["v", 1],
    ]);
  });

  test("remember a hundred names at most, whatever recipients bring", () => {
    const book = createTagWarnings(compileTemplate("{nom}"), "empty");
    for (let index = 0; index < 5000; index++)
      book.isIncomplete({ msisdn: "1", attributes: { [`a${index}`]: 1 } });
    expect(book.warnings().length).toBe(MAX_WARNINGS);
    expect(book.warnings()[0]).toMatchObject({ tag: "nom", recipients: 5000 });
  });

  test("say in words what becomes of it", () => {
    const of = (missing: "empty" | "reject") => {
      const book = createTagWarnings(compileTemplate("{Nom}"), missing);
      book.isIncomplete({ msisdn: "1", attributes: { nom: "Awa" } });
      return book.warnings().map(({ detail }) => english(detail));
    };
    expect(of("empty")).toEqual([
      '{Nom} has no value for 1 recipient: the text has a gap there; did you mean the attribute "nom"?',
      'no tag uses the attribute "nom" of 1 recipient; is it meant for {Nom}?',
    ]);
    expect(of("reject")[0]).toContain("for 1 recipient, who is rejected");
  });
});
