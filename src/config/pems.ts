import { createHash, createPrivateKey, X509Certificate } from "node:crypto";

/** The texts of the PEM files that a configuration names, by path, as they were when it was read. */
export type Pems = ReadonlyMap<string, string>;

export const NO_PEMS: Pems = new Map();

/** By which a person tells two versions of a file apart. */
export function fingerprint(pem: string): string {
  return createHash("sha256").update(pem).digest("hex").slice(0, 16);
}

/** What keeps a certificate and a key from being used together, in words; null where they fit. */
export function pairFault(certificate: string, key: string): string | null {
  let first: X509Certificate;
  try {
    first = new X509Certificate(certificate);
  } catch {
    return "a file whose certificate cannot be read";
  }
  try {
    return first.checkPrivateKey(createPrivateKey(key)) ? null : "a certificate that its key does not fit";
  } catch {
    return "a certificate whose key cannot be read";
  }
}
