import { type Phrase, phrase } from "../i18n/phrase.ts";
import { STATUS } from "../smpp/status.ts";
import type { HandsetPart } from "./handset-part.ts";
import type { Violation } from "./strict.ts";

/** Tells what is wrong with the cut of a long text, seen part by part; null when the part is in order. */
export type SegmentationCheck = (from: string, to: string, part: HandsetPart) => Violation | null;

type Seen = { readonly alphabet: HandsetPart["alphabet"]; readonly texts: Map<number, string> };

/**
 * Follows the parts of every long text. A part that comes again as it was is a repeat, and in order; one with another
 * text takes a reference that is still in use. Handsets show what they joined, so both would garble a text.
 */
export function createSegmentationCheck(): SegmentationCheck {
  const unfinished = new Map<string, Seen>();
  return (from, to, part) => {
    const { concatenation, alphabet, text } = part;
    if (concatenation === null || concatenation.total === 1) return null;
    const { reference, total, part: place } = concatenation;
    const key = JSON.stringify([from, to, reference, total]);
    const seen = unfinished.get(key) ?? { alphabet, texts: new Map<number, string>() };
    const before = seen.texts.get(place);
    unfinished.set(key, seen);
    seen.texts.set(place, text);
    if (seen.texts.size === total) unfinished.delete(key);
    if (seen.alphabet !== alphabet) return broken(phrase("simulator.rule.two_alphabets"));
    if (before !== undefined && before !== text) return broken(phrase("simulator.rule.reference_reused"));
    // The handset of the first part can't show its half of the pair.
    return part.endsHalfway && place < total ? broken(phrase("simulator.rule.pair_split")) : null;
  };
}

function broken(what: Phrase): Violation {
  return { status: STATUS.RINVESMCLASS, what };
}
