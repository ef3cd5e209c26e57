/**
 * What a handset shows of a text that was submitted: its characters by data_coding, and its place in a longer one. Tables of the
 * auditor's own (GSM 03.38, SMPP 3.4).
 */
import { type Text, TLV } from "./pdu.ts";

/** What data_coding 0 means to a centre: what its connections were told (`default_alphabet`). */
export type DefaultAlphabet = "gsm" | "latin1" | "ascii";

// Sixteen characters a row; the escape, 0x1B, shows as a space and stands for itself here.
const GSM =
  "@£$¥èéùìòÇ\nØø\rÅå" +
  "Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ" +
  " !\"#¤%&'()*+,-./" +
  "0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNO" +
  "PQRSTUVWXYZÄÖÑÜ§" +
  "¿abcdefghijklmno" +
  "pqrstuvwxyzäöñüà";

const EXTENSION = new Map<number, string>([
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
]);

const REPLACEMENT = "\ufffd";

/** A text in characters; what its coding can't mean shows as U+FFFD. */
export function charactersOf(octets: Uint8Array, dataCoding: number, zero: DefaultAlphabet): string {
  switch (dataCoding) {
    case 0:
      return zero === "gsm" ? gsmText(octets) : singleOctets(octets, zero === "ascii" ? 0x7f : 0xff);
    case 1:
      return singleOctets(octets, 0x7f);
    case 3:
      return singleOctets(octets, 0xff);
    case 8:
      return ucs2Text(octets);
    default:
      return REPLACEMENT.repeat(octets.length);
  }
}

/** Septets, each in an octet of its own. */
function gsmText(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at < octets.length; at++) {
    const code = octets[at] ?? 0;
    if (code !== 0x1b) {
      text += GSM[code] ?? REPLACEMENT;
      continue;
    }
    at++;
    text += EXTENSION.get(octets[at] ?? -1) ?? REPLACEMENT;
  }
  return text;
}

function singleOctets(octets: Uint8Array, highest: number): string {
  let text = "";
  for (const octet of octets) text += octet <= highest ? String.fromCharCode(octet) : REPLACEMENT;
  return text;
}

function ucs2Text(octets: Uint8Array): string {
  let text = "";
  for (let at = 0; at + 1 < octets.length; at += 2) {
    text += String.fromCharCode((octets[at] ?? 0) * 256 + (octets[at + 1] ?? 0));
  }
  return octets.length % 2 === 0 ? text : text + REPLACEMENT;
}

/** Where a part stands among those of one text; a text that is whole is part 1 of 1 without a reference. */
export type Place = {
  readonly reference: string | null;
  readonly total: number;
  /** From 1. */
  readonly number: number;
};

export type ShortText = {
  readonly place: Place;
  readonly characters: string;
  /** Why it can't be shown as it should be; null where all is well. */
  readonly fault: string | null;
};

const WHOLE: Place = { reference: null, total: 1, number: 1 };
const HEADER = 0x40;

/** What one submit_sm carries. */
export function shortTextOf(text: Text, zero: DefaultAlphabet): ShortText {
  const sar = sarPlace(text);
  if ((text.esmClass & HEADER) === 0) {
    return shown(sar ?? WHOLE, charactersOf(text.octets, text.dataCoding, zero), null);
  }
  const length = (text.octets[0] ?? 0) + 1;
  const body = charactersOf(text.octets.subarray(length), text.dataCoding, zero);
  if (length > text.octets.length) return shown(WHOLE, body, "a user data header longer than the message");
  const place = headerPlace(text.octets.subarray(1, length));
  if (place === null) return shown(WHOLE, body, "a user data header without a place");
  return shown(place, body, sar === null ? null : "a user data header and SAR parameters");
}

function shown(place: Place, characters: string, fault: string | null): ShortText {
  const { total, number } = place;
  const isPlace = number >= 1 && number <= total;
  const said = fault ?? (isPlace ? null : `part ${number} of ${total}`);
  return {
    place,
    characters,
    fault: said ?? (characters.includes(REPLACEMENT) ? "unreadable characters" : null),
  };
}

function headerPlace(header: Uint8Array): Place | null {
  for (let at = 0; at + 1 < header.length; at += 2 + (header[at + 1] ?? 0)) {
    const [element, size] = [header[at], header[at + 1]];
    const value = header.subarray(at + 2, at + 2 + (size ?? 0));
    const [a = 0, b = 0, c = 0, d = 0] = value;
    if (element === 0 && value.length === 3) return { reference: `8:${a}`, total: b, number: c };
    if (element === 8 && value.length === 4) return { reference: `16:${a * 256 + b}`, total: c, number: d };
  }
  return null;
}

function sarPlace({ tlvs }: Text): Place | null {
  const reference = tlvs.get(TLV.sarReference);
  const total = tlvs.get(TLV.sarTotal)?.[0];
  const number = tlvs.get(TLV.sarSequence)?.[0];
  if (reference === undefined || total === undefined || number === undefined) return null;
  return { reference: `sar:${(reference[0] ?? 0) * 256 + (reference[1] ?? 0)}`, total, number };
}

/** How many SMS a text is, and how it is cut (docs/behaviour.md#segments): the parts that a handset puts together again. */
export function partsOf(text: string): {
  readonly encoding: "GSM7" | "UCS2";
  readonly parts: readonly string[];
} {
  const composed = text.normalize("NFC");
  // Most texts are short: nothing has to be taken apart.
  const weight = gsmWeight(composed);
  if (weight !== null && weight <= 160) return { encoding: "GSM7", parts: [composed] };
  if (weight === null && composed.length <= 70) return { encoding: "UCS2", parts: [composed] };
  const units = gsmUnits(composed);
  if (units !== null) return { encoding: "GSM7", parts: cut(units, 160, 153) };
  const points = [...composed].map((point) => ({ point, weight: point.length }));
  return { encoding: "UCS2", parts: cut(points, 70, 67) };
}

type Unit = { readonly point: string; readonly weight: number };

const EXTENDED = new Set(EXTENSION.values());

function gsmUnits(text: string): Unit[] | null {
  return gsmWeight(text) === null ? null : Array.from(text, (point) => ({ point, weight: weightOf(point) }));
}

/** What a text weighs in septets; null where a character of it is none of GSM 03.38. */
function gsmWeight(text: string): number | null {
  let sum = 0;
  for (const point of text) {
    const weight = weightOf(point);
    if (weight === 0) return null;
    sum += weight;
  }
  return sum;
}

function weightOf(point: string): number {
  if (EXTENDED.has(point)) return 2;
  return point !== "\u001b" && GSM.includes(point) ? 1 : 0;
}

/** Filled greedily; what weighs two is never split. */
function cut(units: readonly Unit[], single: number, each: number): string[] {
  if (units.reduce((sum, { weight }) => sum + weight, 0) <= single)
    return [units.map(({ point }) => point).join("")];
  const parts: string[] = [];
  // Joined in one go: a text that grows letter by letter is held as so many pieces.
  let part: string[] = [];
  let room = each;
  for (const { point, weight } of units) {
    if (weight > room) {
      parts.push(part.join(""));
      part = [];
      room = each;
    }
    part.push(point);
    room -= weight;
  }
  return [...parts, part.join("")];
}
