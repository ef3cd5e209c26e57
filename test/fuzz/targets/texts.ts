import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { countSeptets, decodeGsm, encodeDefaultAlphabet, encodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { decodeInbound } from "../../../src/text/inbound-text.ts";
import { MAX_SEGMENTS, MAX_TEXT_LENGTH, normalizeText, split, weigh } from "../../../src/text/segments.ts";
import { decodeUcs2, encodeUcs2 } from "../../../src/text/ucs2.ts";
import { concatenationHeader, parseUserData } from "../../../src/text/udh.ts";
import type { Dice } from "../dice.ts";
import { octetsOf, sizeOf, textTarget } from "../target.ts";

/** 3GPP TS 23.038 section 6.2.1, typed anew: what the table of the code is compared with. */
const DEFAULT =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const EXTENSION = "\f^{}\\[~]|€";
const ONE = new Set(DEFAULT);
const TWO = new Set(EXTENSION);
const CODINGS = [0, 1, 3, 8, 0x10, 0x18, 0xf0, 0x04];
const CHARACTERS = [
  ...DEFAULT,
  ...EXTENSION,
  ..."çêœ`Ё日本😀👩‍👩‍👧🏽\u0301\u0344ΐ\u0390ﬁ\u2028\u0000\u001b\ufffd",
];

export const texts = textTarget({
  name: "texts",
  promise:
    "the parts of a text are the text, as many as are billed, none over its room, and codings come back",
  words: [
    "€",
    "{",
    "😀",
    "é",
    "e\u0301",
    "ç",
    "\f",
    "a".repeat(70),
    "a".repeat(153),
    "日".repeat(67),
    "\\",
    "\u001b",
  ],
  draw: drawn,
  longest: 640,
  run: (text) => {
    const prepared = normalizeText(text);
    strictEqual(prepared, normalizeText(prepared));
    const { encoding, segments, units } = weigh(prepared);
    const characters = [...prepared];
    const isGsm = characters.every((character) => ONE.has(character) || TWO.has(character));
    strictEqual(encoding, isGsm ? "GSM7" : "UCS2");
    const room = encoding === "GSM7" ? [160, 153] : [70, 67];
    const weights = characters.map((character) => (isGsm ? (TWO.has(character) ? 2 : 1) : character.length));
    strictEqual(
      units,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
    strictEqual(segments, segmentsOf(weights, room));
    const parts = split(prepared).parts;
    deepStrictEqual([parts.length, parts.join("")], [segments, prepared]);
    const octets = isGsm ? encodeGsm(prepared) : encodeUcs2(prepared);
    ok(octets !== null);
    strictEqual(isGsm ? decodeGsm(octets) : decodeUcs2(octets), prepared, "codings come back");
    for (const [index, part] of parts.entries()) checkPart(part, index, parts.length, isGsm, room);
    if (prepared.length > MAX_TEXT_LENGTH) ok(segments > MAX_SEGMENTS, "too long a text has too many parts");
    asOtherAlphabets(prepared);
    decodeInbound(octetsOf(text), CODINGS[text.length % CODINGS.length] ?? 0, "gsm");
    const edge = units === room[0] ? "full" : units % (room[1] ?? 1) === 0 ? "even" : "ragged";
    return `${encoding} ${Math.min(segments, 4)} ${edge} ${sizeOf(segments)}${prepared === text ? "" : " composed"}`;
  },
});

/** How many parts a text has whose characters weigh so much, by filling one after the other. */
function segmentsOf(weights: readonly number[], [single = 0, part = 0]: readonly number[]): number {
  if (weights.reduce((sum, weight) => sum + weight, 0) <= single) return 1;
  let parts = 1;
  let used = 0;
  for (const weight of weights) {
    if (used + weight > part) {
      parts += 1;
      used = 0;
    }
    used += weight;
  }
  return parts;
}

function checkPart(
  part: string,
  index: number,
  total: number,
  isGsm: boolean,
  room: readonly number[],
): void {
  ok(part.isWellFormed(), "no pair is split");
  const octets = isGsm ? encodeGsm(part) : encodeUcs2(part);
  const most = total === 1 ? room[0] : room[1];
  ok(octets && octets.length <= (most ?? 0) * (isGsm ? 1 : 2), "a part fits");
  if (total === 1 || total > 255) return;
  const place = { reference: index & 0xff, total, part: index + 1 };
  const { concatenation, body } = parseUserData(Buffer.concat([concatenationHeader(place), octets]));
  deepStrictEqual([concatenation, Buffer.from(body)], [place, Buffer.from(octets)]);
}

/** What fits an operator's own alphabet is what GSM has as well, and comes back. */
function asOtherAlphabets(text: string): void {
  for (const alphabet of ["latin1", "ascii"] as const) {
    const octets = encodeDefaultAlphabet(text, alphabet);
    if (octets === null) continue;
    strictEqual(Buffer.from(octets).toString("latin1"), text);
    ok([...text].every((character) => countSeptets(character.charCodeAt(0)) > 0));
  }
}

function drawn({ below, pick }: Dice): string {
  const length = pick([0, 1, 67, 70, 71, 134, 153, 160, 161, 306, below(400)]) + below(3);
  const usual = pick(CHARACTERS);
  const rare = 2 + below(60);
  return Array.from({ length }, () => (below(rare) === 0 ? pick(CHARACTERS) : usual)).join("");
}
