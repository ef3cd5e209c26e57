import { describe, expect, test } from "vitest";
import { pageWords } from "../../scripts/phrases/word-types.ts";
import { inFrenchType, withFrenchSpaces } from "../../src/i18n/french-spaces.ts";
import { inPrint, type WordNode } from "../../src/i18n/words.ts";

/** With the blanks at which no line breaks written out. */
const shown = (text: string) => text.replaceAll("\u00a0", "_");

describe("a French text", () => {
  test.each([
    ["Qui ? Moi : « oui » ; non !", "Qui_? Moi_: «_oui_»_; non_!"],
    ["1 000 000 de SMS, 95 % livrés", "1_000_000 de SMS, 95_% livrés"],
    ["12 500 F CFA en 30 s, 2 Go et 3 SMS", "12_500_F_CFA en 30_s, 2_Go et 3_SMS"],
    ["{rows} SMS à {time} : # h", "{rows}_SMS à {time}_: #_h"],
    ["{amount:money} à 08:30, https://exemple.bf", "{amount:money} à 08:30, https://exemple.bf"],
  ])("breaks no line before a sign, in a number or before a unit: %s", (written, set) => {
    expect(shown(withFrenchSpaces(written))).toBe(set);
    expect(shown(inFrenchType(written))).toBe(set);
  });

  test("has the quotes and apostrophes of print", () => {
    expect(shown(inFrenchType(`"inconnu" n'est pas un jour`))).toBe("«_inconnu_» n’est pas un jour");
  });

  test("that is set already stays as it is", () => {
    const once = inFrenchType('Qui ? "Moi" : 12 500 F CFA');
    expect(inFrenchType(once)).toBe(once);
  });
});

test("no word of a page in French has a place where its punctuation could stand alone", () => {
  const all = (node: WordNode): string[] =>
    typeof node === "string" ? [node] : Object.values(node).flatMap(all);
  const texts = [...pageWords("fr").values()].flatMap((page) => all(inPrint(page)));
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.filter((text) => / [:;?!»%]|« |\p{L}'\p{L}|"/u.test(text))).toEqual([]);
});
