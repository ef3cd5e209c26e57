import { describe, expect, test } from "vitest";
import { latin1, readPdu, TLV } from "./pdu.ts";
import { deliverSm, pduOf, submitSm, submitSmResp } from "./pdu-kit.ts";

describe("a PDU is read", () => {
  test("a submit_sm with its addresses, its coding and its text", () => {
    const pdu = readPdu(
      submitSm({ sequence: 7, source: "KORO", destination: "22670000001", octets: Buffer.from("hi") }),
    );
    if (pdu.kind !== "submit_sm") throw new Error(pdu.kind);
    expect([pdu.sequence, pdu.text.source, pdu.text.destination]).toEqual([7, "KORO", "22670000001"]);
    expect(latin1(pdu.text.octets)).toBe("hi");
  });

  test("a text that message_payload carries is the text", () => {
    const pdu = readPdu(
      submitSm({ octets: new Uint8Array(0), tlvs: [[TLV.messagePayload, Buffer.from("long")]] }),
    );
    if (pdu.kind !== "submit_sm") throw new Error(pdu.kind);
    expect(latin1(pdu.text.octets)).toBe("long");
  });

  test("a response with the id it gives, and one that refuses without a body", () => {
    expect(readPdu(submitSmResp(3, 0, "AB01"))).toEqual({
      kind: "response",
      to: "submit_sm",
      messageId: "AB01",
      status: 0,
      sequence: 3,
    });
    expect(readPdu(pduOf(0x80000004, 0x58, 3, []))).toMatchObject({ messageId: "", status: 0x58 });
  });

  test("binds, tests of the link, ends of it and refusals of what was not understood", () => {
    expect(readPdu(pduOf(9, 0, 1, [...Buffer.from("us\0pw\0\0"), 0x34, 0, 0, 0]))).toMatchObject({
      kind: "bind",
      command: "bind_transceiver",
      systemId: "us",
    });
    expect(readPdu(pduOf(0x15, 0, 2, [])).kind).toBe("enquire_link");
    expect(readPdu(pduOf(6, 0, 3, [])).kind).toBe("unbind");
    expect(readPdu(pduOf(0x80000000, 3, 4, [])).kind).toBe("generic_nack");
  });

  test("what breaks off in a field, or lies about its length, is told and not guessed", () => {
    const whole = deliverSm({ octets: Buffer.from("hello") });
    const cut = whole.slice(0, 30);
    new DataView(cut.buffer).setUint32(0, cut.length);
    expect(readPdu(cut)).toMatchObject({ kind: "other", commandId: 5 });
    expect(readPdu(whole.slice(0, -1)).kind).toBe("other");
    expect(readPdu(new Uint8Array(3)).kind).toBe("other");
    expect(readPdu(pduOf(0x777, 0, 1, [])).kind).toBe("other");
  });
});
