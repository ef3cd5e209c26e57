import { describe, expect, test } from "vitest";
import { readPdu, type Text, TLV } from "./pdu.ts";
import { submitSm } from "./pdu-kit.ts";
import { charactersOf, partsOf, shortTextOf } from "./short-text.ts";

function textOf(parts: Parameters<typeof submitSm>[0]): Text {
  const pdu = readPdu(submitSm(parts));
  if (pdu.kind !== "submit_sm") throw new Error(pdu.kind);
  return pdu.text;
}

describe("characters are read by data_coding", () => {
  test("septets in octets, those of the extension after an escape", () => {
    expect(charactersOf(new Uint8Array([0x00, 0x05, 0x1b, 0x65, 0x1b, 0x28, 0x7f]), 0, "gsm")).toBe("@é€{à");
  });

  test("coding 0 is what the centre's connection was told it is", () => {
    expect(charactersOf(new Uint8Array([0xe9]), 0, "latin1")).toBe("é");
    expect(charactersOf(new Uint8Array([0x05]), 0, "ascii")).toBe("\u0005");
    expect(charactersOf(new Uint8Array([0xe9]), 0, "ascii")).toBe("\ufffd");
  });

  test("ASCII, Latin-1 and UCS-2 with the pairs of an emoji", () => {
    expect(charactersOf(Buffer.from("abc"), 1, "gsm")).toBe("abc");
    expect(charactersOf(new Uint8Array([0xe7]), 3, "gsm")).toBe("ç");
    expect(charactersOf(new Uint8Array([0xd8, 0x3d, 0xde, 0x00]), 8, "gsm")).toBe("😀");
  });

  test("what can mean nothing is not taken for anything", () => {
    expect(charactersOf(new Uint8Array([0x80]), 0, "gsm")).toBe("\ufffd");
    expect(charactersOf(new Uint8Array([0x1b]), 0, "gsm")).toBe("\ufffd");
    expect(charactersOf(new Uint8Array([0, 65, 0]), 8, "gsm")).toBe("A\ufffd");
    expect(charactersOf(new Uint8Array([1, 2]), 4, "gsm")).toBe("\ufffd\ufffd");
  });
});

describe("a part knows its place", () => {
  test("by a header of 8 or 16 bits, which is no part of the text", () => {
    const short = textOf({ esmClass: 0x40, octets: new Uint8Array([5, 0, 3, 9, 3, 2, 0x61]) });
    expect(shortTextOf(short, "gsm")).toEqual({
      place: { reference: "8:9", total: 3, number: 2 },
      characters: "a",
      fault: null,
    });
    const wide = textOf({ esmClass: 0x40, octets: new Uint8Array([6, 8, 4, 1, 2, 2, 1, 0x62]) });
    expect(shortTextOf(wide, "gsm").place).toEqual({ reference: "16:258", total: 2, number: 1 });
  });

  test("by SAR parameters", () => {
    const tlvs = [
      [TLV.sarReference, new Uint8Array([1, 0])],
      [TLV.sarTotal, new Uint8Array([2])],
      [TLV.sarSequence, new Uint8Array([2])],
    ] as const;
    expect(shortTextOf(textOf({ octets: Buffer.from("x"), tlvs }), "gsm").place).toEqual({
      reference: "sar:256",
      total: 2,
      number: 2,
    });
  });

  test("a place that is none, or a header that is cut off, is a fault", () => {
    const place = textOf({ esmClass: 0x40, octets: new Uint8Array([5, 0, 3, 9, 2, 3, 0x61]) });
    expect(shortTextOf(place, "gsm").fault).toBe("part 3 of 2");
    const cut = textOf({ esmClass: 0x40, octets: new Uint8Array([5, 0, 3]) });
    expect(shortTextOf(cut, "gsm").fault).toContain("header");
  });
});

describe("a text is so many SMS", () => {
  test.each([
    ["a".repeat(160), "GSM7", [160]],
    ["a".repeat(161), "GSM7", [153, 8]],
    [`${"a".repeat(152)}€${"a".repeat(152)}`, "GSM7", [152, 152, 1]],
    ["€".repeat(80), "GSM7", [80]],
    ["€".repeat(153), "GSM7", [76, 76, 1]],
    ["ê".repeat(70), "UCS2", [70]],
    ["ê".repeat(71), "UCS2", [67, 4]],
    ["😀".repeat(67), "UCS2", [66, 66, 2]],
    ["e\u0301", "GSM7", [1]],
    ["ç", "UCS2", [1]],
    ["Ç", "GSM7", [1]],
  ] as const)("%#: as the specification counts", (text, encoding, sizes) => {
    const found = partsOf(text);
    expect([found.encoding, found.parts.map((part) => part.length)]).toEqual([encoding, [...sizes]]);
    expect(found.parts.join("")).toBe(text.normalize("NFC"));
  });
});
