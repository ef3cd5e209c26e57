import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { COMMAND_IDS, type Command, decodePdu, encodePdu, type Pdu, toCommand } from "../../src/smpp/pdu.ts";
import { messageOctets, type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import { operation } from "./sample-pdu.ts";

const everyOctet = Uint8Array.from({ length: 254 }, (_, octet) => octet);

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString("hex");
}

function frame(commandId: number, status: number, sequence: number, body: number[] | Uint8Array): Uint8Array {
  const octets = Buffer.alloc(16 + body.length);
  octets.writeUInt32BE(octets.length, 0);
  octets.writeUInt32BE(commandId, 4);
  octets.writeUInt32BE(status, 8);
  octets.writeUInt32BE(sequence, 12);
  octets.set(body, 16);
  return new Uint8Array(octets);
}

function decoded(octets: Uint8Array): Pdu {
  const result = decodePdu(octets);
  if (!result.ok) throw new Error(result.reason);
  return result.pdu;
}

const bind = {
  systemId: "bendre",
  password: "a long password",
  systemType: "",
  interfaceVersion: 0x34,
  addrTon: 1,
  addrNpi: 1,
  addressRange: "^226",
};

const message = shortMessage({
  serviceType: "CMT",
  sourceAddrTon: 5,
  sourceAddr: "BENDRE",
  destAddrTon: 1,
  destAddrNpi: 1,
  destinationAddr: "22670123456",
  esmClass: 0x40,
  protocolId: 1,
  priorityFlag: 1,
  scheduleDeliveryTime: "260302090000000+",
  validityPeriod: "000001000000000R",
  registeredDelivery: 1,
  replaceIfPresentFlag: 1,
  dataCoding: 8,
  smDefaultMsgId: 3,
  shortMessage: everyOctet,
  tlvs: {
    receiptedMessageId: "0123-ab_c+d",
    messageState: 2,
    networkErrorCode: Uint8Array.of(3, 0, 27),
    sarMsgRefNum: 0xfedc,
    sarTotalSegments: 3,
    sarSegmentSeqnum: 2,
    userMessageReference: 0xabcd,
    clientReference: new Uint8Array(Buffer.from("order-1042")),
  },
});

const samples: Record<Exclude<Command, "alert_notification">, Pdu> = {
  bind_transceiver: { command: "bind_transceiver", sequence: 1, status: 0, bind },
  bind_transmitter: { command: "bind_transmitter", sequence: 1, status: 0, bind },
  bind_receiver: { command: "bind_receiver", sequence: 1, status: 0, bind },
  bind_transceiver_resp: {
    command: "bind_transceiver_resp",
    sequence: 1,
    status: 0,
    systemId: "SMSC",
    scInterfaceVersion: 0x34,
  },
  bind_transmitter_resp: {
    command: "bind_transmitter_resp",
    sequence: 1,
    status: 0,
    systemId: "SMSC",
    scInterfaceVersion: null,
  },
  bind_receiver_resp: {
    command: "bind_receiver_resp",
    sequence: 1,
    status: 0x0d,
    systemId: null,
    scInterfaceVersion: null,
  },
  submit_sm: { command: "submit_sm", sequence: 0x7fffffff, status: 0, message },
  submit_sm_resp: { command: "submit_sm_resp", sequence: 2, status: 0, messageId: "00B8BE19" },
  deliver_sm: { command: "deliver_sm", sequence: 3, status: 0, message },
  deliver_sm_resp: { command: "deliver_sm_resp", sequence: 3, status: 0, messageId: "" },
  data_sm: {
    command: "data_sm",
    sequence: 4,
    status: 0,
    message: shortMessage({
      sourceAddr: "1",
      destinationAddr: "2",
      tlvs: {
        messagePayload: everyOctet,
        userMessageReference: 7,
        clientReference: new Uint8Array(Buffer.from("order-1042")),
      },
    }),
  },
  data_sm_resp: { command: "data_sm_resp", sequence: 4, status: 0, messageId: "x" },
  query_sm: { command: "query_sm", sequence: 9, status: 0, operation },
  query_sm_resp: {
    command: "query_sm_resp",
    sequence: 9,
    status: 0,
    messageId: "m",
    finalDate: "261130190000000+",
    messageState: 2,
    errorCode: 27,
  },
  cancel_sm: {
    command: "cancel_sm",
    sequence: 10,
    status: 0,
    operation: { ...operation, serviceType: "CMT", destAddrTon: 1, destinationAddr: "22670123456" },
  },
  cancel_sm_resp: { command: "cancel_sm_resp", sequence: 10, status: 0x11 },
  replace_sm_resp: { command: "replace_sm_resp", sequence: 11, status: 3 },
  submit_multi_resp: { command: "submit_multi_resp", sequence: 11, status: 3 },
  unbind: { command: "unbind", sequence: 5, status: 0 },
  unbind_resp: { command: "unbind_resp", sequence: 5, status: 0 },
  outbind: { command: "outbind", sequence: 6, status: 0, systemId: "SMSC", password: "secret" },
  enquire_link: { command: "enquire_link", sequence: 7, status: 0 },
  enquire_link_resp: { command: "enquire_link_resp", sequence: 7, status: 0 },
  generic_nack: { command: "generic_nack", sequence: 8, status: 3 },
};

describe("encodePdu and decodePdu", () => {
  for (const [command, pdu] of Object.entries(samples)) {
    test(`${command} comes back as it was sent`, () => {
      expect(decoded(encodePdu(pdu))).toEqual(pdu);
    });
  }

  for (const [command, pdu] of Object.entries(samples)) {
    test(`${command} is read by the package's own reader`, () => {
      const { PDU } = createRequire(import.meta.url)("smpp") as { PDU: new (frame: Buffer) => object };
      const read = new PDU(Buffer.from(encodePdu(pdu)));
      expect(read).toMatchObject({ command, command_status: pdu.status, sequence_number: pdu.sequence });
      if ("bind" in pdu) expect(read).toMatchObject({ system_id: "bendre", address_range: "^226" });
      if ("messageId" in pdu) expect(read).toMatchObject({ message_id: pdu.messageId });
      if ("message" in pdu) {
        const { sourceAddr: source_addr, destinationAddr: destination_addr, dataCoding } = pdu.message;
        expect(read).toMatchObject({ source_addr, destination_addr, data_coding: dataCoding });
      }
    });
  }

  test("a submit_sm is laid out as SMPP 3.4 section 4.4.1 says", () => {
    const octets = encodePdu({
      command: "submit_sm",
      sequence: 2,
      status: 0,
      message: shortMessage({
        sourceAddrTon: 5,
        sourceAddr: "AB",
        destAddrTon: 1,
        destAddrNpi: 1,
        destinationAddr: "226",
        registeredDelivery: 1,
        dataCoding: 8,
        shortMessage: Uint8Array.of(0, 0xe7),
        tlvs: { sarTotalSegments: 2 },
      }),
    });
    expect(hex(octets)).toBe(
      "0000002d000000040000000000000002" +
        "00 0500414200 010132323600 000000 00 00 01 00 08 00 0200e7 020e000102".replaceAll(" ", ""),
    );
  });

  test("octets are neither decoded nor stripped of their user data header", () => {
    const octets = Uint8Array.of(5, 0, 3, 7, 2, 1, 0x1b, 0x65, 0x80, 0xff, 0);
    const pdu = decoded(
      encodePdu({
        command: "deliver_sm",
        sequence: 1,
        status: 0,
        message: shortMessage({ esmClass: 0x40, dataCoding: 1, tlvs: { messagePayload: octets } }),
      }),
    );
    expect(pdu.command === "deliver_sm" && messageOctets(pdu.message)).toEqual(octets);
  });

  test("what was decoded does not change when the frame's memory is used again", () => {
    const octets = encodePdu(samples.deliver_sm);
    const pdu = decoded(octets);
    octets.fill(0xff);
    expect(pdu).toEqual(samples.deliver_sm);
  });

  test("why a submit is refused stands behind an empty id, in two optional parameters of ours", () => {
    const why = { reason: "TEXT_EMPTY", sentence: "There is no text." };
    const header = { sequence: 2, status: 1, messageId: "" };
    const body = encodePdu({ command: "submit_sm_resp", ...header, why }).subarray(16);
    const parameters = ["00", "1401", "000b", hex(Buffer.from("TEXT_EMPTY\0"))];
    const sentence = ["1402", "0011", hex(Buffer.from(why.sentence))];
    expect(hex(body)).toBe([...parameters, ...sentence].join(""));
    expect(encodePdu({ command: "submit_sm_resp", ...header, messageId: null, why })).toHaveLength(16);
  });

  test("an error response decodes with and without its body", () => {
    const bare = frame(COMMAND_IDS.submit_sm_resp, 0x58, 9, []);
    expect(decoded(bare)).toEqual({ command: "submit_sm_resp", status: 0x58, sequence: 9, messageId: null });
    const full = frame(COMMAND_IDS.submit_sm_resp, 0x58, 9, [0x61, 0]);
    expect(decoded(full)).toEqual({ command: "submit_sm_resp", status: 0x58, sequence: 9, messageId: "a" });
    expect(hex(encodePdu({ command: "submit_sm_resp", status: 0x58, sequence: 9, messageId: null }))).toBe(
      hex(bare),
    );
    expect(hex(encodePdu({ command: "submit_sm_resp", status: 0x58, sequence: 9, messageId: "a" }))).toBe(
      hex(full),
    );
  });

  test("a response's id is read without its NUL, and a receipted_message_id too", () => {
    expect(decoded(frame(COMMAND_IDS.submit_sm_resp, 0, 9, [0x61, 0x62]))).toMatchObject({ messageId: "ab" });
    const octets = encodePdu({ command: "data_sm", sequence: 1, status: 0, message: shortMessage({}) });
    const tlvs = [0x00, 0x1e, 0, 2, 0x61, 0x62, 0x04, 0x27, 0, 1, 2];
    const pdu = decoded(frame(COMMAND_IDS.data_sm, 0, 1, [...octets.subarray(16), ...tlvs]));
    expect(pdu).toMatchObject({ message: { tlvs: { receiptedMessageId: "ab", messageState: 2 } } });
  });

  test("unknown optional parameters are passed over", () => {
    const octets = encodePdu({
      command: "deliver_sm",
      sequence: 1,
      status: 0,
      message: shortMessage({ tlvs: { messageState: 5 } }),
    });
    const strange = [0x14, 0x01, 0, 3, 1, 2, 3, 0x03, 0x81, 0, 0];
    const pdu = decoded(frame(COMMAND_IDS.deliver_sm, 0, 1, [...octets.subarray(16), ...strange]));
    expect(pdu).toMatchObject({ message: { tlvs: { messageState: 5 } } });
  });

  test("a command we do not speak keeps its id and sequence", () => {
    const submitMulti = 0x21;
    expect(decoded(frame(submitMulti, 0, 77, [0x31, 0]))).toEqual({
      command: "unsupported",
      commandId: submitMulti,
      sequence: 77,
      status: 0,
    });
    expect(toCommand(submitMulti)).toBe(undefined);
  });

  test("every way to cut a request short is a failure with its command and sequence", () => {
    for (const command of ["submit_sm", "deliver_sm", "data_sm", "bind_transceiver", "outbind"] as const) {
      const whole = encodePdu({ ...samples[command], sequence: 41 });
      const { tlvs: _, ...mandatory } = message;
      const plain =
        "message" in samples[command]
          ? encodePdu({ ...samples[command], sequence: 41, message: shortMessage(mandatory) } as Pdu)
          : whole;
      for (let length = 0; length < plain.length - 16; length++) {
        const result = decodePdu(frame(COMMAND_IDS[command], 0, 41, plain.subarray(16, 16 + length)));
        expect(result).toMatchObject({
          ok: false,
          commandId: COMMAND_IDS[command],
          sequence: 41,
          status: 0x02,
        });
      }
    }
  });

  describe("an optional parameter longer than the frame", () => {
    const withParameters = (command: "submit_sm" | "deliver_sm" | "data_sm", octets: readonly number[]) => {
      const bare = encodePdu({ command, sequence: 1, status: 0, message: shortMessage({}) }).subarray(16);
      return decodePdu(frame(COMMAND_IDS[command], 0, 6, [...bare, ...octets]));
    };
    const state = [0x04, 0x27, 0, 1, 2];

    test.each(["submit_sm", "deliver_sm", "data_sm"] as const)(
      "of a %s is told, and what stands before it is read",
      (command) => {
        const result = withParameters(command, [...state, 0x00, 0x1e, 0, 9, 0x31, 0x32]);
        expect(result).toMatchObject({ ok: true, isBroken: true, pdu: { command, sequence: 6 } });
        expect(result.ok && "message" in result.pdu && result.pdu.message.tlvs).toEqual({ messageState: 2 });
        expect(withParameters(command, state)).not.toHaveProperty("isBroken");
      },
    );

    test.each(["deliver_sm", "data_sm"] as const)(
      "that is the text of a %s is read as far as it goes",
      (command) => {
        const cut = withParameters(command, [0x04, 0x24, 0, 9, 0x53, 0x54]);
        expect(cut).toMatchObject({
          isBroken: true,
          pdu: { message: { tlvs: { messagePayload: Uint8Array.of(0x53, 0x54) } } },
        });
        const second = withParameters(command, [0x04, 0x24, 0, 1, 0x41, 0x04, 0x24, 0, 9, 0x42]);
        expect(second).toMatchObject({
          isBroken: true,
          pdu: { message: { tlvs: { messagePayload: Uint8Array.of(0x41) } } },
        });
      },
    );
  });

  test("an address without measure is a failure that says which", () => {
    const addressed = (fields: Partial<ShortMessage>) =>
      decodePdu(
        encodePdu({ command: "deliver_sm", sequence: 7, status: 0, message: shortMessage({ ...fields }) }),
      );
    expect(addressed({ sourceAddr: "1".repeat(64), destinationAddr: "2".repeat(64) }).ok).toBe(true);
    expect(addressed({ sourceAddr: "1".repeat(65) })).toMatchObject({ ok: false, sequence: 7, status: 0x0a });
    expect(addressed({ destinationAddr: "2".repeat(60_000) })).toMatchObject({ ok: false, status: 0x0b });
  });

  test("a frame whose length disagrees with its header is a failure", () => {
    expect(decodePdu(new Uint8Array(0)).ok).toBe(false);
    expect(decodePdu(new Uint8Array(16)).ok).toBe(false);
    const long = encodePdu(samples.enquire_link);
    expect(decodePdu(long.subarray(0, 15)).ok).toBe(false);
  });

  test("a text that would shift the fields behind it is a bug, not a PDU", () => {
    for (const sourceAddr of ["A\0B", "Société"]) {
      const wrong: Pdu = {
        command: "submit_sm",
        sequence: 1,
        status: 0,
        message: shortMessage({ sourceAddr }),
      };
      expect(() => encodePdu(wrong)).toThrow("source_addr");
    }
  });

  test("a short_message over 254 octets is a bug", () => {
    const octets = new Uint8Array(255);
    expect(() =>
      encodePdu({
        command: "submit_sm",
        sequence: 1,
        status: 0,
        message: shortMessage({ shortMessage: octets }),
      }),
    ).toThrow("254");
  });
});
