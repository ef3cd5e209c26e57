import { describe, expect, test } from "vitest";
import { pduFields, pduHex } from "../../../src/channels/sms/pdu-trace.ts";
import { decodePdu, encodePdu, type Pdu } from "../../../src/smpp/pdu.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { dice } from "../../fuzz/dice.ts";
import { anyPdu, damagedFrame } from "../../fuzz/pdus.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

const text = (words: string) => new Uint8Array(Buffer.from(words));
const submit: Pdu = {
  command: "submit_sm",
  sequence: 9,
  status: 0,
  message: shortMessage({
    sourceAddr: "ACME",
    sourceAddrTon: 5,
    destinationAddr: "22670000001",
    shortMessage: text("secret 4711"),
    tlvs: { messagePayload: text("secret too"), sarMsgRefNum: 1, sarTotalSegments: 2, sarSegmentSeqnum: 1 },
  }),
};

describe("a PDU in the log", () => {
  test("has the fields of a submit_sm, its number shortened and its text as a length", () => {
    const fields = pduFields(decodePdu(encodePdu(submit)));
    expect(fields).toMatchObject({
      command: "submit_sm",
      sequence_number: 9,
      source_addr: "ACME",
      destination_addr: "22670....01",
      text_octets: 11,
      sar: "1: 1 of 2",
    });
    expect(JSON.stringify(fields)).not.toMatch(/secret|4711|70000001/);
  });

  test("has its octets with xx for the number's middle and the text", () => {
    const hex = pduHex(encodePdu(submit)).replaceAll(" ", "");
    const digits = (words: string) => Buffer.from(words).toString("hex");
    expect(hex.slice(0, 32)).toMatch(/^.{8}000000040000000000000009$/);
    expect(hex).toContain(`${digits("22670")}xxxxxxxx${digits("01")}00`);
    expect(hex).toContain(`0b${"xx".repeat(11)}`);
    expect(hex).toContain(`0424000a${"xx".repeat(10)}`);
    expect(hex).toContain("020c00020001");
    expect(hex.length / 2).toBe(encodePdu(submit).length);
  });

  test("tells what a marked receipt says, and not what a text looks like", () => {
    const words = text(
      "id:abc sub:001 dlvrd:001 submit date:2603020900 done date:2603020900 stat:DELIVRD err:000 text:Votre",
    );
    const deliver = (esmClass: number) =>
      pduFields({
        ok: true,
        pdu: {
          command: "deliver_sm",
          sequence: 1,
          status: 0,
          message: shortMessage({ esmClass, shortMessage: words }),
        },
      });
    expect(deliver(4)).toMatchObject({ id: "abc", stat: "DELIVRD", err: "000" });
    expect(Object.keys(deliver(0))).not.toContain("stat");
    expect(JSON.stringify(deliver(4))).not.toContain("Votre");
  });

  test("never has a password", () => {
    const bind = {
      systemId: "bendre",
      password: "hunter2",
      systemType: "",
      interfaceVersion: 0x34,
      addrTon: 0,
      addrNpi: 0,
      addressRange: "",
    };
    const octets = encodePdu({ command: "bind_transceiver", sequence: 1, status: 0, bind });
    expect(JSON.stringify(pduFields(decodePdu(octets)))).not.toContain("hunter2");
    expect(pduHex(octets).replaceAll(" ", "").slice(32)).toMatch(/^(xx)+$/);
  });

  test.each(seeds(200))(
    "can be told whatever it is, each octet once (seed %d)",
    seeded((_, seed) => {
      const rolls = dice(seed);
      for (const octets of [new Uint8Array(encodePdu(anyPdu(rolls))), damagedFrame(rolls)]) {
        pduFields(decodePdu(octets));
        const hex = pduHex(octets).replaceAll(" ", "");
        expect(hex).toMatch(/^([0-9a-f]{2}|xx)*$/);
        expect(hex.length).toBe(octets.length * 2);
      }
    }),
  );
});
