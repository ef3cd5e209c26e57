import { COMMAND_IDS, encodePdu, type Pdu } from "../../src/smpp/pdu.ts";
import { type ShortMessage, shortMessage } from "../../src/smpp/short-message.ts";
import type { Dice } from "./dice.ts";

const IDS = Object.values(COMMAND_IDS);
/** Optional parameters of SMPP 3.4 section 5.3.2, a vendor's, and one of no meaning. */
const TAGS = [0x0005, 0x001e, 0x0204, 0x020c, 0x020e, 0x020f, 0x0210, 0x0423, 0x0424, 0x0427, 0x1401, 0xffff];

/** Any message that the wire can carry. */
export function anyMessage({ below, ascii, bytes }: Dice): ShortMessage {
  return shortMessage({
    serviceType: ascii(6),
    sourceAddrTon: below(256),
    sourceAddr: ascii(21),
    destAddrNpi: below(256),
    destinationAddr: ascii(21),
    esmClass: below(256),
    validityPeriod: ascii(17),
    registeredDelivery: below(256),
    dataCoding: below(256),
    shortMessage: bytes(below(255)),
    tlvs: {
      ...(below(4) === 0 && { messagePayload: bytes(below(2_000)) }),
      ...(below(2) && { receiptedMessageId: `x${ascii(64)}` }),
      ...(below(2) && { messageState: below(256) }),
      ...(below(2) && { networkErrorCode: bytes(3) }),
      ...(below(2) && {
        sarMsgRefNum: below(65_536),
        sarTotalSegments: below(256),
        sarSegmentSeqnum: below(256),
      }),
    },
  });
}

/** Any PDU we speak, as it comes back from the wire. */
export function anyPdu(rolls: Dice): Pdu {
  const { below, pick, ascii } = rolls;
  const sequence = below(0xffff_ffff);
  const header = { sequence, status: 0 };
  const kind = pick(["transceiver", "transmitter", "receiver"] as const);
  switch (below(8)) {
    case 0:
      return {
        command: `bind_${kind}`,
        ...header,
        bind: {
          systemId: ascii(16),
          password: ascii(9),
          systemType: ascii(13),
          interfaceVersion: below(256),
          addrTon: below(256),
          addrNpi: below(256),
          addressRange: ascii(41),
        },
      };
    case 1:
      return {
        command: `bind_${kind}_resp`,
        ...header,
        systemId: ascii(16),
        scInterfaceVersion: pick([null, below(256)]),
      };
    case 2:
    case 3:
      return { command: pick(["submit_sm", "deliver_sm"] as const), ...header, message: anyMessage(rolls) };
    case 4: {
      const { serviceType, sourceAddr, destinationAddr, esmClass, registeredDelivery, dataCoding, tlvs } =
        anyMessage(rolls);
      const message = {
        serviceType,
        sourceAddr,
        destinationAddr,
        esmClass,
        registeredDelivery,
        dataCoding,
        tlvs,
      };
      return { command: "data_sm", ...header, message: shortMessage(message) };
    }
    case 5:
      return {
        command: pick(["submit_sm_resp", "deliver_sm_resp", "data_sm_resp"] as const),
        sequence,
        ...pick([
          { status: 0, messageId: ascii(65) },
          { status: 1 + below(0xffff), messageId: null },
        ]),
      };
    case 6:
      return { command: "outbind", ...header, systemId: ascii(16), password: ascii(9) };
    default:
      return {
        command: pick([
          "unbind",
          "unbind_resp",
          "enquire_link",
          "enquire_link_resp",
          "generic_nack",
        ] as const),
        sequence,
        status: below(256),
      };
  }
}

/** A frame whose length is right and whose inside may be anything: noise, or a sound PDU with octets changed or cut. */
export function damagedFrame(rolls: Dice): Buffer {
  const { below, pick, bytes } = rolls;
  const isNoise = below(3) === 0;
  const whole = Buffer.from(isNoise ? bytes(16 + below(120)) : encodePdu(anyPdu(rolls)));
  for (let damage = below(5); damage > 0 && whole.length > 16; damage--) {
    whole[16 + below(whole.length - 16)] = pick([0, 0xff, below(256)]);
  }
  const frame = whole.subarray(0, below(3) === 0 ? 16 + below(whole.length - 15) : whole.length);
  frame.writeUInt32BE(frame.length, 0);
  if (isNoise && below(8) > 0) frame.writeUInt32BE(pick(IDS), 4);
  return frame;
}

/** Optional parameters behind one another; `isSound` when each has the octets that it says. */
export function anyParameters(rolls: Dice): { readonly octets: Buffer; readonly isSound: boolean } {
  const { below, pick, bytes } = rolls;
  const pieces: Uint8Array[] = [];
  let isSound = true;
  for (let count = below(12); count > 0 && isSound; count--) {
    const value = bytes(below(below(6) === 0 ? 1_000 : 12));
    const said = below(12) === 0 ? value.length + 1 + below(60_000) : value.length;
    const tag = below(3) === 0 ? below(65_536) : pick(TAGS);
    pieces.push(Uint8Array.of(tag >> 8, tag & 0xff, (said >> 8) & 0xff, said & 0xff), value);
    isSound = (said & 0xffff) === value.length;
  }
  return { octets: Buffer.concat(pieces), isSound };
}
