import { describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { toHandsetPart } from "../../src/simulator/handset.ts";
import { createSegmentationCheck, findViolation } from "../../src/simulator/strict-checks.ts";
import { ESM_UDHI, type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../src/text/ucs2.ts";
import { concatenationHeader } from "../../src/text/udh.ts";

const SPLIT = phrase("simulator.rule.pair_split");

const GOOD = shortMessage({
  sourceAddrTon: 5,
  sourceAddr: "MAVOIX",
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: "22670123456",
  shortMessage: Buffer.from("Bonjour"),
});

function broken(fields: Partial<ShortMessage>, alphabet: "gsm" | "latin1" = "gsm") {
  return findViolation({ ...GOOD, ...fields }, alphabet);
}

describe("a strict operator", () => {
  test("takes letters, short codes, national and international numbers as senders", () => {
    const senders: Partial<ShortMessage>[] = [
      {},
      { sourceAddrTon: 3, sourceAddrNpi: 0, sourceAddr: "3333" },
      { sourceAddrTon: 1, sourceAddrNpi: 1, sourceAddr: "22670000000" },
      { sourceAddrTon: 2, sourceAddrNpi: 8, sourceAddr: "70000000" },
    ];
    for (const sender of senders) expect(broken(sender)).toBeNull();
  });

  test.each([
    [{ destAddrTon: 7 }, 0x50],
    [{ destAddrTon: 5, destAddrNpi: 0 }, 0x50],
    [{ destAddrNpi: 0 }, 0x51],
    [{ destAddrTon: 2, destAddrNpi: 2 }, 0x51],
    [{ sourceAddrTon: 7 }, 0x48],
    [{ sourceAddrNpi: 1 }, 0x49],
    [{ sourceAddrTon: 1, sourceAddrNpi: 0, sourceAddr: "22670000000" }, 0x49],
    [{ sourceAddrTon: 1, sourceAddrNpi: 1 }, 0x0a],
  ])("refuses %j", (fields, status) => {
    expect(broken(fields)?.status).toBe(status);
  });

  test("refuses text that its alphabet cannot hold", () => {
    expect(broken({ shortMessage: Uint8Array.of(0x41, 0xe9) })?.status).toBe(0x45);
    expect(broken({ shortMessage: Uint8Array.of(0x41, 0xe9) }, "latin1")).toBeNull();
    expect(broken({ dataCoding: 8, shortMessage: Uint8Array.of(0, 0x41, 0) })?.status).toBe(0x01);
  });

  test("takes parts as long as a short message has room for, and no longer", () => {
    const headed = (length: number) => ({
      esmClass: ESM_UDHI,
      shortMessage: Buffer.concat([
        concatenationHeader({ reference: 1, total: 2, part: 1 }),
        new Uint8Array(length),
      ]),
    });
    const sar = { sarMsgRefNum: 1, sarTotalSegments: 2, sarSegmentSeqnum: 1 };
    const plain = (length: number) => ({ tlvs: sar, shortMessage: new Uint8Array(length) });
    expect(broken(headed(153))).toBeNull();
    expect(broken(headed(154))?.status).toBe(0x01);
    expect(broken({ ...headed(134), dataCoding: 8 })).toBeNull();
    expect(broken({ ...headed(136), dataCoding: 8 })?.status).toBe(0x01);
    expect(broken(plain(153))).toBeNull();
    expect(broken(plain(154))?.status).toBe(0x01);
    expect(broken({ ...plain(134), dataCoding: 8 })).toBeNull();
    expect(broken({ ...plain(136), dataCoding: 8 })?.status).toBe(0x01);
  });

  test("refuses a user data header that is longer than the text, and both kinds of concatenation", () => {
    expect(broken({ esmClass: ESM_UDHI, shortMessage: Uint8Array.of(5, 0, 3) })?.status).toBe(0x43);
    expect(broken({ esmClass: ESM_UDHI, tlvs: { sarMsgRefNum: 1 } })?.status).toBe(0x43);
  });
});

describe("the cut of a long text", () => {
  const part = (place: number, octets: Uint8Array, dataCoding = 0, reference = 1) =>
    toHandsetPart(
      shortMessage({
        esmClass: ESM_UDHI,
        dataCoding,
        shortMessage: Buffer.concat([concatenationHeader({ reference, total: 2, part: place }), octets]),
      }),
      "gsm",
    );
  const hello = Buffer.from("Bonjour");

  test("is in order when parts come whole, in any order, or again", () => {
    const check = createSegmentationCheck();
    for (const place of [2, 2, 1]) expect(check("A", "1", part(place, hello))).toBeNull();
  });

  test("must not go through an escape pair or a surrogate pair", () => {
    const check = createSegmentationCheck();
    expect(check("A", "1", part(1, Uint8Array.of(0x41, 0x1b)))?.what).toEqual(SPLIT);
    expect(check("A", "2", part(1, encodeUcs2("a😀").subarray(0, 4), 8))?.what).toEqual(SPLIT);
    expect(check("A", "3", part(2, Uint8Array.of(0x41, 0x1b)))).toBeNull();
    expect(check("A", "4", part(1, encodeUcs2("a😀"), 8))).toBeNull();
    expect(check("A", "5", part(1, Uint8Array.of(0x1b, 0x1b)))).toBeNull();
  });

  test("must not mix alphabets, nor take a reference that is in use", () => {
    const check = createSegmentationCheck();
    check("A", "1", part(1, hello));
    expect(check("A", "1", part(2, encodeUcs2("é"), 8))?.what).toEqual(
      phrase("simulator.rule.two_alphabets"),
    );
    check("A", "2", part(1, hello));
    expect(check("A", "2", part(1, Buffer.from("Bonsoir")))?.what).toEqual(
      phrase("simulator.rule.reference_reused"),
    );
    expect(check("A", "2", part(1, Buffer.from("Bonsoir"), 0, 2))).toBeNull();
  });
});
