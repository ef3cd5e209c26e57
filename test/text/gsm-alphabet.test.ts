import { describe, expect, test } from "vitest";
import { countSeptets, decodeGsm, encodeDefaultAlphabet, encodeGsm } from "../../src/text/gsm-alphabet.ts";
import { seededChance } from "../kit/test-chance.ts";

/** The alphabet by its rows, as 3GPP TS 23.038 prints it; the escape is left out. */
const ROWS: readonly (readonly [first: number, characters: string])[] = [
  [0x00, "@£$¥èéùìòÇ\nØø\rÅå"],
  [0x10, "Δ_ΦΓΛΩΠΨΣΘΞ"],
  [0x1c, "ÆæßÉ"],
  [0x20, " !\"#¤%&'()*+,-./"],
  [0x30, "0123456789:;<=>?"],
  [0x40, "¡ABCDEFGHIJKLMNO"],
  [0x50, "PQRSTUVWXYZÄÖÑÜ§"],
  [0x60, "¿abcdefghijklmno"],
  [0x70, "pqrstuvwxyzäöñüà"],
];

const EXTENSION: readonly (readonly [character: string, code: number])[] = [
  ["\f", 0x0a],
  ["^", 0x14],
  ["{", 0x28],
  ["}", 0x29],
  ["\\", 0x2f],
  ["[", 0x3c],
  ["~", 0x3d],
  ["]", 0x3e],
  ["|", 0x40],
  ["€", 0x65],
];

describe("the GSM 7-bit alphabet", () => {
  // Keeps: behaviour 4.29
  test("has every character of the default table at its place, for one septet", () => {
    for (const [first, characters] of ROWS) {
      for (const [offset, character] of [...characters].entries()) {
        expect(encodeGsm(character)).toEqual(Uint8Array.of(first + offset));
        expect(decodeGsm(Uint8Array.of(first + offset))).toBe(character);
        expect(countSeptets(character.charCodeAt(0))).toBe(1);
      }
    }
  });

  // Keeps: behaviour 4.29
  test("has the extension table behind an escape, for two septets", () => {
    for (const [character, code] of EXTENSION) {
      expect(encodeGsm(character)).toEqual(Uint8Array.of(0x1b, code));
      expect(decodeGsm(Uint8Array.of(0x1b, code))).toBe(character);
      expect(countSeptets(character.charCodeAt(0))).toBe(2);
    }
  });

  test("has nothing else", () => {
    let known = 0;
    for (let unit = 0; unit <= 0xffff; unit++) {
      if (countSeptets(unit) > 0) known += 1;
      else expect(encodeGsm(String.fromCharCode(unit))).toBeNull();
    }
    expect(known).toBe(127 + EXTENSION.length);
    for (const missing of "çâêëîïôœûÿÀÂÈÊ`\t\u001b\u00a0\u202f’«…") {
      expect(countSeptets(missing.charCodeAt(0))).toBe(0);
    }
  });

  test("gives no octets for a text with one character outside it", () => {
    expect(encodeGsm("Votre reçu")).toBeNull();
    expect(encodeGsm("")).toEqual(new Uint8Array(0));
  });
});

describe("reading septets", () => {
  test("an escape to a position without a character shows the one of the default table", () => {
    expect(decodeGsm(Uint8Array.of(0x1b, 0x61))).toBe("a");
  });

  test("a lone escape at the end and an escape to a further table show a space", () => {
    expect(decodeGsm(Uint8Array.of(0x41, 0x1b))).toBe("A ");
    expect(decodeGsm(Uint8Array.of(0x1b, 0x1b, 0x41))).toBe(" A");
  });

  test("octets that are no septets show a question mark", () => {
    expect(decodeGsm(Uint8Array.of(0x41, 0xe9, 0x1b, 0xff))).toBe("A??");
  });

  test("any octets give a text, and one that can be written again", () => {
    const chance = seededChance(23038);
    for (let round = 0; round < 500; round++) {
      const text = decodeGsm(chance.bytes(Math.floor(chance.fraction() * 160)));
      const octets = encodeGsm(text);
      expect(octets && decodeGsm(octets)).toBe(text);
    }
  });
});

describe("an SMSC with another default alphabet", () => {
  test("gets Latin-1 where it means Latin-1", () => {
    expect(encodeDefaultAlphabet("é@_[", "latin1")).toEqual(Uint8Array.of(0xe9, 0x40, 0x5f, 0x5b));
  });

  test("gets ASCII where it means ASCII", () => {
    expect(encodeDefaultAlphabet("a@_{", "ascii")).toEqual(Uint8Array.of(0x61, 0x40, 0x5f, 0x7b));
  });

  test("gets septets where it means GSM", () => {
    expect(encodeDefaultAlphabet("é@€", "gsm")).toEqual(Uint8Array.of(0x05, 0x00, 0x1b, 0x65));
  });

  test.each([
    ["latin1", "€"],
    ["latin1", "Ω"],
    // In Latin-1, but the SMSC could not put it on the air in GSM 7-bit.
    ["latin1", "ç"],
    ["latin1", "\u00a0"],
    ["ascii", "é"],
    ["ascii", "`"],
    ["ascii", "\t"],
    ["gsm", "ç"],
  ] as const)("of %s is not given %s, which must travel as UCS-2", (alphabet, character) => {
    expect(encodeDefaultAlphabet(`prix ${character}`, alphabet)).toBeNull();
  });
});
