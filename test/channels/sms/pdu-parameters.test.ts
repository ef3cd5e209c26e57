import { describe, expect, test } from "vitest";
import { toPduParameters } from "../../../src/channels/sms/sent-segments.ts";
import { type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";

const DIFFERENT: readonly Partial<ShortMessage>[] = [
  {},
  { serviceType: "CMT" },
  { sourceAddrTon: 5 },
  { sourceAddrNpi: 1 },
  { sourceAddr: "BENDRE" },
  { destAddrTon: 1 },
  { destAddrNpi: 1 },
  { esmClass: 0x40 },
  { esmClass: 0x04 },
  { priorityFlag: 1 },
  { registeredDelivery: 1 },
  { dataCoding: 8 },
  { tlvs: { messagePayload: Uint8Array.of(1) } },
  { tlvs: { sarMsgRefNum: 1, sarTotalSegments: 2, sarSegmentSeqnum: 1 } },
];

describe("the shape of a submit", () => {
  test("differs with each field that it is of, whichever was asked for before", () => {
    for (const one of DIFFERENT) {
      for (const other of DIFFERENT) {
        const [first, second] = [toPduParameters(shortMessage(one)), toPduParameters(shortMessage(other))];
        expect(first === second).toBe(one === other);
      }
    }
  });

  test("is the same for other numbers, texts and times", () => {
    const parameters = toPduParameters(shortMessage({ sourceAddr: "BENDRE", dataCoding: 8 }));
    const other = { destinationAddr: "22670123456", validityPeriod: "000001000000000R" };
    const shortOctets = { shortMessage: Uint8Array.of(1, 2), tlvs: { receiptedMessageId: "x" } };
    expect(
      toPduParameters(shortMessage({ sourceAddr: "BENDRE", dataCoding: 8, ...other, ...shortOctets })),
    ).toBe(parameters);
  });
});
