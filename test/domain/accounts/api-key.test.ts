import { describe, expect, test } from "vitest";
import type { Chance } from "../../../src/core/chance.ts";
import {
  formatApiKey,
  generateApiKey,
  hashSecret,
  parseApiKey,
} from "../../../src/domain/accounts/api-keys.ts";
import { seededChance } from "../../kit/test-chance.ts";

const constant = (byte: number): Chance => ({
  bytes: (length) => new Uint8Array(length).fill(byte),
  fraction: () => 0,
});

describe("the form of an API key", () => {
  // Keeps: behaviour 2.2
  test("a key is bdr_, a key id of 12, an underscore and 49 characters", () => {
    const key = formatApiKey(generateApiKey(seededChance(7)));
    expect(key).toMatch(/^bdr_[0-9A-HJKMNP-TV-Z]{12}_[0-9A-Za-z]{49}$/);
  });

  test("the smallest and the largest secret keep the length and come back whole", () => {
    for (const byte of [0, 255]) {
      const parts = generateApiKey(constant(byte));
      expect(parts.secret).toHaveLength(43);
      expect(parseApiKey(formatApiKey(parts))).toEqual(parts);
    }
  });

  test("every key that is formatted is parsed to the same parts", () => {
    const chance = seededChance(3);
    for (let round = 0; round < 500; round++) {
      const parts = generateApiKey(chance);
      expect(parseApiKey(formatApiKey(parts))).toEqual(parts);
    }
  });

  // Keeps: behaviour 2.2
  test("one wrong character anywhere is recognised", () => {
    const key = formatApiKey(generateApiKey(seededChance(11)));
    for (let at = 0; at < key.length; at++) {
      const wrong = key.slice(0, at) + (key[at] === "A" ? "B" : "A") + key.slice(at + 1);
      expect(parseApiKey(wrong)).toBeNull();
    }
  });

  test("two neighbours swapped, a missing end and white space are recognised", () => {
    const key = formatApiKey(generateApiKey(seededChance(12)));
    const swapped = `${key.slice(0, 30)}${key[31]}${key[30]}${key.slice(32)}`;
    expect(swapped).not.toBe(key);
    for (const wrong of [swapped, key.slice(0, -1), `${key}\n`, ` ${key}`, "", "bdr_", key.toLowerCase()]) {
      expect(parseApiKey(wrong)).toBeNull();
    }
  });

  // Keeps: behaviour 2.2
  test("the checksum is the CRC-32 of everything before it, in base62", () => {
    // CRC-32 (ISO 3309) of "bdr_000000000000_" and 43 zeros, worked out apart from the code under test.
    const body = `bdr_000000000000_${"0".repeat(43)}`;
    let crc = 0xffffffff;
    for (const letter of body) {
      crc ^= letter.charCodeAt(0);
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let number = (crc ^ 0xffffffff) >>> 0;
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let sum = "";
    for (let place = 0; place < 6; place++) {
      sum = digits[number % 62] + sum;
      number = Math.floor(number / 62);
    }
    expect(formatApiKey(generateApiKey(constant(0)))).toBe(body + sum);
  });

  // Keeps: behaviour 2.3
  test("the digest is SHA-256 of the secret", () => {
    // FIPS 180-2, appendix B.1.
    expect(Buffer.from(hashSecret("abc")).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
