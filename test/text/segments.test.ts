import { describe, expect, test } from "vitest";
import { countSeptets } from "../../src/text/gsm-alphabet.ts";
import { MAX_SEGMENTS, normalizeText, split, weigh } from "../../src/text/segments.ts";
import vectors from "../kit/segment-vectors.json";
import { seededChance } from "../kit/test-chance.ts";
import { vectorText } from "../kit/vector-text.ts";

function unitsOf(part: string, encoding: "GSM7" | "UCS2"): number {
  if (encoding === "UCS2") return part.length;
  return [...part].reduce((sum, character) => sum + countSeptets(character.charCodeAt(0)), 0);
}

describe("the length vectors", () => {
  // Keeps: behaviour 4.30, 4.31
  test.each(vectors.lengths.map((vector) => [vector.name, vector] as const))("%s", (name, vector) => {
    const text = vectorText(name);
    expect(weigh(text)).toEqual({
      encoding: vector.encoding,
      segments: vector.segments,
      units: vector.units,
    });
    const { encoding, parts } = split(text);
    expect(parts.length).toBe(vector.segments);
    expect(parts.join("")).toBe(text);
    if (vector.sizes) expect(parts.map((part) => unitsOf(part, encoding))).toEqual(vector.sizes);
  });
});

describe("French as it is written", () => {
  test.each(vectors.french.map((vector) => [vector.text, vector] as const))("%s", (text, vector) => {
    expect(weigh(normalizeText(text))).toEqual({
      encoding: vector.encoding,
      segments: vector.segments,
      units: vector.units,
    });
  });

  // Keeps: behaviour 4.32
  test("ç costs UCS-2 and Ç does not", () => {
    expect(weigh("reçu").encoding).toBe("UCS2");
    expect(weigh("Ça va").encoding).toBe("GSM7");
  });
});

describe("a prepared text", () => {
  test("is composed, so that accents written apart count as those written together", () => {
    expect(normalizeText("cafe\u0301")).toBe("café");
    expect(weigh(normalizeText("cafe\u0301"))).toEqual({ encoding: "GSM7", segments: 1, units: 4 });
  });

  test("has no lone surrogate", () => {
    expect(normalizeText("a\ud83db\ude00")).toBe("a\ufffdb\ufffd");
    expect(normalizeText("😀")).toBe("😀");
  });

  test("is left as it is when prepared again", () => {
    const once = normalizeText("Noe\u0308l \u2126 \ud800");
    expect(normalizeText(once)).toBe(once);
  });
});

describe("splitting", () => {
  test("empty text is one empty GSM-7 part", () => {
    expect(weigh("")).toEqual({ encoding: "GSM7", segments: 1, units: 0 });
    expect(split("")).toEqual({ encoding: "GSM7", parts: [""] });
  });

  test("more parts than a message may have are counted, not hidden", () => {
    expect(weigh("a".repeat(153 * MAX_SEGMENTS)).segments).toBe(MAX_SEGMENTS);
    expect(weigh("a".repeat(153 * MAX_SEGMENTS + 1)).segments).toBe(MAX_SEGMENTS + 1);
  });

  // Keeps: behaviour 4.31, 4.33
  test("of any text: the count is the number of parts, which join to the text, fit, fill greedily and halve nothing", () => {
    const chance = seededChance(338);
    const alphabets = ["ab é\n", "a€[", "aê", "a😀", "😀€êa", "€"];
    for (let round = 0; round < 3000; round++) {
      const alphabet = [...(alphabets[round % alphabets.length] ?? "")];
      const length = Math.floor(chance.fraction() * 500);
      const pick = () => alphabet[Math.floor(chance.fraction() * alphabet.length)] ?? "";
      const text = normalizeText(Array.from({ length }, pick).join(""));
      const { encoding, parts } = split(text);
      const room = encoding === "GSM7" ? { single: 160, part: 153 } : { single: 70, part: 67 };
      expect(weigh(text)).toEqual({ encoding, segments: parts.length, units: unitsOf(text, encoding) });
      expect(parts.join("")).toBe(text);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      for (const [index, part] of parts.entries()) {
        const units = unitsOf(part, encoding);
        expect(units).toBeLessThanOrEqual(parts.length === 1 ? room.single : room.part);
        const [next] = parts[index + 1] ?? "";
        if (next) expect(units + unitsOf(next, encoding)).toBeGreaterThan(room.part);
      }
    }
  });
});
