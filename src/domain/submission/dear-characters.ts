/** Which characters make texts UCS-2, and where they come from: the half of the room that a text loses to one `ç`. */
import { characterName, renderCodePoint } from "../../text/character-names.ts";
import { countSeptets } from "../../text/gsm-alphabet.ts";
import { findReplacement } from "../../text/rewrite.ts";
import { normalizeText } from "../../text/segments.ts";
import { type Template, attributeReader } from "../../text/template.ts";
import type { RequestRecipient } from "./request-recipients.ts";

/** A character that GSM-7 lacks, at a place that it comes from. */
export type NonGsmCharacter = {
  readonly character: string;
  /** As Unicode writes it: "U+00E7". */
  readonly code_point: string;
  /** Null for one that is neither Latin, punctuation, a space, a currency sign, an arrow nor an emoji. */
  readonly name: string | null;
  /** "body", of a message that goes on by SMS "fallback.body", or "attribute:" and the name of the tag. */
  readonly in: string;
  readonly messages: number;
  /** What the text policy would put in its place, which may be nothing; null when it stays. */
  readonly replacement: string | null;
};

export const MAX_CHARACTERS = 50;
/** More rows are not counted: a text may hold every character there is. */
const MAX_ROWS = 20_000;

const NONE: ReadonlySet<string> = new Set();

export type CharacterCounter = {
  /** Counts what is in the text of a UCS-2 message, as it is sent to this recipient. */
  readonly note: (text: string, recipient: RequestRecipient) => void;
  /** Those of the most messages. */
  readonly rows: () => readonly NonGsmCharacter[];
};

/** `own`: what the place is called that is the text itself. */
export function createCharacterCounter(template: Template, own = "body"): CharacterCounter {
  const ofBody = new Set(
    template.pieces.filter((_, index) => index % 2 === 0).flatMap((piece) => [...dearIn(normalizeText(piece))]),
  );
  const counts = new Map<string, { character: string; place: string; messages: number }>();
  const count = (character: string, place: string): void => {
    const key = `${character}${place}`;
    const row = counts.get(key);
    if (row) row.messages += 1;
    else if (counts.size < MAX_ROWS) counts.set(key, { character, place, messages: 1 });
  };
  let last = { text: "", dear: NONE };
  return {
    note: (text, { attributes }) => {
      if (last.text !== text) last = { text, dear: dearIn(text) };
      const { dear } = last;
      const found = new Set<string>();
      const at = (character: string, place: string): void => {
        found.add(character);
        count(character, place);
      };
      for (const character of dear) if (ofBody.has(character)) at(character, own);
      const valueFor = attributeReader(attributes ?? {});
      for (const tag of template.tags) {
        const value = valueFor(tag);
        if (typeof value !== "string") continue;
        for (const character of dearIn(normalizeText(value)))
          if (dear.has(character)) at(character, `attribute:${tag}`);
      }
      // One that only came of a value and the letter beside it.
      for (const character of dear) if (!found.has(character)) count(character, own);
    },
    rows: () =>
      [...counts.values()]
        .sort((a, b) => b.messages - a.messages)
        .slice(0, MAX_CHARACTERS)
        .map(({ character, place, messages }) => ({
          character,
          code_point: renderCodePoint(character),
          name: characterName(character),
          in: place,
          messages,
          replacement: findReplacement(character),
        })),
  };
}

/** The characters of a prepared text that GSM-7 lacks, each once. By units, of which the others are most. */
function dearIn(text: string): ReadonlySet<string> {
  let found: Set<string> | null = null;
  for (let index = 0; index < text.length; index++) {
    if (countSeptets(text.charCodeAt(index)) > 0) continue;
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    found ??= new Set();
    found.add(character);
    index += character.length - 1;
  }
  return found ?? NONE;
}
