import type { AskEnd } from "../../https/post.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { pickDecisiveCode } from "./consequence.ts";
import { readFields, jsonOf, readList, readWaId, readInteger } from "./told-json.ts";

/** What came of one post. */
export type PostAnswer =
  /**
   * `isHeld`: Meta keeps it back for the quality of its template, and sends or drops it later. `waId`: what Meta calls the user, in
   * digits, which need not be the number that was written to; null where it does not say.
   */
  | {
      readonly kind: "accepted";
      readonly wamid: string;
      readonly isHeld: boolean;
      readonly waId: string | null;
    }
  /** `code`: Meta's, the one that tells where there are two; null where the answer has none that can be read. */
  | { readonly kind: "refused"; readonly code: number | null; readonly httpStatus: number }
  /** Certainly not read: there was no connection. */
  | { readonly kind: "not_read"; readonly error: Phrase }
  /** It may have been read, and no answer came. */
  | { readonly kind: "unanswered"; readonly error: Phrase };

const HELD: readonly unknown[] = ["held_for_quality_assessment", "paused"];

/** Reads how a request ended. Pure. */
export function readAnswer(end: AskEnd): PostAnswer {
  const { status, error } = end;
  if (status === null) {
    const why = error ?? phrase("link.no_post_answer");
    return { kind: end.isUnsent === true ? "not_read" : "unanswered", error: why };
  }
  const body = readFields(jsonOf(end.answer ?? ""));
  if (status >= 200 && status < 300) {
    const [message] = Array.isArray(body.messages) ? body.messages.map(readFields) : [];
    const id = message?.id;
    // An answer that was broken off, or is another's: the post was read all the same.
    if (typeof id !== "string" || id === "")
      return { kind: "unanswered", error: phrase("link.unreadable_post_answer") };
    const [contact] = readList(body.contacts).map(readFields);
    const isHeld = HELD.includes(message?.message_status);
    return { kind: "accepted", wamid: id, isHeld, waId: readWaId(contact?.wa_id) };
  }
  const { code, error_subcode: subcode } = readFields(body.error);
  // Of an answer, Meta's codes are numbers; a text in their place is another server's.
  const numberOf = (value: unknown): number | null => (typeof value === "number" ? readInteger(value) : null);
  const told = { code: numberOf(code), subcode: numberOf(subcode) };
  return { kind: "refused", code: pickDecisiveCode(told), httpStatus: status };
}
