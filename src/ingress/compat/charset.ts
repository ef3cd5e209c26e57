import { getOwn } from "../../core/own-value.ts";

/** Names of charsets that clients write, and what decoders call them. */
const ALSO: Readonly<Record<string, string>> = {
  utf16: "utf-16be",
  "utf-16": "utf-16be",
  "ucs-2": "utf-16be",
  "ucs-2be": "utf-16be",
  ucs2: "utf-16be",
  latin9: "iso-8859-15",
};

/** What decoders would read, and nobody writes. */
const NO_TEXT: ReadonlySet<string> = new Set(["x-user-defined", "replacement"]);

/** The text that octets are in a charset; null for a charset that is not known, and for octets that are none of its text. */
export function decodeCharset(octets: Uint8Array, charset: string): string | null {
  const lower = charset.trim().toLowerCase();
  const label = getOwn(ALSO, lower) ?? lower;
  if (NO_TEXT.has(label)) return null;
  if (label === "utf-16be" && octets.length % 2 !== 0) return null;
  try {
    return new TextDecoder(label as Bun.Encoding, { fatal: true, ignoreBOM: false }).decode(octets);
  } catch {
    return null;
  }
}
