import { ESM_UDHI, messageOctets, type ShortMessage } from "../smpp/short-message.ts";
import { type DefaultAlphabet, decodeGsm, ESCAPE } from "../text/gsm-alphabet.ts";
import { decodeUcs2 } from "../text/ucs2.ts";
import { type Concatenation, parseUserData } from "../text/udh.ts";

export type Alphabet = "GSM7" | "UCS2" | "LATIN1" | "ASCII" | "BINARY";

/** One submit_sm as a handset takes it: where it belongs in a longer text, and its own piece of it. */
export type HandsetPart = {
  readonly concatenation: Concatenation | null;
  readonly alphabet: Alphabet;
  readonly text: string;
  /** The octets of its piece. */
  readonly octets: Uint8Array;
  /** The last octets are the first half of an escape pair or of a surrogate pair. */
  readonly endsHalfway: boolean;
};

/**
 * Reads a message's octets, wherever they travelled: concatenation from the user data header or the sar parameters,
 * the alphabet from data_coding (SMPP 3.4 section 5.2.19), of which 0 is this operator's default.
 */
export function toHandsetPart(message: ShortMessage, defaultAlphabet: DefaultAlphabet): HandsetPart {
  const octets = messageOctets(message);
  const headed =
    (message.esmClass & ESM_UDHI) !== 0
      ? parseUserData(octets)
      : { concatenation: sarOf(message), body: octets };
  const alphabet = alphabetOf(message.dataCoding, defaultAlphabet);
  return {
    concatenation: headed.concatenation,
    alphabet,
    text: textIn(alphabet, headed.body),
    octets: headed.body,
    endsHalfway: endsHalfway(headed.body, alphabet),
  };
}

/** An escape behind another one is its pair, a space; so it is their number that tells. */
function endsHalfway(octets: Uint8Array, alphabet: Alphabet): boolean {
  if (alphabet === "UCS2") return ((octets.at(-2) ?? 0) & 0xfc) === 0xd8;
  let escapes = 0;
  while (alphabet === "GSM7" && octets.at(-1 - escapes) === ESCAPE) escapes += 1;
  return escapes % 2 === 1;
}

function sarOf({ tlvs }: ShortMessage): Concatenation | null {
  const { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part } = tlvs;
  if (reference === undefined || total === undefined || part === undefined) return null;
  return part >= 1 && part <= total ? { reference, total, part } : null;
}

function alphabetOf(dataCoding: number, defaultAlphabet: DefaultAlphabet): Alphabet {
  switch (dataCoding) {
    case 0x00:
      return defaultAlphabet === "gsm" ? "GSM7" : defaultAlphabet === "latin1" ? "LATIN1" : "ASCII";
    case 0x01:
      return "ASCII";
    case 0x03:
      return "LATIN1";
    case 0x08:
      return "UCS2";
    default:
      // GSM message classes (0xF0 to 0xF3, and 0x10 to 0x13 as some write them) keep the default alphabet.
      return (dataCoding & 0xfc) === 0xf0 || (dataCoding & 0xfc) === 0x10 ? "GSM7" : "BINARY";
  }
}

/** The text of octets in an alphabet; any octets give one. */
export function textIn(alphabet: Alphabet, octets: Uint8Array): string {
  const buffer = Buffer.from(octets);
  switch (alphabet) {
    case "GSM7":
      return decodeGsm(octets);
    case "UCS2":
      return decodeUcs2(octets);
    case "LATIN1":
      return buffer.toString("latin1");
    case "ASCII":
      return Array.from(octets, (octet) => (octet < 0x80 ? String.fromCharCode(octet) : "?")).join("");
    case "BINARY":
      return buffer.toString("hex");
  }
}
