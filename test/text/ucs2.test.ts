import { expect, test } from "vitest";
import { decodeUcs2, encodeUcs2 } from "../../src/text/ucs2.ts";
import { seededChance } from "../kit/test-chance.ts";

// Keeps: behaviour 4.29
test("the high octet goes first", () => {
  expect(encodeUcs2("ê€")).toEqual(Uint8Array.of(0x00, 0xea, 0x20, 0xac));
  expect(decodeUcs2(Uint8Array.of(0x00, 0xea, 0x20, 0xac))).toBe("ê€");
});

test("a character beyond U+FFFF is a surrogate pair", () => {
  expect(encodeUcs2("😀")).toEqual(Uint8Array.of(0xd8, 0x3d, 0xde, 0x00));
  expect(decodeUcs2(Uint8Array.of(0xd8, 0x3d, 0xde, 0x00))).toBe("😀");
});

test("a text always takes two octets a code unit, even with half of a pair", () => {
  expect(encodeUcs2("a\ud83d")).toEqual(Uint8Array.of(0x00, 0x61, 0xd8, 0x3d));
});

test("half of a pair reads U+FFFD and an odd last octet is left out", () => {
  expect(decodeUcs2(Uint8Array.of(0xd8, 0x3d, 0x00, 0x61))).toBe("\ufffda");
  expect(decodeUcs2(Uint8Array.of(0x00, 0x61, 0x00))).toBe("a");
  expect(decodeUcs2(new Uint8Array(0))).toBe("");
});

test("any octets give a text, and one that comes through unchanged from then on", () => {
  const chance = seededChance(10646);
  for (let round = 0; round < 500; round++) {
    const text = decodeUcs2(chance.bytes(Math.floor(chance.fraction() * 140)));
    expect(text.isWellFormed()).toBe(true);
    expect(decodeUcs2(encodeUcs2(text))).toBe(text);
  }
});
