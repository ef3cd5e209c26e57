import { describe, expect, test } from "vitest";
import { readPdu, TLV } from "./pdu.ts";
import { deliverSm } from "./pdu-kit.ts";
import { mayBeSameId, readReceipt } from "./receipt-text.ts";

function said(parts: Parameters<typeof deliverSm>[0]) {
  const pdu = readPdu(deliverSm(parts));
  if (pdu.kind !== "deliver_sm") throw new Error(pdu.kind);
  return readReceipt(pdu.text);
}

const LINE =
  "id:0A1 sub:001 dlvrd:001 submit date:2601010000 done date:2601010001 stat:DELIVRD err:000 text:";

describe("a receipt is read", () => {
  test("of its text, up to the customer's words", () => {
    const forged = Buffer.from(
      `${LINE.replace("DELIVRD", "UNDELIV").replace("err:000", "err:027")}id:9 stat:DELIVRD`,
    );
    expect(said({ esmClass: 4, octets: forged })).toMatchObject({
      id: "0A1",
      verdict: "undelivered",
      state: "UNDELIV",
      code: "027",
      isMarked: true,
    });
  });

  test("optional parameters come before the text", () => {
    const tlvs = [
      [TLV.receiptedMessageId, Buffer.from("B2\0")],
      [TLV.messageState, new Uint8Array([5])],
      [TLV.networkErrorCode, new Uint8Array([3, 0, 27])],
    ] as const;
    expect(said({ octets: Buffer.from(LINE), tlvs })).toMatchObject({
      id: "B2",
      verdict: "undelivered",
      code: "27",
      isMarked: true,
    });
  });

  test("an intermediate state decides nothing", () => {
    for (const state of ["ENROUTE", "ACCEPTD", "UNKNOWN", "BUFFERED", "SCHEDULED", "NEWWORD"]) {
      const octets = Buffer.from(LINE.replace("DELIVRD", state));
      expect(said({ esmClass: 4, octets })?.verdict).toBe("pending");
    }
  });

  test("a text that looks like one is told as not marked, and another text is none", () => {
    expect(said({ octets: Buffer.from(LINE) })?.isMarked).toBe(false);
    expect(said({ octets: Buffer.from("hello, my id: is stat:DELIVRD") })).toBeNull();
    expect(said({ octets: Buffer.from("STOP") })).toBeNull();
  });
});

describe("ids of operators", () => {
  test("are the same over case, leading zeros and the other base", () => {
    expect(mayBeSameId("00AB", "ab")).toBe(true);
    expect(mayBeSameId("ff", "255")).toBe(true);
    expect(mayBeSameId("0000000255", "FF")).toBe(true);
    expect(mayBeSameId("7b2-91", "7B2-91")).toBe(true);
    expect(mayBeSameId("254", "FF")).toBe(false);
  });
});
