import { describe, expect, test } from "vitest";
import { concatenationHeader, parseUserData, readConcatenation } from "../../src/text/udh.ts";
import { seededChance } from "../kit/test-chance.ts";

describe("the header of a part", () => {
  test("is 05 00 03, reference, total, part", () => {
    expect(concatenationHeader({ reference: 0x2a, total: 3, part: 2 })).toEqual(
      Uint8Array.of(0x05, 0x00, 0x03, 0x2a, 3, 2),
    );
  });

  test("keeps the low octet of a longer reference", () => {
    expect(concatenationHeader({ reference: 0x1ff, total: 255, part: 255 })[3]).toBe(0xff);
  });

  test.each([
    { total: 256, part: 1 },
    { total: 2, part: 3 },
    { total: 2, part: 0 },
  ])("does not exist for part $part of $total", ({ total, part }) => {
    expect(() => concatenationHeader({ reference: 1, total, part })).toThrow("has a place in the header");
  });
});

describe("reading a header that must be followed", () => {
  const read = (...octets: number[]) => readConcatenation(Uint8Array.from(octets));

  test("gives the place, the kind of its reference, and the text", () => {
    expect(read(5, 0, 3, 7, 3, 2, 65)).toEqual({
      concatenation: { reference: 7, total: 3, part: 2 },
      bits: 8,
      body: Uint8Array.of(65),
    });
    expect(read(6, 8, 4, 1, 2, 3, 2)).toMatchObject({ concatenation: { reference: 0x102 }, bits: 16 });
    expect(read(0, 65)).toMatchObject({ concatenation: null, body: Uint8Array.of(65) });
  });

  test("is null for any other element, an impossible place, and a header that does not end within the text", () => {
    expect(read(4, 5, 2, 0, 0, 65)).toBeNull();
    expect(read(5, 0, 3, 7, 2, 3, 65)).toBeNull();
    expect(read(5, 0, 4, 7, 2, 1, 65)).toBeNull();
    expect(read(6, 0, 3, 7, 2, 1, 5)).toBeNull();
    expect(read(9, 0, 3, 7, 2, 1)).toBeNull();
  });
});

describe("reading a header", () => {
  const read = (...octets: number[]) => {
    const { concatenation, body } = parseUserData(Uint8Array.from(octets));
    return { concatenation, body: [...body] };
  };

  test("gives back what was written, and the text behind it", () => {
    const place = { reference: 7, total: 3, part: 2 };
    expect(read(...concatenationHeader(place), 0x41, 0x42)).toEqual({
      concatenation: place,
      body: [0x41, 0x42],
    });
  });

  test("knows the form with a 16-bit reference", () => {
    expect(read(6, 0x08, 4, 0x12, 0x34, 2, 1, 0x41)).toEqual({
      concatenation: { reference: 0x1234, total: 2, part: 1 },
      body: [0x41],
    });
  });

  test("passes over elements of another kind on either side", () => {
    expect(read(12, 0x05, 4, 0, 1, 0, 2, 0x00, 3, 9, 2, 1, 0x24, 0x41).concatenation).toEqual({
      reference: 9,
      total: 2,
      part: 1,
    });
    expect(read(8, 0x00, 3, 9, 2, 1, 0x24, 1, 3, 0x41).concatenation).toEqual({
      reference: 9,
      total: 2,
      part: 1,
    });
    expect(read(3, 0x24, 1, 3, 0x41)).toEqual({ concatenation: null, body: [0x41] });
  });

  test("of two places believes the last that makes sense", () => {
    expect(read(10, 0x00, 3, 9, 2, 1, 0x00, 3, 8, 2, 2).concatenation).toEqual({
      reference: 8,
      total: 2,
      part: 2,
    });
    expect(read(10, 0x00, 3, 9, 2, 1, 0x00, 3, 8, 2, 3).concatenation).toEqual({
      reference: 9,
      total: 2,
      part: 1,
    });
  });

  test.each([
    ["part 0", [5, 0x00, 3, 9, 2, 0]],
    ["part beyond the total", [5, 0x00, 3, 9, 2, 3]],
    ["no parts at all", [5, 0x00, 3, 9, 0, 0]],
    ["an element cut short by the header's end", [4, 0x00, 3, 9, 2]],
    ["an element of the wrong size", [4, 0x00, 2, 9, 2]],
    ["an empty header", [0]],
  ])("finds no place in %s", (_what, header) => {
    expect(read(...header, 0x41)).toEqual({ concatenation: null, body: [0x41] });
  });

  test("takes all octets as text when the header is longer than they are", () => {
    expect(read(9, 0x00, 3)).toEqual({ concatenation: null, body: [9, 0x00, 3] });
    expect(read()).toEqual({ concatenation: null, body: [] });
  });

  test("survives any octets", () => {
    const chance = seededChance(23040);
    for (let round = 0; round < 2000; round++) {
      const octets = chance.bytes(Math.floor(chance.fraction() * 20));
      octets[0] = Math.floor(chance.fraction() * 20);
      const { concatenation, body } = parseUserData(octets);
      expect(body.length).toBeLessThanOrEqual(octets.length + 1);
      if (concatenation) expect(concatenation.part).toBeLessThanOrEqual(concatenation.total);
    }
  });
});
