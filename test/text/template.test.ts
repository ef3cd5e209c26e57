import { describe, expect, test } from "vitest";
import { MAX_TEXT_LENGTH, weigh } from "../../src/text/segments.ts";
import {
  type Attributes,
  compileTemplate,
  findBracedTexts,
  matchTagsToColumns,
  render,
} from "../../src/text/template.ts";

const filled = (body: string, attributes: Attributes | null = null) =>
  render(compileTemplate(body), attributes);

describe("tags", () => {
  test("are filled from the recipient's attributes", () => {
    expect(filled("Bonjour {nom}, solde {solde} F", { nom: "Awa", solde: 15000 })).toBe(
      "Bonjour Awa, solde 15000 F",
    );
  });

  test("may stand side by side, at both ends and more than once", () => {
    expect(filled("{a}{b}-{a}", { a: 1, b: 2 })).toBe("12-1");
  });

  // Keeps: behaviour 4.25
  test("have names of letters, digits, _, - and .", () => {
    const attributes = { "client.nom_2-b": "x", prénom: "Issa", "7": "sept" };
    expect(filled("{client.nom_2-b} {prénom} {7}", attributes)).toBe("x Issa sept");
  });

  test("may have letters with their accents apart", () => {
    expect(filled("{pre\u0301nom}", { "pre\u0301nom": "Issa" })).toBe("Issa");
  });

  test("are the names that read the same, whether their accents stand apart or not", () => {
    expect(filled("{pre\u0301nom}", { prénom: "Issa" })).toBe("Issa");
    expect(filled("{prénom} {ville}", { "pre\u0301nom": "Issa", ville: "Bobo" })).toBe("Issa Bobo");
    expect(filled("{prénom}{prenom}", { prenom: "Issa" })).toBe("Issa");
  });

  test("prefer the name that is written as they are", () => {
    const both = { "pre\u0301nom": "apart", prénom: "composed" };
    expect(filled("{prénom} {pre\u0301nom}", both)).toBe("composed apart");
  });

  // Keeps: behaviour 4.25
  test.each(["{}", "{ nom }", "{nom", "nom}", "{a b}", "{a:b}", "{nom\n}", "{$nom}"])(
    "%s is text",
    (body) => {
      expect(compileTemplate(body).hasTags).toBe(false);
      expect(filled(body, { nom: "Awa", a: "x" })).toBe(body);
    },
  );

  // Keeps: behaviour 4.25
  test.each([
    ["{Nom complet}", "Nom complet"],
    ["{ nom }", "nom"],
    ["{\u00a0nom\t}", "nom"],
    ["{a:b}", "a:b"],
    ["{Pr\u0065\u0301nom usuel}", "Pr\u00e9nom usuel"],
    [`{ ${"x".repeat(62)} }`.replace("x", "y"), ""],
    [`{${"\u{1f600}".repeat(64)}}`, "\u{1f600}".repeat(64)],
  ])("%s is one where an attribute is called so, without the blanks at its edges", (body, name) => {
    if (name === "") {
      expect(compileTemplate(body, [body.slice(1, -1).trim()]).hasTags).toBe(true);
      return;
    }
    expect(render(compileTemplate(`<${body}>`, [name]), { [name]: "Awa" })).toBe("<Awa>");
    expect(filled(`<${body}>`, { [name]: "Awa" })).toBe(`<${body.normalize("NFC")}>`);
  });

  test.each([`{${"x".repeat(64)} }`, "{a\nb}", "{a\u2028b}", "{}", "{ }", "{a {b} c}"])(
    "%j is none, whatever attributes are called",
    (body) => {
      const inner = body.slice(1, -1);
      expect(compileTemplate(body, [inner, inner.trim()]).pieces).toEqual(compileTemplate(body).pieces);
    },
  );

  test("that are no plain names stand beside others, and once for all ways of writing them", () => {
    const { tags, pieces } = compileTemplate("{nom} {a b}{ nom }{x y} {  a b}", ["a b", "nom"]);
    expect(tags).toEqual(["nom", "a b"]);
    expect(pieces).toEqual(["", "nom", " ", "a b", "", "nom", "{x y} ", "a b", ""]);
  });

  test("and texts in braces are told apart, each as it is written", () => {
    expect(findBracedTexts("{nom} { nom } {a b} {a b} {} {x\n} {{c d}} {")).toEqual([
      " nom ",
      "a b",
      "",
      "c d",
    ]);
  });

  test("are called as the columns of a file whose headings they say", () => {
    const columns = ["Nom_complet", "Prix_(F)", "nom"];
    expect(matchTagsToColumns("{Nom complet} {Nom  complet} { nom } {Prix (F)} {nom} {Ville}", columns)).toBe(
      "{Nom_complet} {Nom_complet} {nom} {Prix_(F)} {nom} {Ville}",
    );
    expect(matchTagsToColumns("{{Nom complet}} {toString } {__proto__ }", columns)).toBe(
      "{{Nom_complet}} {toString } {__proto__ }",
    );
  });

  test("are found inside other braces", () => {
    expect(filled("{{nom}} {x {nom}}", { nom: "Awa" })).toBe("{Awa} {x Awa}");
  });

  test("are told from a body without any", () => {
    expect(compileTemplate("Bonjour").hasTags).toBe(false);
    expect(compileTemplate("{nom}").hasTags).toBe(true);
  });
});

describe("values", () => {
  test.each([
    ["text", "text"],
    ["", ""],
    [0, "0"],
    [-0, "0"],
    [12.5, "12.5"],
    [1e21, "1e+21"],
    [true, "true"],
    [false, "false"],
    [null, ""],
  ])("%p is written as %p", (value, written) => {
    expect(filled("<{v}>", { v: value })).toBe(`<${written}>`);
  });

  // Keeps: behaviour 4.26
  test("that are missing leave nothing behind", () => {
    expect(filled("a{x}b", {})).toBe("ab");
    expect(filled("a{x}b", null)).toBe("ab");
  });

  test("come from the recipient only, never from what every object has", () => {
    expect(filled("[{constructor}{__proto__}{toString}{hasOwnProperty}]", {})).toBe("[]");
    const own: Attributes = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    expect(filled("{__proto__}{constructor}", own)).toBe("ab");
  });

  test("are not searched for tags themselves", () => {
    expect(filled("{a}", { a: "{b}", b: "no" })).toBe("{b}");
    expect(filled("{a}{b}", { a: "{b", b: "}" })).toBe("{b}");
    expect(filled("{a}", { a: "$& $1" })).toBe("$& $1");
  });
});

// Keeps: behaviour 4.28
test("the text is composed after the tags are filled in", () => {
  expect(filled("e{accent}", { accent: "\u0301" })).toBe("é");
  expect(filled("Noe\u0308l")).toBe("Noël");
});

test("a template can be rendered again and again", () => {
  const template = compileTemplate("{n}!");
  expect(["a", "b"].map((n) => render(template, { n }))).toEqual(["a!", "b!"]);
});

test("a text longer than any that can be sent is not put together", () => {
  let looks = 0;
  const attributes = {
    get a() {
      looks += 1;
      return "x".repeat(10_000);
    },
  };
  expect(filled("{a}".repeat(1000), attributes) === null).toBe(true);
  expect(looks).toBe(Math.floor(MAX_TEXT_LENGTH / 10_000) + 1);
});

test("a text whose accents stand apart may be longer than its parts hold", () => {
  const marks = "\u0313\u0301\u0345";
  expect(weigh(filled("{a}", { a: `\u03b1${marks}`.repeat(255 * 67) }) ?? "").segments).toBe(255);
});
