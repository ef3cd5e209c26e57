import { describe, expect, test } from "vitest";
import type { Chance } from "../../src/core/chance.ts";
import { TEXT_POLICIES } from "../../src/core/text-rules.ts";
import { countSeptets } from "../../src/text/gsm-alphabet.ts";
import { applyTextPolicy, findReplacement, stripNonGsm } from "../../src/text/rewrite.ts";
import { MAX_SEGMENTS, normalizeText, weigh } from "../../src/text/segments.ts";
import { seeded, seeds } from "../kit/seeds.ts";

/** Every pair of the table in docs/behaviour.md#text-policy, by code point: nothing is taken from the source. */
const PAIRS: readonly (readonly [codePoints: readonly number[], replacement: string])[] = [
  [[0x2019, 0x2018, 0x00b4, 0x02bc, 0x2032, 0x201a, 0x201b, 0x0060], "'"],
  [[0x201c, 0x201d, 0x201e, 0x2033, 0x00ab, 0x00bb], '"'],
  [[0x2039], "<"],
  [[0x203a], ">"],
  [[0x2026], "..."],
  [[0x2013, 0x2014, 0x2010, 0x2011, 0x2012, 0x2212, 0x2022], "-"],
  [[0x0009, 0x00a0, ...range(0x2000, 0x200a), 0x202f, 0x205f], " "],
  [[0x00ad, 0x200b, 0x200e, 0x200f, 0x2060, 0xfeff], ""],
  [[0x0153], "oe"],
  [[0x0152], "OE"],
  [[0x00e7], "c"],
  [[0x00ea, 0x00eb], "e"],
  [[0x00e2], "a"],
  [[0x00ee, 0x00ef], "i"],
  [[0x00f4], "o"],
  [[0x00fb], "u"],
  [[0x00ff], "y"],
  [[0x00c0, 0x00c2], "A"],
  [[0x00c8, 0x00ca, 0x00cb], "E"],
  [[0x00ce, 0x00cf], "I"],
  [[0x00d4], "O"],
  [[0x00d9, 0x00db], "U"],
  [[0x0178], "Y"],
];

const VECTORS = PAIRS.flatMap(([codePoints, replacement]) =>
  codePoints.map((codePoint) => [named(codePoint), codePoint, replacement] as const),
);
const TABLE = new Map(VECTORS.map(([, codePoint, replacement]) => [codePoint, replacement]));
const CHANGING = [...TABLE.keys()].map((codePoint) => String.fromCodePoint(codePoint));
/** What must stay: letters of Mooré, Dioula and Fulfuldé, emoji, joiners, other alphabets. */
const STAYING = [..."ɛɔŋɩʋãẽ😀漢ابЖ", "\u200d", "\u200c", "\u3000", "\u0301", "\u1d9c"];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function named(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

const isGsm = (text: string): boolean => weigh(text).encoding === "GSM7";

describe("the table", () => {
  test.each(VECTORS)("%s", (_, codePoint, replacement) => {
    const character = String.fromCodePoint(codePoint);
    const text = normalizeText(`Le ${character} 10`);
    expect(applyTextPolicy(text, "gsm_only").text).toBe(`Le ${replacement} 10`);
    expect(applyTextPolicy(text, "rewrite").text).toBe(`Le ${replacement} 10`);
    expect(applyTextPolicy(text, "as_is").text).toBe(text);
    expect(findReplacement(character)).toBe(replacement);
  });

  test("holds nothing else, of all characters", () => {
    const others: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const character = String.fromCodePoint(codePoint);
      const isChanged = applyTextPolicy(character, "gsm_only").text !== character;
      if (isChanged !== TABLE.has(codePoint)) others.push(named(codePoint));
    }
    expect(others).toEqual([]);
  });

  test("gives nothing but what the alphabet has", () => {
    for (const [, , replacement] of VECTORS) expect(isGsm(replacement)).toBe(true);
  });
});

describe("a text is rewritten", () => {
  test("when all of it fits then, as people write French", () => {
    const text = normalizeText("L’école « Saint-Benoît » : rentrée le 3\u202f octobre… reçu, sœur !");
    expect(applyTextPolicy(text, "rewrite").text).toBe(
      'L\'école " Saint-Benoit " : rentrée le 3  octobre... recu, soeur !',
    );
  });

  test("not at all when one character can't be", () => {
    for (const character of STAYING) {
      const text = normalizeText(`reçu ${character} merci`);
      if (isGsm(text)) continue;
      expect(applyTextPolicy(text, "gsm_only").text).toBe(text);
      expect(applyTextPolicy(text, "rewrite").text).toBe(text);
    }
  });

  test("not where that costs a segment, unless only GSM-7 may be sent", () => {
    // 70 units of UCS-2 are one part; 70 ellipses are 210 septets.
    const text = "…".repeat(70);
    expect(applyTextPolicy(text, "rewrite")).toEqual({ text, weight: weigh(text) });
    expect(applyTextPolicy(text, "gsm_only")).toEqual({
      text: "...".repeat(70),
      weight: { encoding: "GSM7", segments: 2, units: 210 },
    });
  });

  test("to nothing, where nobody saw anything of it", () => {
    expect(applyTextPolicy("\u200b\u2060", "rewrite").text).toBe("");
  });

  test("unless nobody could send so much, though it were invisible", () => {
    const text = "\u200b".repeat(MAX_SEGMENTS * 153 + 1);
    expect(applyTextPolicy(text, "gsm_only").text).toBe(text);
  });
});

describe("whatever the text", () => {
  test.each(seeds(6))(
    "it is rewritten wholly or not at all (seed %d)",
    seeded((chance) => {
      for (let run = 0; run < 2000; run++) holds(normalizeText(randomText(chance)));
    }),
  );
});

/** What is true of every prepared text. */
function holds(text: string): void {
  for (const policy of TEXT_POLICIES) {
    const { text: sent, weight } = applyTextPolicy(text, policy);
    expect(weight).toEqual(weigh(sent));
    expect(applyTextPolicy(sent, policy).text).toBe(sent);
    if (isGsm(text) || policy === "as_is") expect(sent).toBe(text);
    if (sent === text) continue;
    expect(isGsm(sent)).toBe(true);
    expect(sent).toBe(byHand(text));
    if (policy === "rewrite") expect(weight.segments).toBeLessThanOrEqual(weigh(text).segments);
  }
  const canBe = [...text].every(
    (character) => isInAlphabet(character) || TABLE.has(character.codePointAt(0) ?? 0),
  );
  expect(isGsm(applyTextPolicy(text, "gsm_only").text)).toBe(canBe);
}

const isInAlphabet = (character: string) =>
  character.length === 1 && countSeptets(character.charCodeAt(0)) > 0;

function byHand(text: string): string {
  return [...text]
    .map((character) => (isInAlphabet(character) ? character : TABLE.get(character.codePointAt(0) ?? 0)))
    .join("");
}

function randomText(chance: Chance): string {
  const one = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(chance.fraction() * from.length)] ?? otherwise;
  const plain = [..."Bonjour à tous, reçu 10 000 F €[]{}~\\é\n", "e\u0302", "a\u0300", "c\u0327"];
  const staying = chance.fraction() < 0.3 ? STAYING : plain;
  const kinds = [plain, plain, plain, CHANGING, chance.fraction() < 0.5 ? ["…"] : plain, staying];
  const length = Math.floor(chance.fraction() * (chance.fraction() < 0.1 ? 700 : 200));
  return Array.from({ length }, () => one(one(kinds, plain), "")).join("");
}

test("without its rare characters a text has what stands in for them, and nothing in place of others", () => {
  expect(stripNonGsm("Ça coûte 5 € 😀ɛ… « là »")).toBe('Ça coute 5 € ... " là "');
  for (const character of [...CHANGING, ...STAYING]) {
    expect(isGsm(stripNonGsm(normalizeText(`a${character}b`)))).toBe(true);
  }
});
