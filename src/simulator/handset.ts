import { type Alphabet, type HandsetPart, textIn } from "./handset-part.ts";

/** A whole text on a handset's screen. */
export type HandsetText = {
  readonly from: string;
  readonly to: string;
  readonly parts: number;
  readonly alphabet: Alphabet;
  readonly text: string;
};

/** Takes a part that reached a handset; the text once nothing of it is missing, null while something is. */
export type Handsets = {
  readonly take: (from: string, to: string, part: HandsetPart) => HandsetText | null;
  /** Texts of which some parts, but not all, arrived. */
  readonly incomplete: () => number;
};

/** Texts with a part missing that are remembered, the newest. */
const MAX_INCOMPLETE = 10_000;

/** Parts in one alphabet are read together: a foreign sender may have cut a character in two between them. */
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
export function handsets(): Handsets {
  const gathering = new Map<string, Map<number, HandsetPart>>();
  return {
    take: (from, to, part) => {
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
    },
    incomplete: () => gathering.size,
  };
}
