import { describe, expect, test } from "vitest";
import { Handsets, toHandsetPart } from "../../src/simulator/handset.ts";
import { ESM_UDHI, shortMessage } from "../../src/smpp/short-message.ts";

const hello = Buffer.from("Bonjour");

describe("a part", () => {
  test("is read by its data_coding", () => {
    const read = (dataCoding: number, hex: string, alphabet: "gsm" | "latin1" | "ascii" = "gsm") =>
      toHandsetPart(shortMessage({ dataCoding, shortMessage: Buffer.from(hex, "hex") }), alphabet).text;
    expect(read(0, "05")).toBe("é");
    expect(read(0, "e9", "latin1")).toBe("é");
    expect(read(0, "41e9", "ascii")).toBe("A?");
    expect(read(3, "e9")).toBe("é");
    expect(read(8, "00e9d83dde00")).toBe("é😀");
    expect(read(0xf0, "05")).toBe("é");
    expect(read(4, "05ff")).toBe("05ff");
  });

  test("finds its place in a header of 8 or 16 bits and in the sar parameters", () => {
    const headed = (hex: string) =>
      toHandsetPart(
        shortMessage({ esmClass: ESM_UDHI, shortMessage: Buffer.concat([Buffer.from(hex, "hex"), hello]) }),
        "gsm",
      );
    expect(headed("050003070302")).toMatchObject({
      text: "Bonjour",
      concatenation: { reference: 7, total: 3, part: 2 },
    });
    expect(headed("06080401070302").concatenation).toEqual({ reference: 0x107, total: 3, part: 2 });
    const sar = { sarMsgRefNum: 7, sarTotalSegments: 3, sarSegmentSeqnum: 2 };
    expect(toHandsetPart(shortMessage({ shortMessage: hello, tlvs: sar }), "gsm").concatenation).toEqual({
      reference: 7,
      total: 3,
      part: 2,
    });
    expect(toHandsetPart(shortMessage({ tlvs: { messagePayload: hello } }), "gsm")).toEqual({
      text: "Bonjour",
      alphabet: "GSM7",
      concatenation: null,
      octets: hello,
      endsHalfway: false,
    });
  });
});

describe("handsets", () => {
  const part = (place: number, text: string, reference = 1) => ({
    alphabet: "GSM7" as const,
    text,
    octets: Buffer.from(text),
    concatenation: { reference, total: 2, part: place },
    endsHalfway: false,
  });

  test("show a text when its last part has come", () => {
    const screens = new Handsets();
    expect(screens.take("A", "1", part(2, "monde"))).toBeNull();
    expect(screens.incomplete()).toBe(1);
    expect(screens.take("A", "1", part(1, "Bonjour "))).toMatchObject({ text: "Bonjour monde", parts: 2 });
    expect(screens.incomplete()).toBe(0);
  });

  test("do not mix references, senders or recipients", () => {
    const screens = new Handsets();
    screens.take("A", "1", part(1, "x"));
    expect(screens.take("A", "1", part(2, "y", 2))).toBeNull();
    expect(screens.take("B", "1", part(2, "y"))).toBeNull();
    expect(screens.take("A", "2", part(2, "y"))).toBeNull();
    expect(screens.incomplete()).toBe(4);
  });

  test("show a character whole that the sender cut in two between the parts", () => {
    const cut = (dataCoding: number, place: number, hex: string) =>
      toHandsetPart(
        shortMessage({
          dataCoding,
          shortMessage: Buffer.from(hex, "hex"),
          tlvs: { sarMsgRefNum: 1, sarTotalSegments: 2, sarSegmentSeqnum: place },
        }),
        "gsm",
      );
    const screens = new Handsets();
    screens.take("A", "1", cut(8, 2, "de000021"));
    expect(screens.take("A", "1", cut(8, 1, "0042d83d"))?.text).toBe("B😀!");
    screens.take("A", "1", cut(0, 1, "421b"));
    expect(screens.take("A", "1", cut(0, 2, "6521"))?.text).toBe("B€!");
  });

  test("forget the oldest of very many texts with a part missing", () => {
    const screens = new Handsets();
    for (let each = 0; each < 10_001; each++) screens.take("A", String(each), part(1, "x"));
    expect(screens.incomplete()).toBe(10_000);
    expect(screens.take("A", "0", part(2, "y"))).toBeNull();
  });

  test("do not take a repeated part for another one", () => {
    const screens = new Handsets();
    expect(screens.take("A", "1", part(1, "x"))).toBeNull();
    expect(screens.take("A", "1", part(1, "x"))).toBeNull();
    expect(screens.take("A", "1", part(2, "y"))?.text).toBe("xy");
  });
});
