/**
 * How many segments a text is, and in which encoding: GSM 03.38 or UCS-2.
 *
 * One count for the bill, the wire, the simulated operator and inbound texts: `weigh` says how many segments a text is, `split`
 * cuts it into them. The characters are in `gsm-alphabet.ts`, the header of parts in `udh.ts`, texts that come in are read by
 * `inbound-text.ts`. Pure; knows nothing of messages, operators and money.
 */
import { countSeptets } from "./gsm-alphabet.ts";

/** How a text travels: in the GSM 7-bit alphabet where all of it fits, else in UCS-2 (UTF-16). */
type Encoding = "GSM7" | "UCS2";

export type TextSize = {
  readonly encoding: Encoding;
  /** Parts as billed and as sent. */
  readonly segments: number;
  /** Septets of GSM7, UTF-16 code units of UCS2. */
  readonly units: number;
};

/** Units in a single message, and in each part of several: 8-bit reference, 6 octets of header (TS 23.040 9.2.3.24.1). */
export const SEGMENT_UNITS: Readonly<Record<Encoding, { readonly single: number; readonly part: number }>> = {
  GSM7: { single: 160, part: 153 },
  UCS2: { single: 70, part: 67 },
};

/** The number of parts has one octet in the concatenation header (3GPP TS 23.040 section 9.2.3.24.1). */
export const MAX_SEGMENTS = 255;

/** A longer text has more parts than that: NFC makes one unit of four at most, a Greek letter and its three marks. */
export const MAX_TEXT_LENGTH = 4 * MAX_SEGMENTS * SEGMENT_UNITS.GSM7.part;

/**
 * A text as it is counted and sent: composed (NFC), so that a letter with its accent apart does not cost UCS-2, and
 * with lone surrogates, which no alphabet has, replaced by U+FFFD.
 */
export function normalizeText(text: string): string {
  return text.toWellFormed().normalize("NFC");
}

/**
 * What a prepared text weighs: one count for the quote, the bill and the wire (docs/behaviour.md#segments). Empty text is one
 * GSM7 segment, as an empty message is one `submit_sm`. More than MAX_SEGMENTS is for the caller to refuse.
 */
export function weigh(text: string): TextSize {
  let septets = 0;
  for (let index = 0; index < text.length; index++) {
    const count = countSeptets(text.charCodeAt(index));
    if (count === 0) return weighAs("UCS2", text, text.length);
    septets += count;
  }
  return weighAs("GSM7", text, septets);
}

function weighAs(encoding: Encoding, text: string, units: number): TextSize {
  const segments = units <= SEGMENT_UNITS[encoding].single ? 1 : cuts(text, encoding).length;
  return { encoding, segments, units };
}

/** A prepared text in the parts it is sent in; no escape or surrogate pair is split. Empty text is one empty part. */
export function split(text: string): { readonly encoding: Encoding; readonly parts: readonly string[] } {
  const { encoding, units } = weigh(text);
  if (units <= SEGMENT_UNITS[encoding].single) return { encoding, parts: [text] };
  const ends = cuts(text, encoding);
  return { encoding, parts: ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)) };
}

/** The end of each part of a long text, filled greedily. */
function cuts(text: string, encoding: Encoding): number[] {
  const room = SEGMENT_UNITS[encoding].part;
  const ends: number[] = [];
  let used = 0;
  let index = 0;
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    const isPair = encoding === "UCS2" && unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length;
    const units = encoding === "GSM7" ? countSeptets(unit) : isPair ? 2 : 1;
    if (used + units > room) {
      ends.push(index);
      used = 0;
    }
    used += units;
    index += isPair ? 2 : 1;
  }
  ends.push(text.length);
  return ends;
}
