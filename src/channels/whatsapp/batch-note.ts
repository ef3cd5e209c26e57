/** The note that is stored with a batch: which template it uses, or that it goes without one. */

import type { Reader } from "../../db/reader.ts";
import { channelNote } from "../../domain/messages/insert.ts";

export type BatchNote =
  /** `wabaId`: the account whose template was matched. */
  | {
      readonly kind: "template";
      readonly wabaId: string;
      readonly name: string;
      readonly language: string;
      /** Tags of the body that are no plain names; absent where there are none. */
      readonly otherTags?: readonly string[];
    }
  /** Free text, which Meta allows the account. `lifeSeconds`: the longest that Meta tries with it. */
  | { readonly kind: "direct"; readonly lifeSeconds: number };

/** Meta's category of free text by class, and the bounds of how long Meta tries with it, in seconds. */
export const DIRECT = {
  OTP: { category: "authentication", longest: 900 },
  TRANSACTIONAL: { category: "utility", longest: 43_200 },
} as const;

export function noteText(note: BatchNote): string {
  return JSON.stringify(note);
}

/** Reads what `noteText` wrote; null for a batch whose sender no number knew. */
export function readNote(text: string | null): BatchNote | null {
  return text === null ? null : (JSON.parse(text) as BatchNote);
}

export function readBatchNote(read: Reader, batchId: number): BatchNote | null {
  return readNote(channelNote(read, batchId));
}
