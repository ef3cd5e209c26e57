/**
 * What a client is told beside an answer (docs/behaviour.md#warnings), first of all of its tags: one without a value leaves a hole in a
 * text that is paid for, and most often it is a slip, `{Nom}` for `{nom}`.
 */
import { nearest } from "../../core/nearest.ts";
import type { MissingAttributes } from "../../core/text-rules.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { Template } from "../../text/template.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { MAX_NAME_LENGTH, missingTags, unusedNames } from "./unused-names.ts";

/** Others may be added. */
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

/** More are not told. */
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

/** A text of more segments is told: most often an attribute holds what nobody looked at. */
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
