import type { Phrase } from "../i18n/phrase.ts";
import type { Pdu } from "./pdu.ts";

/** What a session of either side asks for. */
export type SessionOutput =
  /** `ref` is the owner's name for a message; null for any other PDU. */
  | { readonly kind: "write"; readonly pdu: Pdu; readonly ref: number | null }
  /** Write what is still to be written, then close. */
  | { readonly kind: "close"; readonly reason: Phrase }
  /**
   * Out of place or beyond reading: dealt with, and worth telling. `what` is one of few kinds, however the other side varies
   * the PDU; what varies is the detail.
   */
  | { readonly kind: "unexpected"; readonly what: string; readonly detail: string | null };

export function write(pdu: Pdu, ref: number | null = null): SessionOutput {
  return { kind: "write", pdu, ref };
}

export function closing(reason: Phrase): SessionOutput {
  return { kind: "close", reason };
}

export function unexpected(what: string, detail: string | null = null): SessionOutput {
  return { kind: "unexpected", what, detail };
}
