import { describe, expect, test } from "vitest";
import { decodePdu, encodePdu } from "../../../src/smpp/pdu.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { readPdu as readByAuditor } from "../auditor/pdu.ts";
import { forked } from "../chance.ts";
import { frameCutter } from "../frames.ts";
import { TEXT } from "./fake-appliance.ts";
import { garbageOf } from "./garbage.ts";
import { type Delivered, deliverSm, latin, readPdu } from "./pdu.ts";
import { receiptOf, receiptText } from "./receipt.ts";

const ADDRESS = { ton: 1, npi: 1, digits: "22670000001" };
const submitted = (fields: object) => {
  const message = shortMessage({ ...TEXT, ...fields });
  const read = readPdu(encodePdu({ command: "submit_sm", sequence: 9, status: 0, message }));
  if (read.is !== "submit") throw new Error(read.is);
  return read.submitted;
};

/** The text, wherever it stands. */
const receiptTextOctets = ({ message, tlvs = [] }: Delivered): Uint8Array =>
  message.length > 0 ? message : tlvs.at(-1)!.subarray(4);

describe("PDUs of a centre", () => {
  test("are read as the appliance writes them", () => {
    expect(submitted({ esmClass: 0x40, dataCoding: 8 })).toEqual({
      source: { ton: 5, npi: 0, digits: "ACME" },
      destination: ADDRESS,
      esmClass: 0x40,
      registeredDelivery: 1,
      dataCoding: 8,
      message: TEXT.shortMessage!,
    });
    const payload = new Uint8Array(300).fill(7);
    const long = submitted({ shortMessage: new Uint8Array(0), tlvs: { messagePayload: payload } });
    expect(long.message).toEqual(payload);
  });

  test("that end in the middle are unreadable, wherever that is", () => {
    const whole = encodePdu({ command: "submit_sm", sequence: 9, status: 0, message: shortMessage(TEXT) });
    for (let length = 16; length < whole.length; length++) {
      expect(readPdu(whole.slice(0, length)).is).toBe("unreadable");
    }
    expect(readPdu(whole).is).toBe("submit");
  });

  test("in a data_sm say the same to the appliance and to the auditor", () => {
    const facts = { about: submitted({}), id: "77", number: ADDRESS, stat: "DELIVRD", error: 0 } as const;
    for (const isInPayload of [false, true]) {
      const receipt = receiptOf({ ...facts, submittedAtMs: 0, doneAtMs: 0 }, "both", isInPayload);
      const octets = deliverSm(5, { ...receipt, isData: true });
      const text = latin(receiptTextOctets(receipt));
      const read = decodePdu(octets);
      expect(read).toMatchObject({
        ok: true,
        pdu: { command: "data_sm", sequence: 5, message: { esmClass: 4 } },
      });
      const { messagePayload } = read.ok && "message" in read.pdu ? read.pdu.message.tlvs : {};
      expect(latin(messagePayload!)).toBe(text);
      const audited = readByAuditor(octets);
      expect(audited).toMatchObject({ kind: "deliver_sm", command: "data_sm", sequence: 5 });
      if (audited.kind === "deliver_sm") expect(latin(audited.text.octets)).toBe(text);
    }
  });

  test("are understood by the appliance and by the auditor as they were meant", () => {
    const about = submitted({});
    const facts = { about, id: "77", number: ADDRESS, stat: "UNDELIV", error: 34 } as const;
    const octets = deliverSm(5, receiptOf({ ...facts, submittedAtMs: 0, doneAtMs: 0 }, "both"));
    const read = decodePdu(octets);
    expect(read).toMatchObject({
      ok: true,
      pdu: {
        command: "deliver_sm",
        sequence: 5,
        message: {
          sourceAddr: "22670000001",
          sourceAddrTon: 1,
          destinationAddr: "ACME",
          destAddrTon: 5,
          esmClass: 4,
          tlvs: { receiptedMessageId: "77", messageState: 5, networkErrorCode: Uint8Array.of(3, 0, 34) },
        },
      },
    });
    expect(readByAuditor(octets)).toMatchObject({ kind: "deliver_sm", sequence: 5 });
  });

  test("that are garbage are no trouble for the auditor", () => {
    for (let text = 0; text < 200; text++) {
      const { octets, isPdu } = garbageOf(forked(1, text));
      if (isPdu) expect(readByAuditor(octets)).toHaveProperty("kind");
    }
  });

  test("are cut out of a stream in any pieces, until something can be none", () => {
    const pdu = deliverSm(5, {
      source: ADDRESS,
      destination: ADDRESS,
      esmClass: 0,
      dataCoding: 0,
      message: new Uint8Array(3),
    });
    const stream = Uint8Array.from([...pdu, ...pdu, ...pdu, 0, 0, 0, 15]);
    for (let size = 1; size <= stream.length; size++) {
      const cut = frameCutter();
      const cuts = [];
      for (let at = 0; at < stream.length; at += size) cuts.push(cut(stream.slice(at, at + size)));
      expect(cuts.flatMap(({ frames }) => frames)).toEqual([pdu, pdu, pdu]);
      expect(cuts.map(({ isLost }) => isLost).lastIndexOf(true)).toBe(cuts.length - 1);
      expect(cuts.filter(({ isLost }) => isLost).length).toBe(1);
    }
  });
});

describe("the text of a receipt", () => {
  const times = { submittedAtMs: Date.UTC(2026, 2, 2, 9, 5), doneAtMs: Date.UTC(2026, 2, 2, 23, 59) };
  const textFor = (fields: object) =>
    receiptText({ about: submitted(fields), id: "A1", stat: "EXPIRED", error: 27, ...times });

  test("is that of the standard, with the beginning of what was submitted", () => {
    expect(textFor({})).toBe(
      "id:A1 sub:001 dlvrd:000 submit date:2603020905 done date:2603022359 stat:EXPIRED err:027 text:Good morning to you ",
    );
  });

  test("leaves the header of a part away, and reads what is wide", () => {
    const header = [5, 0, 3, 9, 2, 1];
    const wide = [...Buffer.from("Été à Ouaga", "utf16le").swap16()];
    expect(textFor({ esmClass: 0x40, shortMessage: Uint8Array.from([...header, 0x68, 0x69]) })).toMatch(
      /text:hi$/,
    );
    expect(textFor({ dataCoding: 8, shortMessage: Uint8Array.from(wide) })).toMatch(/text:\?t\? \? Ouaga$/);
  });

  test("stands in what is delivered", () => {
    const facts = {
      about: submitted({}),
      id: "A1",
      number: ADDRESS,
      stat: "DELIVRD",
      error: 0,
      ...times,
    } as const;
    expect(latin(receiptOf(facts, "none").message)).toBe(receiptText(facts));
  });
});
