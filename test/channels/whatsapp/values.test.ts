import { describe, expect, test } from "vitest";
import {
  extractValues,
  filled,
  findValueFault,
  isTooLong,
  normalizeValue,
  preparePieces,
} from "../../../src/channels/whatsapp/template-text.ts";
import { compileTemplate } from "../../../src/text/template.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

const pieces = (body: string) => preparePieces(compileTemplate(body).pieces);

describe("values", () => {
  const reason = (values: Record<string, string>, isCode = false, body = "a{x}") =>
    findValueFault(pieces(body), (place) => values[place] ?? "", isCode);

  test("lose outer white space, and have no run of it", () => {
    expect(normalizeValue(" \tAwa\r\n  Ouédraogo ")).toBe("Awa Ouédraogo");
    expect(normalizeValue("1 250 F")).toBe("1 250 F");
    expect(normalizeValue(" \n ")).toBe("");
  });

  test("are not empty", () => {
    expect([reason({ x: "" }), reason({}), reason({ x: "y" })]).toEqual([
      "RENDERED_VALUE_EMPTY",
      "RENDERED_VALUE_EMPTY",
      null,
    ]);
  });

  test("make no more than 1,024 characters with their text, each counted wherever it stands", () => {
    expect([reason({ x: "😀".repeat(1023) }), reason({ x: "😀".repeat(1024) })]).toEqual([
      null,
      "RENDERED_BODY_TOO_LONG",
    ]);
    expect(reason({ x: "y".repeat(600) }, false, "{x}{x}")).toBe("RENDERED_BODY_TOO_LONG");
    expect([isTooLong("😀".repeat(1024)), isTooLong("😀".repeat(1025)), isTooLong("y".repeat(9000))]).toEqual(
      [false, true, true],
    );
  });

  test("are a code of at most 15 characters", () => {
    expect([reason({ x: "1".repeat(15) }, true), reason({ x: "1".repeat(16) }, true)]).toEqual([
      null,
      "RENDERED_BODY_TOO_LONG",
    ]);
  });
});

describe("the values of a text", () => {
  const cut = (body: string, text: string) => extractValues(pieces(body), text);

  test("are found between what is fixed", () => {
    expect(
      cut("Bonjour {nom}, votre commande {n} est prête.", "Bonjour Awa, votre commande 7 est prête."),
    ).toEqual(["Awa", "7"]);
    expect(cut("{a} a payé {b} F.", "Awa, a payé hier a payé 15 F.")).toEqual(["Awa,", "hier a payé 15"]);
  });

  test("are one for a tag that is used twice", () => {
    expect(cut("{a}, oui {a}, {b}", "Awa, oui Awa, oui Awa, Ali")).toEqual(["Awa", "oui Awa, Ali"]);
    expect(cut("{a}-{a}", "x-x-y")).toBeNull();
    expect(cut("{a}-{a}", "x-y-x-y")).toEqual(["x-y"]);
  });

  test("are none where the text is another", () => {
    expect(cut("a{x}b", "ab")).toBeNull();
    expect(cut("a{x}b", "xab")).toBeNull();
    expect(cut("Bonjour", "Bonsoir")).toBeNull();
    expect(cut("Bonjour", "Bonjour")).toEqual([]);
  });

  test("are not looked for without end", () => {
    const many = Array.from({ length: 12 }, (_, at) => `{t${at}}`).join("");
    expect(cut(`${many}${many}b`, `${"a".repeat(900)}c`)).toBeNull();
  });

  test.each(seeds(4))(
    "read the same when they are put back, however it was cut (seed %d)",
    seeded((chance) => {
      const letters = ["a", "b", " ", "é", "ab"];
      const below = (most: number) => Math.floor(chance.fraction() * most);
      const text = (most: number) =>
        Array.from({ length: below(most) + 1 }, () => letters[below(letters.length)]).join("");
      for (let round = 0; round < 200; round++) {
        const places = Array.from({ length: below(4) + 1 }, () => `{p${below(3)}}`);
        const parts = pieces(places.map((place) => `${text(3)}${place}`).join("") + text(2));
        const values = new Map(["p0", "p1", "p2"].map((place) => [place, text(6)]));
        const whole = filled(parts, (place) => values.get(place) ?? "");
        const found = extractValues(parts, whole);
        expect(found).not.toBeNull();
        const names = [...new Set(parts.filter((_, at) => at % 2 === 1))];
        expect(filled(parts, (place) => found?.[names.indexOf(place)] ?? "")).toBe(whole);
      }
    }),
  );
});
