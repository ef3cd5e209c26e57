/** Which texts in the braces of a batch are tags: those that a recipient has an attribute for (docs/behaviour.md#tags). */
import { findBracedTexts } from "../../text/template.ts";
import type { RequestRecipient } from "./request-recipients.ts";

/** Goes through the recipients of a batch once, while they are read. */
export type BraceTags = {
  readonly note: (recipient: RequestRecipient) => void;
  /** Those that an attribute was met for, without the blanks at their edges, in the order in which they were met. */
  readonly otherTags: () => readonly string[];
};

/** What may be tags beside plain names, without the blanks at their edges. */
export function possibleTags(body: string): readonly string[] {
  return findBracedTexts(body).flatMap((text) => text.trim() || []);
}

/** A book for these texts of a batch; null where nothing stands in their braces but plain names. */
export function createBraceTags(bodies: readonly string[]): BraceTags | null {
  const open = new Set(bodies.flatMap(possibleTags).map((name) => name.normalize("NFC")));
  if (open.size === 0) return null;
  const met: string[] = [];
  return {
    note: ({ attributes }) => {
      if (open.size === 0) return;
      for (const name in attributes) {
        const form = name.normalize("NFC");
        if (open.delete(form)) met.push(form);
      }
    },
    otherTags: () => met,
  };
}

/** Texts in the braces of a batch that are no tags, as they are written, each once. */
export function plainTextsInBraces(
  bodies: readonly string[],
  otherTags: readonly string[],
): readonly string[] {
  const tags = new Set(otherTags.map((name) => name.normalize("NFC")));
  const texts = new Set(bodies.flatMap(findBracedTexts));
  return [...texts].filter((text) => !tags.has(text.trim().normalize("NFC")));
}
