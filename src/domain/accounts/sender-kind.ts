import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** How a sender appears on the wire: each kind has its own type of number (SMPP 3.4 section 5.2.5). */
type SenderKind = "ALPHANUMERIC" | "SHORT_CODE" | "NUMBER";

/** An alphanumeric address holds 11 septets at most (3GPP TS 23.040 section 9.1.2.5). */
const ALPHANUMERIC_LONGEST = 11;

/**
 * The kind of a sender name, or null when no SMS can carry it: 3 to 8 digits are a short code; up to 15 digits, `+`
 * before them or not, a number; up to 11 letters, digits and a little punctuation, one letter at least, a name.
 */
export function senderKind(name: string): SenderKind | null {
  if (/^\d{3,8}$/.test(name)) return "SHORT_CODE";
  if (/^(\+\d{7,15}|\d{9,15})$/.test(name)) return "NUMBER";
  if (/^(?=.*[A-Za-z])[A-Za-z0-9.&'_-]([A-Za-z0-9 .&'_-]{0,9}[A-Za-z0-9.&'_-])?$/.test(name)) {
    return "ALPHANUMERIC";
  }
  return null;
}

/** Why a name cannot be a sender on SMS; null when it can. */
export function senderFault(name: string): Phrase | null {
  if (senderKind(name) !== null) return null;
  if (name.trim() === "") return phrase("fault.sender.blank");
  if (name !== name.trim()) return phrase("fault.sender.spaces");
  if (/^\+?\d+$/.test(name)) return phrase("fault.sender.digits");
  if (/[^\x20-\x7e]/.test(name)) return phrase("fault.sender.ascii");
  if (name.length > ALPHANUMERIC_LONGEST) {
    return phrase("fault.sender.too_long", { most: ALPHANUMERIC_LONGEST, length: name.length });
  }
  if (!/[A-Za-z]/.test(name)) return phrase("fault.sender.no_letter");
  return phrase("fault.sender.characters");
}
