/**
 * What a client is told beside an answer (docs/behaviour.md#warnings), above all of its tags: one without a value leaves a hole in a text
 * that is paid for, and most often it is a slip, `{Nom}` for `{nom}`.
 */
import { nearest } from "../../core/edit-distance.ts";
import type { MissingAttributes } from "../../core/text-rules.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { characterName, renderCodePoint } from "../../text/character-names.ts";
import { countSeptets } from "../../text/gsm-alphabet.ts";
import { findReplacement } from "../../text/rewrite.ts";
import { normalizeText } from "../../text/segments.ts";
import { attributeReader, type Template } from "../../text/template.ts";
import { MAX_NAME_LENGTH, missingTags, type RequestRecipient, unusedNames } from "./recipients.ts";

/** The API may add others. */
export const WARNING_CODES = [
  "MISSING_ATTRIBUTE",
  "UNUSED_ATTRIBUTE",
  "TEXT_IN_BRACES",
  "LONG_TEXT",
  "TEMPLATE_MOVES",
] as const;

export type Warning = {
  readonly code: (typeof WARNING_CODES)[number];
  readonly detail: Phrase;
  /** The tag without a value, the attribute that no tag asks for, or the text that stands in braces; empty where it is about none. */
  readonly tag: string;
  /** What may be meant by it: the attribute or the tag whose name is nearest; null where none is near. */
  readonly nearest: string | null;
  /** How many recipients with a routable number it is about. */
  readonly recipients: number;
  /** Of LONG_TEXT: how many the longest takes. */
  readonly segments?: number;
};

/** More are not reported. */
export const MAX_WARNINGS = 20;
/** Names of attributes that are remembered of a batch. */
const MAX_NAMES = 100;
/** A word of fewer letters has too many neighbours. */
const MIN_SLIP = 3;

/** Goes through the recipients of a batch and remembers what is missing. */
export type TagWarnings = {
  /** Looks at a recipient with a routable number; whether a tag has no value for it. */
  readonly isIncomplete: (recipient: RequestRecipient) => boolean;
  /** What was found so far: missing attributes first, those of the most recipients. */
  readonly warnings: () => readonly Warning[];
};

/** `texts`: what stands in braces and is no tag, as it is written. */
export function createTagWarnings(
  template: Template,
  missingAttributes: MissingAttributes,
  texts: readonly string[] = [],
): TagWarnings {
  const missing = new Map<string, number>();
  const unused = new Map<string, number>();
  /** Tags that some recipient had a value for. */
  const filled = new Set<string>();
  /** Attributes, where there is a text that one of them may be meant by. */
  const named = new Set<string>();
  let looked = 0;
  const noteNames = ({ attributes, others = [] }: RequestRecipient): void => {
    looked += 1;
    for (const name in attributes) {
      if (named.size >= MAX_NAMES) return;
      if (name.length <= MAX_NAME_LENGTH) named.add(name);
    }
    for (const name of others) if (named.size < MAX_NAMES) named.add(name);
  };
  const note = (recipient: RequestRecipient, gaps: readonly string[]): void => {
    for (const tag of gaps) missing.set(tag, (missing.get(tag) ?? 0) + 1);
    for (const name of unusedNames(template, recipient))
      if (unused.has(name) || unused.size < MAX_NAMES) unused.set(name, (unused.get(name) ?? 0) + 1);
    if (filled.size === template.tags.length) return;
    const without = new Set(gaps);
    for (const tag of template.tags) if (!without.has(tag)) filled.add(tag);
  };
  return {
    isIncomplete: (recipient) => {
      if (texts.length > 0) noteNames(recipient);
      if (template.tags.length === 0) return false;
      const gaps = missingTags(template, recipient.attributes);
      if (gaps.length > 0) note(recipient, gaps);
      return gaps.length > 0;
    },
    warnings: () => {
      const names = [...unused.keys(), ...filled];
      const ofTags = byCount(missing).map(([tag, recipients]) =>
        missingWarning(tag, near(tag, names), recipients, missingAttributes),
      );
      const ofNames = byCount(unused).map(([name, recipients]) =>
        unusedWarning(name, near(name, template.tags), recipients),
      );
      // Who brings no attributes means no tags.
      const inBraces = named.size === 0 ? [] : texts.slice(0, MAX_WARNINGS);
      const ofTexts = inBraces.map((text) => braceWarning(text, near(text.trim(), [...named]), looked));
      return [...ofTags, ...ofTexts, ...ofNames].slice(0, MAX_WARNINGS);
    },
  };
}

/** A text of more segments is reported: most often an attribute holds what nobody looked at. */
const MAX_SEGMENTS_UNTOLD = 10;

/** Remembers how many texts of a batch are long, and the longest. */
export function createLengthWarnings() {
  let [texts, most] = [0, 0];
  return {
    note: (draft: {
      readonly segments: number;
      readonly second: { readonly segments: number } | null;
    }): void => {
      const segments = Math.max(draft.segments, draft.second?.segments ?? 0);
      if (segments <= MAX_SEGMENTS_UNTOLD) return;
      texts += 1;
      most = Math.max(most, segments);
    },
    warnings: (): readonly Warning[] => (texts === 0 ? [] : [lengthWarning(texts, most)]),
  };
}

function lengthWarning(recipients: number, segments: number): Warning {
  const detail = phrase("warning.long_text", { recipients, most: MAX_SEGMENTS_UNTOLD, segments });
  return { code: "LONG_TEXT", detail, tag: "", nearest: null, recipients, segments };
}

function braceWarning(text: string, meant: string | null, recipients: number): Warning {
  const detail =
    meant === null
      ? phrase("warning.in_braces", { text })
      : phrase("warning.in_braces.near", { text, meant });
  return { code: "TEXT_IN_BRACES", detail, tag: text, nearest: meant, recipients };
}

/** The most first; of equal ones in the order in which they were met. */
function byCount(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

function missingWarning(
  tag: string,
  meant: string | null,
  recipients: number,
  missingAttributes: MissingAttributes,
): Warning {
  const what = missingAttributes === "reject" ? "rejected" : "empty";
  const detail =
    meant === null
      ? phrase(`warning.missing.${what}`, { tag, count: recipients })
      : phrase(`warning.missing.${what}.near`, { tag, count: recipients, meant });
  return { code: "MISSING_ATTRIBUTE", detail, tag, nearest: meant, recipients };
}

function unusedWarning(name: string, meant: string | null, recipients: number): Warning {
  const detail =
    meant === null
      ? phrase("warning.unused", { name, count: recipients })
      : phrase("warning.unused.near", { name, count: recipients, meant });
  return { code: "UNUSED_ATTRIBUTE", detail, tag: name, nearest: meant, recipients };
}

/** The name that is nearest to a word without case and accents; never the word itself. */
function near(word: string, names: readonly string[]): string | null {
  const own = word.normalize("NFC");
  const wanted = plain(word);
  const byPlain = new Map<string, string>();
  for (const name of names) {
    if (name.normalize("NFC") === own) continue;
    const form = plain(name);
    if (!byPlain.has(form)) byPlain.set(form, name);
  }
  const found = wanted.length < MIN_SLIP ? wanted : nearest(wanted, byPlain.keys());
  return found === null ? null : (byPlain.get(found) ?? null);
}

function plain(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// Which characters make texts UCS-2, and where they come from: the half of the room that a text loses to one `ç`.

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

type CharacterCounter = {
  /** Counts what is in the text of a UCS-2 message, as it is sent to this recipient. */
  readonly note: (text: string, recipient: RequestRecipient) => void;
  /** Those of the most messages. */
  readonly rows: () => readonly NonGsmCharacter[];
};

/** `own`: the name of the place that is the text itself. */
export function createCharacterCounter(template: Template, own = "body"): CharacterCounter {
  const ofBody = new Set(
    template.pieces
      .filter((_, index) => index % 2 === 0)
      .flatMap((piece) => [...dearIn(normalizeText(piece))]),
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
