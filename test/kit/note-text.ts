import { readNote } from "../../src/domain/messages/trace.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";

/** A row of notes. */
export type KeptNote = Parameters<typeof readNote>[0];

/** A note as it is told in English. */
export function noteText(kept: KeptNote): string {
  const { what, detail } = readNote(kept);
  return `${english(phrase(`message.event.${what}`))}: ${english(detail)}`;
}
