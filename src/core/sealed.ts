/** Authenticated encryption of small secrets: AES-256-GCM, as nonce, text and tag in one piece. */
import { createCipheriv, createDecipheriv } from "node:crypto";

const CIPHER = "aes-256-gcm";
export const SEAL_KEY_OCTETS = 32;
/** Drawn anew for each text: two under one nonce would reveal each other. */
export const SEAL_NONCE_OCTETS = 12;
const TAG_OCTETS = 16;

/** Seals `plain`; it opens under the same key and `label` only. */
export function sealText(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, label: string): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed; null under another key or label, or when it was altered. */
export function openSealed(key: Uint8Array, sealed: Uint8Array, label: string): Buffer | null {
  if (sealed.length < SEAL_NONCE_OCTETS + TAG_OCTETS) return null;
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, SEAL_NONCE_OCTETS))
      .setAAD(Buffer.from(label))
      .setAuthTag(sealed.subarray(-TAG_OCTETS));
    const plain = decipher.update(sealed.subarray(SEAL_NONCE_OCTETS, -TAG_OCTETS));
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}
