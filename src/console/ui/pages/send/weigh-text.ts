/** What a text weighs while it is being written, and what of it makes it dear. Counts as the bill does. Pure. */
import { septetsOf } from "../../../../text/gsm-alphabet.ts";
import { replacementOf, worded } from "../../../../text/rewrite.ts";
import { prepare, ROOM, type Weight, weigh } from "../../../../text/segments.ts";

export type Guilty = {
  readonly character: string;
  readonly times: number;
  /** What stands in for it, which may be nothing; null when it stays. */
  readonly replacement: string | null;
};

export type TextWeight = Weight & {
  readonly characters: number;
  /** Units that fit until it takes one segment more. */
  readonly left: number;
  /** What makes it UCS-2, most frequent first. */
  readonly guilty: readonly Guilty[];
  /** The text without them, where all of them can be replaced; null where they cannot, or there are none. */
  readonly rewritten: { readonly text: string; readonly segments: number } | null;
};

export function weighText(written: string): TextWeight {
  const text = prepare(written);
  const weight = weigh(text);
  const { encoding, segments, units } = weight;
  const { single, part } = ROOM[encoding];
  const left = segments === 1 ? single - units : Math.max(0, segments * part - units);
  const rest = worded(text, "gsm_only");
  const isWhole = encoding === "UCS2" && rest.weight.encoding === "GSM7";
  return {
    ...weight,
    characters: [...text].length,
    left,
    guilty: encoding === "UCS2" ? guiltyIn(text) : [],
    rewritten: isWhole ? { text: rest.text, segments: rest.weight.segments } : null,
  };
}

type Rule = "as_is" | "rewrite" | "gsm_only";

/** Whether a text is rewritten as it is sent by a rule. */
export function isReplaced({ rewritten, segments }: TextWeight, rule: Rule): boolean {
  if (rewritten === null || rule === "as_is") return false;
  return rule === "gsm_only" || rewritten.segments <= segments;
}

/** What a text weighs as it is sent by a rule. */
export function asSent(weight: TextWeight, rule: Rule): TextWeight {
  return weight.rewritten !== null && isReplaced(weight, rule) ? weighText(weight.rewritten.text) : weight;
}

function guiltyIn(text: string): Guilty[] {
  const times = new Map<string, number>();
  for (const character of text) {
    const isPlain = character.length === 1 && septetsOf(character.charCodeAt(0)) > 0;
    if (!isPlain) times.set(character, (times.get(character) ?? 0) + 1);
  }
  return [...times]
    .map(([character, count]) => ({ character, times: count, replacement: replacementOf(character) }))
    .sort((a, b) => b.times - a.times);
}
