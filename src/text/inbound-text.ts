/**
 * Reads all texts that operators send in: subscribers' texts, and receipts, which are lines of text as well
 * (docs/behaviour.md#texts-that-come-in).
 */
import { type DefaultAlphabet, decodeGsm } from "./gsm-alphabet.ts";
import { decodeUcs2 } from "./ucs2.ts";

/** How octets are coded: as the SMSC's default alphabet, as GSM 7-bit, one octet a character, or two. */
type Coding = "default" | "gsm" | "single" | "pairs";

/** data_coding as SMPP counts it (SMPP 3.4 section 5.2.19). */
const SMPP_CODINGS: ReadonlyMap<number, Coding> = new Map([
  [0x00, "default"],
  [0x01, "single"],
  [0x03, "single"],
  [0x08, "pairs"],
]);

/** Bits of the general group of 3GPP TS 23.038 section 4, and of that of messages marked for deletion. */
const COMPRESSED = 0x20;
const GENERAL_ALPHABETS: readonly (Coding | null)[] = ["gsm", null, "pairs", null];
/** Its groups in the upper half: of message waiting, kept as GSM 7-bit or UCS-2, and of a class, where one bit tells 8-bit data. */
const WAITING_GSM = 0xd0;
const WAITING_UCS2 = 0xe0;
const CLASSED = 0xf0;
const EIGHT_BIT = 0x04;

/** How the octets under a data_coding are coded; null where they are no text that we can read, such as 8-bit data. */
function codingOf(dataCoding: number): Coding | null {
  if (dataCoding < 0x10) return SMPP_CODINGS.get(dataCoding) ?? null;
  if (dataCoding < 0x80)
    return dataCoding & COMPRESSED ? null : (GENERAL_ALPHABETS[(dataCoding >> 2) & 3] ?? null);
  switch (dataCoding & 0xf0) {
    case WAITING_GSM:
      return "gsm";
    case WAITING_UCS2:
      return "pairs";
    case CLASSED:
      return dataCoding & EIGHT_BIT ? null : "gsm";
    default:
      return null;
  }
}

/**
 * The text of a message's octets, without its user data header; null when they are no text we can read. `alphabet` is what the
 * SMSC means by data_coding 0. NULs that some SMSCs put behind a text are dropped.
 */
export function decodeInbound(
  octets: Uint8Array,
  dataCoding: number,
  alphabet: DefaultAlphabet,
): string | null {
  const coding = codingOf(dataCoding);
  if (coding === null) return null;
  if (coding === "pairs") return pairsIn(octets);
  const stray = strayPairs(octets);
  if (stray !== null) return stray;
  return coding === "gsm" || (coding === "default" && alphabet === "gsm")
    ? decodeGsm(octets)
    : singleOctets(octets);
}

/** Possible readings of the octets under a data_coding, likeliest first, where what is searched for is ASCII: a receipt's labels. */
export function asciiReadings(octets: Uint8Array, dataCoding: number): readonly string[] {
  const coding = codingOf(dataCoding);
  const single = latin1(octets);
  const pairs = coding === "pairs" ? pairsIn(octets) : strayPairs(octets);
  // A first octet of 0 begins no line of a receipt, whatever follows.
  const isPaired = pairs === null && octets.length > 1 && octets[0] === 0;
  const wide = pairs ?? (isPaired ? pairsIn(octets) : null);
  const narrow = coding === "default" ? single.replaceAll(GSM_LOW_LINE, "_") : single;
  return wide === null ? [narrow] : [wide, narrow];
}

/** Where the GSM 7-bit alphabet has the low line of ids (3GPP TS 23.038 section 6.2.1). */
const GSM_LOW_LINE = "\x11";

/** U+FEFF in big-endian and in little-endian order: the byte order marks of UTF-16. */
const isMarkedBig = ([first, second]: Uint8Array): boolean => first === 0xfe && second === 0xff;
const isMarkedLittle = ([first, second]: Uint8Array): boolean => first === 0xff && second === 0xfe;

/** The text of octet pairs: big-endian, unless a mark or all of them say otherwise. */
function pairsIn(octets: Uint8Array): string {
  if (isMarkedBig(octets)) return withoutNuls(decodeUcs2(octets.subarray(2)));
  if (isMarkedLittle(octets)) return withoutNuls(decodeUcs2(swapped(octets.subarray(2))));
  return withoutNuls(decodeUcs2(isSwappedAscii(octets) ? swapped(octets) : octets));
}

/** From so many pairs on, low octets of 0 throughout are no accident of ideographic characters. */
const MIN_SWAPPED_PAIRS = 3;

/** Whether pairs are little-endian ASCII without a byte order mark. */
function isSwappedAscii(octets: Uint8Array): boolean {
  if (octets.length < 2 * MIN_SWAPPED_PAIRS) return false;
  for (let at = 0; at + 1 < octets.length; at += 2) {
    const low = octets[at] ?? 0;
    if (octets[at + 1] !== 0 || low > 0x7e || (low < 0x20 && low !== 0x0a && low !== 0x0d)) return false;
  }
  return true;
}

/** Fewer pairs than this may be two characters of single octets, such as "@A". */
const MIN_STRAY_PAIRS = 2;

/**
 * The text of pairs of octets that a data_coding calls single ones, as some SMSCs do; null where they are none. A byte order mark
 * says so, which is neither GSM 7-bit nor a word of Latin-1, and so do zeros in three of four pairs, all of them on one side: in
 * GSM 7-bit that is an "@" before each letter.
 */
function strayPairs(whole: Uint8Array): string | null {
  const octets = withoutNulPairs(whole);
  if (octets.length % 2 !== 0 || octets.length < 2 * MIN_STRAY_PAIRS) return null;
  if (isMarkedBig(octets) || isMarkedLittle(octets)) return pairsIn(octets);
  const zeros = [0, 0];
  for (let at = 0; at < octets.length; at++) if (octets[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [high = 0, low = 0] = zeros;
  const most = (octets.length / 2) * 0.75;
  if (low === 0 && high >= most) return decodeUcs2(octets);
  return high === 0 && low >= most ? decodeUcs2(swapped(octets)) : null;
}

/** The octets without pairs of NULs at their end, and without one NUL that belongs to no pair. */
function withoutNulPairs(octets: Uint8Array): Uint8Array {
  let end = octets.length;
  if (end % 2 !== 0 && octets[end - 1] === 0) end -= 1;
  while (end >= 2 && end % 2 === 0 && octets[end - 1] === 0 && octets[end - 2] === 0) end -= 2;
  return octets.subarray(0, end);
}

/** The octets of each pair in the other order. */
function swapped(octets: Uint8Array): Uint8Array {
  const other = new Uint8Array(octets.length - (octets.length % 2));
  for (let at = 0; at < other.length; at += 2) {
    other[at] = octets[at + 1] ?? 0;
    other[at + 1] = octets[at] ?? 0;
  }
  return other;
}

function singleOctets(octets: Uint8Array): string {
  return withoutNuls(latin1(octets));
}

function latin1(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString("latin1");
}

/** A text without the NULs at its end. By hand: a pattern for them takes quadratic time where something follows. */
function withoutNuls(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}
