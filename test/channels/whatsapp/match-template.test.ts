import { describe, expect, test } from "vitest";
import {
  type KnownTemplate,
  templateMatcher,
  type WantedText,
} from "../../../src/channels/whatsapp/match-template.ts";
import { comparable, listPlaceholders, splitTemplate } from "../../../src/channels/whatsapp/template-text.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { compileTemplate } from "../../../src/text/template.ts";

const template = (changes: Partial<KnownTemplate> = {}): KnownTemplate => ({
  name: "ready",
  language: "fr",
  category: "UTILITY",
  format: "NAMED",
  whyNot: null,
  firstSeenMs: 1,
  body: "Bonjour {{nom}}, votre commande {{numero}} est prête.",
  ...changes,
});
const match = (body: string, templates: KnownTemplate[], changes: Partial<WantedText> = {}) =>
  templateMatcher(templates)({
    pieces: compileTemplate(body).pieces,
    messageClass: "TRANSACTIONAL",
    named: null,
    ...changes,
  });
const nameOf = (body: string, templates: KnownTemplate[], changes: Partial<WantedText> = {}) => {
  const found = match(body, templates, changes);
  return found.kind === "template" ? found.template.name : found.kind;
};

describe("a body is the text of a template", () => {
  test("by the names of its tags where the parameters have names", () => {
    expect(nameOf("Bonjour {nom}, votre commande {numero} est prête.", [template()])).toBe("ready");
    expect(nameOf("Bonjour {numero}, votre commande {nom} est prête.", [template()])).toBe("differs");
  });

  test("by the order of first appearance where they have numbers", () => {
    const numbered = template({ format: "POSITIONAL", body: "{{1}} a payé {{2}} F." });
    expect(nameOf("{client} a payé {montant} F.", [numbered])).toBe("ready");
    expect(nameOf("{x} a payé {x} F.", [numbered])).toBe("differs");
    const swapped = template({ format: "POSITIONAL", body: "{{2}} a payé {{1}} F." });
    expect(nameOf("{client} a payé {montant} F.", [swapped])).toBe("ready");
  });

  test("with a tag used twice being one parameter", () => {
    const twice = template({ format: "POSITIONAL", body: "{{1}}, oui {{1}}, {{2}}" });
    expect(nameOf("{a}, oui {a}, {b}", [twice])).toBe("ready");
    expect(nameOf("{a}, oui {b}, {a}", [twice])).toBe("differs");
    expect(listPlaceholders(splitTemplate(twice.body))).toEqual(["1", "2"]);
  });

  test("whatever its white space and the way its accents are made", () => {
    const body = "  Bonjour\t{nom},\n\n votre commande {numero}\u00a0est prête. ";
    expect(nameOf(body, [template()])).toBe("ready");
    expect(nameOf(body.normalize("NFD"), [template()])).toBe("ready");
    expect(nameOf("Bonjour{nom}, votre commande {numero} est prête.", [template()])).toBe("differs");
  });

  test("never where the template's own words look like a tag, and says so", () => {
    const why = phrase("template.tag", { tag: "code" });
    const odd = template({ body: "Bonjour {{nom}}, tapez {code}.", whyNot: why });
    expect(match("Bonjour {nom}, tapez {code}.", [odd])).toMatchObject({ kind: "unusable", why });
    expect(
      nameOf("Bonjour {nom}, tapez {code}.", [odd, template({ body: "Bonjour {{nom}}, tapez {{code}}." })]),
    ).toBe("ready");
    expect(match("Bonjour {nom}, tapez {code} vite.", [odd])).toMatchObject({
      kind: "differs",
      expected: expect.stringContaining("tapez {code}."),
      found: expect.stringContaining("tapez {code} vite."),
    });
  });

  test("never because text looks like a place", () => {
    const plain = template({ body: "Bonjour 1", format: "POSITIONAL" });
    expect(nameOf("Bonjour {x}", [plain])).toBe("differs");
    expect(comparable(["a\u0000b\u0000c"], "NAMED")).not.toBe(comparable(["a", "b", "c"], "NAMED"));
  });
});

describe("of equal texts", () => {
  const body = "Bonjour {nom}, votre commande {numero} est prête.";
  const older = template({ name: "older", firstSeenMs: 1 });
  const newer = template({ name: "newer", firstSeenMs: 2 });
  const offer = template({ name: "offer", category: "MARKETING", firstSeenMs: 3 });

  test("the newest of the class's category is taken", () => {
    expect(nameOf(body, [older, offer, newer])).toBe("newer");
    expect(nameOf(body, [older, offer, newer], { messageClass: "MARKETING" })).toBe("offer");
  });

  test("one that cannot be used is passed over", () => {
    expect(nameOf(body, [older, { ...newer, whyNot: phrase("template.paused") }])).toBe("older");
  });

  test("the one that is named is taken, and no other", () => {
    const named = { name: "older", language: "fr" };
    expect(nameOf(body, [older, newer], { named })).toBe("older");
    const english = { name: "older", language: "en" };
    expect(match(body, [older], { named: english })).toMatchObject({
      kind: "unusable",
      why: phrase("template.other", { name: "older", language: "fr" }),
    });
  });

  test("it is said why none can be used", () => {
    expect(match(body, [{ ...older, whyNot: phrase("template.paused") }])).toMatchObject({
      why: phrase("template.paused"),
    });
    expect(match(body, [offer])).toMatchObject({
      kind: "unusable",
      why: phrase("template.category", { category: "MARKETING", needed: "UTILITY" }),
    });
    expect(match(body, [older], { messageClass: "OTP" })).toMatchObject({
      why: phrase("template.category", { category: "UTILITY", needed: "AUTHENTICATION" }),
    });
  });
});

describe("a body that is no template's", () => {
  test("is told the nearest, and where it first differs", () => {
    const other = template({ name: "other", body: "Votre code est {{code}}" });
    const found = match("Bonjour {nom}, ta commande {numero} est prête.", [other, template()]);
    expect(found).toMatchObject({
      kind: "differs",
      template: { name: "ready" },
      expected: "Bonjour {{nom}}, votre commande {{numero",
      found: "Bonjour {nom}, ta commande {numero} est ",
    });
  });

  test("is compared with the one that was named, where there is such a one", () => {
    const named = { name: "other", language: "fr" };
    const other = template({ name: "other", body: "Votre code est {{code}}" });
    const body = "Bonjour {nom}, ta commande {numero} est prête.";
    expect(match(body, [template(), other], { named })).toMatchObject({ template: { name: "other" } });
    expect(match(body, [template(), other], { named: { ...named, language: "en" } })).toMatchObject({
      template: { name: "ready" },
    });
  });

  test("is told that there are none", () => {
    expect(match("Bonjour", [])).toEqual({ kind: "no templates" });
  });

  test("is shown 40 characters around the difference, none of them cut", () => {
    const long = "é".repeat(100);
    expect(match(`${long}x${long}`, [template({ body: `${long}😀${long}` })])).toMatchObject({
      expected: `${"é".repeat(20)}😀${"é".repeat(19)}`,
      found: `${"é".repeat(20)}x${"é".repeat(19)}`,
    });
    expect(match("abcd", [template({ body: "abc" })])).toMatchObject({ expected: "abc", found: "abcd" });
  });

  test("is shown places under the names that each text has for them", () => {
    const numbered = template({ format: "POSITIONAL", body: "{{2}} F reçus de {{1}}." });
    expect(match("{montant} F reçu de {qui}.", [numbered])).toMatchObject({
      expected: "{{2}} F reçus de {{1}}.",
      found: "{montant} F reçu de {qui}.",
    });
    const long = template({ body: `a {{${"n".repeat(60)}}} b` });
    expect(match(`a {${"m".repeat(60)}} b`, [long])).toMatchObject({
      expected: `a {{${"n".repeat(36)}`,
      found: `a {${"m".repeat(37)}`,
    });
  });
});
