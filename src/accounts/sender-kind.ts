/** How a sender appears on the wire: each kind has its own type of number (SMPP 3.4 section 5.2.5). */
export type SenderKind = "ALPHANUMERIC" | "SHORT_CODE" | "NUMBER";

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

/** Why a name cannot be a sender on SMS, in words for who asked for it; null when it can. */
export function senderFault(name: string): string | null {
  if (senderKind(name) !== null) return null;
  if (name.trim() === "") return "a sender must not be blank";
  if (name !== name.trim()) return "a sender must not begin or end with a space";
  if (/^\+?\d+$/.test(name)) {
    return "a sender of digits is a short code of 3 to 8 digits or a number of at most 15 digits";
  }
  if (/[^\x20-\x7e]/.test(name)) {
    return "an alphanumeric sender must not hold accents or other characters outside plain ASCII: no SMS can carry them";
  }
  if (name.length > ALPHANUMERIC_LONGEST) {
    return `an alphanumeric sender holds at most ${ALPHANUMERIC_LONGEST} characters on SMS; this one has ${name.length}`;
  }
  if (!/[A-Za-z]/.test(name)) return "an alphanumeric sender needs at least one letter";
  return "an alphanumeric sender may hold letters, digits, spaces and . & ' _ - only";
}
