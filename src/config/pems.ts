import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** The texts of the PEM files that a configuration names, by path, as they were when it was read. */
export type Pems = ReadonlyMap<string, string>;

export const NO_PEMS: Pems = new Map();

/** By which a person tells two versions of a file apart. */
export function fingerprint(pem: string): string {
  return createHash("sha256").update(pem).digest("hex").slice(0, 16);
}

/** What keeps a certificate and a key from being used together, in words; null where they fit. */
export function pairFault(certificate: string, key: string): Phrase | null {
  let first: X509Certificate;
  try {
    first = new X509Certificate(certificate);
  } catch {
    return phrase("config.found.certificate_unreadable");
  }
  try {
    const fits = first.checkPrivateKey(createPrivateKey(key));
    return fits ? null : phrase("config.found.certificate_unfit");
  } catch {
    return phrase("config.found.key_unreadable");
  }
}
