/**
 * Handsets of the simulated network: decode the octets of a message and join its segments into the text that a person would
 * see.
 */
import { ESM_UDHI, messageOctets, type ShortMessage } from "../smpp/short-message.ts";
import { type DefaultAlphabet, decodeGsm, ESCAPE } from "../text/gsm-alphabet.ts";
import { decodeUcs2 } from "../text/ucs2.ts";
import { type Concatenation, parseUserData } from "../text/udh.ts";

/** A whole text on a handset's screen. */
export type HandsetText = {
  readonly from: string;
  readonly to: string;
  readonly parts: number;
  readonly alphabet: Alphabet;
  readonly text: string;
};

/** How many incomplete texts are remembered, the newest. */
const MAX_INCOMPLETE = 10_000;

/** Joins parts. Those in one alphabet are decoded together: a sender may have cut a character in two between them. */
function joined(parts: readonly HandsetPart[]): string {
  const [first] = parts;
  if (!first || parts.some(({ alphabet }) => alphabet !== first.alphabet)) {
    return parts.map(({ text }) => text).join("");
  }
  return textIn(first.alphabet, Buffer.concat(parts.map(({ octets }) => octets)));
}

/**
 * All handsets of the network. Parts belong together when sender, recipient, reference and total agree, in
 * whatever order they come (3GPP TS 23.040 section 9.2.3.24.1); one that comes again replaces itself.
 */
export class Handsets {
  private readonly gathering = new Map<string, Map<number, HandsetPart>>();

  /** Takes a part that reached a handset; returns the whole text once no part is missing, else null. */
  take(from: string, to: string, part: HandsetPart): HandsetText | null {
    const { gathering } = this;
    const { concatenation, alphabet, text } = part;
    if (concatenation === null || concatenation.total === 1) return { from, to, parts: 1, alphabet, text };
    const { reference, total, part: place } = concatenation;
    const key = JSON.stringify([from, to, reference, total]);
    const parts = gathering.get(key) ?? new Map<number, HandsetPart>();
    gathering.set(key, parts.set(place, part));
    for (const oldest of gathering.keys()) {
      if (gathering.size <= MAX_INCOMPLETE) break;
      gathering.delete(oldest);
    }
    if (parts.size < total) return null;
    gathering.delete(key);
    const whole = [...parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    return { from, to, parts: total, alphabet, text: joined(whole) };
  }

  /** Texts of which some parts, but not all, arrived. */
  incomplete(): number {
    return this.gathering.size;
  }
}

type Alphabet = "GSM7" | "UCS2" | "LATIN1" | "ASCII" | "BINARY";

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

/** Whether octets end in half a pair. Two escapes are a pair, a space, so an odd number of them at the end tells. */
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

/** Decodes octets in an alphabet; any octets give a text. */
function textIn(alphabet: Alphabet, octets: Uint8Array): string {
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
