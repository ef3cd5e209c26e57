import { describe, expect, test } from "vitest";
import { compileTemplate, render } from "../../src/text/template.ts";
import { valuesIn } from "../../src/text/values-in.ts";

const inText = (body: string, text: string) => valuesIn(compileTemplate(body), text);

describe("what a text was filled in with", () => {
  test("is read back between the words of the template", () => {
    const body = "Bonjour {nom}, votre solde est de {solde} F";
    expect(inText(body, "Bonjour Awa Traoré, votre solde est de 5000 F")).toEqual({
      ...{ nom: "Awa Traoré", solde: "5000" },
    });
    expect(inText("{nom}", "Awa")).toEqual({ nom: "Awa" });
    expect(inText("Bonjour", "Bonjour")).toEqual({});
  });

  test("is told by nobody where there is more than one way, or none", () => {
    expect(inText("{a}{b}", "12")).toBeNull();
    expect(inText("{a} {b}", "Awa Traoré 5000")).toBeNull();
    expect(inText("Solde {a}, {b}.", "Solde 1, 2, 3.")).toBeNull();
    expect(inText("{a}-{a}", "1-2")).toBeNull();
    expect(inText("Bonjour {nom}", "Salut Awa")).toBeNull();
    expect(inText("Bonjour", "Bonsoir")).toBeNull();
    expect(inText("aba{x}ba", "aba")).toBeNull();
  });

  test("is what it was filled in with, wherever it is told", () => {
    const bodies = ["Bonjour {a}, {b} F", "{a}: {b}", "{a} et {b} et {a}"];
    const words = ["", "x", "x, y", "et", " et ", ": ", "F"];
    for (const body of bodies) {
      for (const a of words) {
        for (const b of words) {
          const template = compileTemplate(body);
          const told = valuesIn(template, render(template, { a, b }) ?? "");
          if (told !== null) expect(told).toEqual({ a, b });
        }
      }
    }
  });
});
