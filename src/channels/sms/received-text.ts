import type { Config } from "../../config/config.ts";
import type { InboundRules, ReceivedText } from "../../domain/inbound/inbound.ts";
import { ESM_UDHI, messageOctets, type ShortMessage } from "../../smpp/short-message.ts";
import { type Concatenation, parseUserData, type UserData } from "../../text/udh.ts";

/** Type of number of an address that leaves its "+" out (SMPP 3.4 section 5.2.5). */
const INTERNATIONAL = 1;

/** The inbound text in a deliver_sm or data_sm that is no receipt. Pure. */
export function receivedText(message: ShortMessage): ReceivedText {
  const { sourceAddr, sourceAddrTon, destinationAddr, dataCoding } = message;
  const isInternational = sourceAddrTon === INTERNATIONAL && /^\d+$/.test(sourceAddr);
  const { body: octets, concatenation } = bodyOf(message);
  return {
    source: isInternational ? `+${sourceAddr}` : sourceAddr,
    destination: destinationAddr,
    dataCoding,
    octets,
    concatenation,
  };
}

/** Far above the 140 octets of a short message, which is what a part of a long text travels in. */
const MAX_PART_LENGTH = 255;
/** The most that the header of 3GPP TS 23.040 section 9.2.3.24.1 has room for; optional parameters could say any number. */
const MAX_PARTS = 255;

/**
 * The text's octets and its place in a long one, from a header in it or optional parameters. The parts of a long text are
 * read together, so what cannot be one of them is a text of its own.
 */
function bodyOf(message: ShortMessage): UserData {
  const octets = messageOctets(message);
  const headed = message.esmClass & ESM_UDHI ? parseUserData(octets) : { body: octets, concatenation: null };
  const concatenation = headed.concatenation ?? placeBySar(message);
  return { body: headed.body, concatenation: headed.body.length > MAX_PART_LENGTH ? null : concatenation };
}

function placeBySar({ tlvs }: ShortMessage): Concatenation | null {
  const { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part } = tlvs;
  if (reference === undefined || total === undefined || part === undefined) return null;
  return part >= 1 && part <= total && total <= MAX_PARTS ? { reference, total, part } : null;
}

/** How inbound texts are read: numbers as operators spell them, data_coding 0 as the connection that brought them says. */
export function inboundRules({
  config,
  readNumber,
}: {
  readonly config: () => Pick<Config, "operators">;
  readonly readNumber: InboundRules["readNumber"];
}): InboundRules {
  return {
    readNumber,
    alphabetOf: (code, connection) =>
      config().operators[code]?.connections[connection - 1]?.default_alphabet ?? "gsm",
  };
}
