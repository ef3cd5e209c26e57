/** Measures a text while it is written, and finds what makes it dear. Counts as the bill does. Pure. */
import { countSeptets } from "../../../../text/gsm-alphabet.ts";
import { applyTextPolicy, findReplacement, stripNonGsm } from "../../../../text/rewrite.ts";
import { normalizeText, SEGMENT_UNITS, type TextSize, weigh } from "../../../../text/segments.ts";
import type { Template } from "../../../../text/template.ts";

export type NonGsmCharacter = {
  readonly character: string;
  readonly times: number;
  /** Its replacement, which may be empty; null when it stays. */
  readonly replacement: string | null;
};

export type TextMeasure = TextSize & {
  readonly characters: number;
  /** Units that fit until it takes one segment more. */
  readonly left: number;
  /** What makes it UCS-2, most frequent first. */
  readonly guilty: readonly NonGsmCharacter[];
  /** Whether it takes more segments than it would without them. */
  readonly costsMore: boolean;
  /** The text without them, where all of them can be replaced; null where they cannot, or there are none. */
  readonly rewritten: { readonly text: string; readonly segments: number } | null;
};

export function measureText(written: string): TextMeasure {
  const text = normalizeText(written);
  const weight = weigh(text);
  const { encoding, segments, units } = weight;
  const { single, part } = SEGMENT_UNITS[encoding];
  const left = segments === 1 ? single - units : Math.max(0, segments * part - units);
  const rest = applyTextPolicy(text, "gsm_only");
  const isWhole = encoding === "UCS2" && rest.weight.encoding === "GSM7";
  return {
    ...weight,
    characters: [...text].length,
    left,
    guilty: encoding === "UCS2" ? guiltyIn(text) : [],
    costsMore: encoding === "UCS2" && weigh(stripNonGsm(text)).segments < segments,
    rewritten: isWhole ? { text: rest.text, segments: rest.weight.segments } : null,
  };
}

/** The text without its tags. */
export function literalOf({ pieces }: Template): string {
  return pieces.filter((_, index) => index % 2 === 0).join("");
}

/** A text with its rare characters replaced, but in the names of its tags; null where one of them cannot be. */
export function templateRewritten({ pieces }: Template): string | null {
  const rewritten = pieces.map((piece, index) => {
    if (index % 2 === 1) return `{${piece}}`;
    const { text: kept, weight } = applyTextPolicy(normalizeText(piece), "gsm_only");
    return weight.encoding === "GSM7" ? kept : null;
  });
  return rewritten.includes(null) ? null : rewritten.join("");
}

type Rule = "as_is" | "rewrite" | "gsm_only";

/** Whether a text is rewritten as it is sent by a rule. */
export function isReplaced({ rewritten, segments }: TextMeasure, rule: Rule): boolean {
  if (rewritten === null || rule === "as_is") return false;
  return rule === "gsm_only" || rewritten.segments <= segments;
}

/** What a text weighs as it is sent by a rule. */
export function asSent(weight: TextMeasure, rule: Rule): TextMeasure {
  return weight.rewritten !== null && isReplaced(weight, rule) ? measureText(weight.rewritten.text) : weight;
}

function guiltyIn(text: string): NonGsmCharacter[] {
  const times = new Map<string, number>();
  for (const character of text) {
    const isPlain = character.length === 1 && countSeptets(character.charCodeAt(0)) > 0;
    if (!isPlain) times.set(character, (times.get(character) ?? 0) + 1);
  }
  return [...times]
    .map(([character, count]) => ({ character, times: count, replacement: findReplacement(character) }))
    .sort((a, b) => b.times - a.times);
}

// Undoes the replacement of rare characters, also where the text was edited since. Pure.

/** A text as it was written, and as it was once its rare characters were replaced. */
export type Replacement = { readonly from: string; readonly to: string };

type Piece = { readonly from: string; readonly to: string };

/** The text as it is now with the characters again that were replaced; what was written since stays as it is. */
export function undoReplaced({ from, to }: Replacement, now: string): string {
  const pieces = piecesOf(from, to);
  const most = Math.min(to.length, now.length);
  const begin = sharedLength(most, (at) => to[at] === now[at]);
  const end = sharedLength(most - begin, (at) => to[to.length - 1 - at] === now[now.length - 1 - at]);
  const [head, headLength] = wholePieces(pieces, begin);
  const rest = pieces.slice(head.length).toReversed();
  const [tail, tailLength] = wholePieces(rest, end);
  const written = (some: readonly Piece[]) => some.map((piece) => piece.from).join("");
  return written(head) + now.slice(headLength, now.length - tailLength) + written(tail.toReversed());
}

/** What was replaced, each character once, most frequent first. */
export function listReplaced({ from, to }: Replacement): readonly NonGsmCharacter[] {
  const found = new Map<string, NonGsmCharacter>();
  for (const { from: character, to: replacement } of piecesOf(from, to)) {
    if (character === replacement) continue;
    const times = (found.get(character)?.times ?? 0) + 1;
    found.set(character, { character, times, replacement });
  }
  return [...found.values()].sort((a, b) => b.times - a.times);
}

/** Each character beside what stands for it in the other text. */
function piecesOf(from: string, to: string): readonly Piece[] {
  let at = 0;
  return [...normalizeText(from)].map((character) => {
    const isKept = to.startsWith(character, at);
    const piece = { from: character, to: isKept ? character : (findReplacement(character) ?? character) };
    at += piece.to.length;
    return piece;
  });
}

function sharedLength(most: number, isSame: (at: number) => boolean): number {
  let length = 0;
  while (length < most && isSame(length)) length += 1;
  return length;
}

/** The first pieces that are no longer than so many units together, and how long they are. */
function wholePieces(pieces: readonly Piece[], most: number): readonly [readonly Piece[], number] {
  let length = 0;
  const count = pieces.findIndex(({ to }) => {
    if (length + to.length > most) return true;
    length += to.length;
    return false;
  });
  return [count < 0 ? pieces : pieces.slice(0, count), length];
}
