import { describe, expect, test } from "vitest";
import { candidateIds, canonicalId, toIdCandidates } from "../../../src/channels/sms/receipt-keys.ts";
import { toStoredMessageId } from "../../../src/smpp/short-message.ts";

describe("canonicalId", () => {
  for (const [id, canonical] of [
    ["00B8BE19", "b8be19"],
    ["  12345 ", "12345"],
    ["0000", "0"],
    ["0", "0"],
    ["", ""],
    ["6F1B_x-+Y", "6f1b_x-+y"],
  ] as const) {
    test(`${JSON.stringify(id)} is indexed as ${JSON.stringify(canonical)}`, () => {
      expect(canonicalId(id)).toBe(canonical);
    });
  }
});

describe("candidateIds", () => {
  test("all digits may be either base", () => {
    expect(candidateIds("0012107289")).toEqual(["12107289", "b8be19", "303067785"]);
  });

  test("letters a to f can only be hexadecimal", () => {
    expect(candidateIds("00B8BE19")).toEqual(["b8be19", "12107289"]);
  });

  test("an id that is the same in both bases stands once", () => {
    expect(candidateIds("007")).toEqual(["7"]);
  });

  test("what is no number is only itself", () => {
    expect(candidateIds("ab-12")).toEqual(["ab-12"]);
    expect(candidateIds("")).toEqual([""]);
    expect(candidateIds("6f1b8a52c3d94e0fa1b2c3d4e5f60718")).toEqual(["6f1b8a52c3d94e0fa1b2c3d4e5f60718"]);
  });

  test("64-bit ids keep every digit", () => {
    expect(candidateIds("FFFFFFFFFFFFFFFF")).toContain("18446744073709551615");
    expect(candidateIds("18446744073709551615")).toContain("ffffffffffffffff");
  });

  // Keeps: behaviour 6.33
  test("of two ids that mean one number in different bases, one always finds the other", () => {
    for (let number = 1n; number < 1n << 62n; number = number * 7n + 3n) {
      const decimal = number.toString(10).padStart(20, "0");
      const hexadecimal = number.toString(16).toUpperCase().padStart(10, "0");
      expect(candidateIds(decimal)).toContain(canonicalId(hexadecimal));
      expect(candidateIds(hexadecimal)).toContain(canonicalId(decimal));
    }
  });
});

test("each reading says in what form the receipt's id is", () => {
  expect(toIdCandidates("0012107289")).toEqual([
    { form: "padded", key: "12107289" },
    { form: "decimal", key: "b8be19" },
    { form: "hexadecimal", key: "303067785" },
  ]);
  expect(toIdCandidates("00B8BE19")).toEqual([
    { form: "padded", key: "b8be19" },
    { form: "hexadecimal", key: "12107289" },
  ]);
});

describe("an id as it is kept", () => {
  test("is itself up to 255 octets", () => {
    expect(toStoredMessageId("B8BE19")).toBe("B8BE19");
    expect(toStoredMessageId("x".repeat(255))).toBe("x".repeat(255));
  });

  // Keeps: behaviour 6.75
  test("of more is its beginning and a hash of all of it, and others with the same beginning are told apart", () => {
    const long = "0A".repeat(30_000);
    expect(toStoredMessageId(long).length).toBe(255);
    expect(toStoredMessageId(long).slice(0, 190)).toBe(long.slice(0, 190));
    expect(toStoredMessageId(long)).toBe(toStoredMessageId(long));
    expect(toStoredMessageId(`${long}B`)).not.toBe(toStoredMessageId(long));
    expect(candidateIds(toStoredMessageId(long))).toEqual([canonicalId(toStoredMessageId(long))]);
  });
});
