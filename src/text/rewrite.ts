/**
 * Rewrites texts so that they fit the GSM 7-bit alphabet (docs/behaviour.md#text-policy): one `ç` or one curly apostrophe makes a
 * text UCS-2, which has half the room. All of a text or nothing of it; what is in no table stays.
 */
import type { TextPolicy } from "../core/text-rules.ts";
import { countSeptets } from "./gsm-alphabet.ts";
import { MAX_SEGMENTS, SEGMENT_UNITS, type TextSize, weigh } from "./segments.ts";

/** Replacements: every character of the first text becomes the second. */
const TABLE: readonly (readonly [characters: string, replacement: string])[] = [
  // ’ ‘ ´ ` ʼ ′ ‚ ‛
  ["\u2019\u2018\u00b4\u0060\u02bc\u2032\u201a\u201b", "'"],
  // “ ” „ ″ « »
  ["\u201c\u201d\u201e\u2033\u00ab\u00bb", '"'],
  ["\u2039", "<"],
  ["\u203a", ">"],
  ["\u2026", "..."],
  // En and em dash, hyphens, figure dash, minus, bullet.
  ["\u2013\u2014\u2010\u2011\u2012\u2212\u2022", "-"],
  // Tab, no-break spaces, the spaces of typesetters.
  ["\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f", " "],
  // Invisible characters: soft hyphen, zero-width space, directional marks, word joiner, byte order mark.
  ["\u00ad\u200b\u200e\u200f\u2060\ufeff", ""],
  ["œ", "oe"],
  ["Œ", "OE"],
  ["ç", "c"],
  ["êë", "e"],
  ["â", "a"],
  ["îï", "i"],
  ["ô", "o"],
  ["û", "u"],
  ["ÿ", "y"],
  ["ÀÂ", "A"],
  ["ÈÊË", "E"],
  ["ÎÏ", "I"],
  ["Ô", "O"],
  ["ÙÛ", "U"],
  ["Ÿ", "Y"],
];

const REPLACEMENTS = new Map<number, string>(
  TABLE.flatMap(([characters, replacement]) =>
    [...characters].map((character) => [character.charCodeAt(0), replacement] as const),
  ),
);

/** The replacement of a character that is not in the alphabet, which may be empty; null when it stays. */
export function findReplacement(character: string): string | null {
  return REPLACEMENTS.get(character.codePointAt(0) ?? 0) ?? null;
}

/**
 * A text with every character replaced that has a replacement, and the rest as it is: texts that differ in such characters alone
 * become alike.
 */
export function transliterate(text: string): string {
  let alike = "";
  for (const character of text) {
    const isPlain = character.length === 1 && countSeptets(character.charCodeAt(0)) > 0;
    alike += isPlain ? character : (findReplacement(character) ?? character);
  }
  return alike;
}

/** A prepared text without what the alphabet lacks: replaced where there is a replacement, else left out. */
export function stripNonGsm(text: string): string {
  let kept = "";
  for (const character of text) {
    const isPlain = character.length === 1 && countSeptets(character.charCodeAt(0)) > 0;
    kept += isPlain ? character : (findReplacement(character) ?? "");
  }
  return kept;
}

/** A text with more units has more parts than any operator takes, not counting its invisible characters. */
const MAX_REWRITTEN_LENGTH = MAX_SEGMENTS * SEGMENT_UNITS.GSM7.part;

/** A text as it is sent. */
type RewrittenText = { readonly text: string; readonly weight: TextSize };

/** A prepared text as a policy has it sent. One that is still UCS-2, under `gsm_only`, is for the caller to refuse. */
export function applyTextPolicy(text: string, policy: TextPolicy): RewrittenText {
  const written = { text, weight: weigh(text) };
  if (policy === "as_is" || written.weight.encoding === "GSM7") return written;
  const replaced = replacedWhole(text);
  if (replaced === null) return written;
  const rewritten = { text: replaced, weight: weigh(replaced) };
  const isCheap = rewritten.weight.segments <= written.weight.segments;
  return policy === "gsm_only" || isCheap ? rewritten : written;
}

/** A text with all that the alphabet lacks replaced; null when something of it can't be. */
function replacedWhole(text: string): string | null {
  if (text.length > MAX_REWRITTEN_LENGTH) return null;
  let replaced = "";
  let kept = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (countSeptets(unit) > 0) continue;
    const replacement = REPLACEMENTS.get(unit);
    if (replacement === undefined) return null;
    replaced += text.slice(kept, index) + replacement;
    kept = index + 1;
  }
  return replaced + text.slice(kept);
}
