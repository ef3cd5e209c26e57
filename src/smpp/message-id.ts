import { createHash } from "node:crypto";

/** The longest id that is kept as it is: far above the 64 characters of SMPP 3.4 section 5.2.23. */
const MAX_ID_LENGTH = 255;
const HASH_DIGITS = 64;

/**
 * An operator's id as it is kept and matched, from a response and from a receipt alike: one of more than 255 octets, which
 * no standard allows, is its beginning and the SHA-256 of all of it, so that no operator can fill the database with them.
 */
export function toStoredMessageId(id: string): string {
  if (id.length <= MAX_ID_LENGTH) return id;
  const hash = createHash("sha256").update(id, "latin1").digest("hex");
  return `${id.slice(0, MAX_ID_LENGTH - HASH_DIGITS - 1)}#${hash}`;
}
