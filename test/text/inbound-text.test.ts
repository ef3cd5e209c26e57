import { describe, expect, test } from "vitest";
import { encodeGsm } from "../../src/text/gsm-alphabet.ts";
import { decodeInbound } from "../../src/text/inbound-text.ts";
import { encodeUcs2 } from "../../src/text/ucs2.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

const withNuls = (octets: Uint8Array, count: number) =>
  Uint8Array.from([...octets, ...Array<number>(count).fill(0)]);

describe("the text of inbound octets", () => {
  test.each([
    ["GSM 7-bit", encodeGsm("é@_€ ÇA")!, 0x00, "gsm", "é@_€ ÇA"],
    ["Latin-1 as the default alphabet", latin1("ça"), 0x00, "latin1", "ça"],
    ["ASCII as the default alphabet", latin1("a_b"), 0x00, "ascii", "a_b"],
    ["ASCII", latin1("a@b"), 0x01, "gsm", "a@b"],
    ["Latin-1", latin1("ça été"), 0x03, "gsm", "ça été"],
    ["UCS-2", encodeUcs2("ARRÊT ✋"), 0x08, "gsm", "ARRÊT ✋"],
    ["UCS-2 of a message class", encodeUcs2("ÊÊ"), 0x18, "gsm", "ÊÊ"],
    ["GSM 7-bit of a message class", encodeGsm("été")!, 0x10, "latin1", "été"],
    ["GSM 7-bit in the class group", encodeGsm("été")!, 0xf1, "latin1", "été"],
    ["nothing at all", new Uint8Array(0), 0x00, "gsm", ""],
    ["Latin-1 with NULs before a last letter", latin1("STOP\0\0A"), 0x03, "gsm", "STOP\0\0A"],
    ["Latin-1 with NULs behind it", latin1("STOP\0\0"), 0x03, "gsm", "STOP"],
    ["UCS-2 with NULs behind it", encodeUcs2("STOP\0\0"), 0x08, "gsm", "STOP"],
    ["UCS-2 called GSM 7-bit", encodeUcs2("l’été"), 0x00, "gsm", "l’été"],
    ["UCS-2 called GSM 7-bit with a NUL behind it", withNuls(encodeUcs2("STOP"), 1), 0x00, "gsm", "STOP"],
    ["UCS-2 called GSM 7-bit with two NULs", withNuls(encodeUcs2("STOP"), 2), 0x00, "gsm", "STOP"],
    ["UCS-2 called Latin-1 with three NULs", withNuls(encodeUcs2("STOP"), 3), 0x03, "gsm", "STOP"],
    ["marked UCS-2 with a NUL behind it", withNuls(encodeUcs2("\ufeffSTOP"), 1), 0x00, "gsm", "STOP"],
    ["low octets first with a NUL behind them", withNuls(latin1("S\0T\0O\0P\0"), 1), 0x00, "gsm", "STOP"],
    ["low octets first with two NULs behind them", withNuls(latin1("S\0T\0O\0P\0"), 2), 0x00, "gsm", "STOP"],
    ["one octet each with a NUL behind them", withNuls(latin1("STOP"), 1), 0x00, "latin1", "STOP"],
    [
      "UCS-2 called Latin-1, the low octet first",
      encodeUcs2("été").map((_, at, all) => all[at ^ 1]!),
      0x03,
      "gsm",
      "été",
    ],
  ] as const)("in %s", (_, octets, dataCoding, alphabet, expected) => {
    expect(decodeInbound(octets, dataCoding, alphabet)).toBe(expected);
  });

  test.each(["@", "@A", "@@@", "@A@", "@@@@", "a@b.c@d.e", "@bc@e", "@a@b cd @e"])(
    "of GSM 7-bit stays %s",
    (text) => {
      expect(decodeInbound(encodeGsm(text)!, 0x00, "gsm")).toBe(text);
    },
  );

  test("of ideographs stays, also of two whose low octets are 0", () => {
    for (const text of ["一一", "日本", "丁一", "Ā"])
      expect(decodeInbound(encodeUcs2(text), 0x08, "gsm")).toBe(text);
  });

  test.each([0x02, 0x04, 0x05, 0x06, 0x09, 0x14, 0xf5, 0xc8])(
    "is none under data_coding %i",
    (dataCoding) => {
      expect(decodeInbound(latin1("STOP"), dataCoding, "gsm")).toBe(null);
    },
  );
});
