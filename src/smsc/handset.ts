import type { Alphabet, Part } from "./part.ts";

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
  readonly take: (from: string, to: string, part: Part) => HandsetText | null;
  /** Texts of which some parts, but not all, arrived. */
  readonly incomplete: () => number;
};

/**
 * All handsets of the network. Parts belong together when sender, recipient, reference and total agree, in
 * whatever order they come (3GPP TS 23.040 section 9.2.3.24.1); one that comes again replaces itself.
 */
export function handsets(): Handsets {
  const gathering = new Map<string, Map<number, Part>>();
  return {
    take: (from, to, part) => {
      const { concatenation, alphabet, text } = part;
      if (concatenation === null || concatenation.total === 1) return { from, to, parts: 1, alphabet, text };
      const { reference, total, part: place } = concatenation;
      const key = JSON.stringify([from, to, reference, total]);
      const parts = gathering.get(key) ?? new Map<number, Part>();
      gathering.set(key, parts.set(place, part));
      if (parts.size < total) return null;
      gathering.delete(key);
      const whole = [...parts].sort(([a], [b]) => a - b).map(([, { text: piece }]) => piece);
      return { from, to, parts: total, alphabet, text: whole.join("") };
    },
    incomplete: () => gathering.size,
  };
}
