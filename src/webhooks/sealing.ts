/**
 * Signing secrets must be readable to sign, so they lie in the database sealed with a key that does not: a file in the
 * data directory, made when it is first needed and readable by the server's own user alone.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Chance } from "../base/chance.ts";
import { syncOnDisk } from "../store/sync-directory.ts";

export const KEY_FILE = "webhook-secrets.key";

const CIPHER = "aes-256-gcm";
const KEY_OCTETS = 32;
const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;

/** Seals and opens with the key file of one data directory. */
export type Seal = {
  /** Seals `plain`; it opens under the same `label` only. */
  readonly close: (plain: Uint8Array, label: string) => Uint8Array;
  /** What was sealed; null when the key file is another one or is gone, or when the text was altered. */
  readonly open: (sealed: Uint8Array, label: string) => Uint8Array | null;
};

/** The seal of a data directory. Its key file is looked at when it is first needed. */
export function sealIn(directory: string, chance: Chance): Seal {
  const path = join(directory, KEY_FILE);
  let known: Buffer | null = null;
  const key = (): Buffer | null => (known ??= readKey(path));
  return {
    close: (plain, label) => {
      known = key() ?? makeKey(path, chance);
      const nonce = chance.bytes(NONCE_OCTETS);
      const cipher = createCipheriv(CIPHER, known, nonce).setAAD(Buffer.from(label));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, label) => {
      const secret = key();
      if (!secret || sealed.length < NONCE_OCTETS + TAG_OCTETS) return null;
      try {
        const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(0, NONCE_OCTETS))
          .setAAD(Buffer.from(label))
          .setAuthTag(sealed.subarray(-TAG_OCTETS));
        const plain = decipher.update(sealed.subarray(NONCE_OCTETS, -TAG_OCTETS));
        return Buffer.concat([plain, decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

function readKey(path: string): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === KEY_OCTETS ? key : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Makes the key file: private from its first moment, there whole or not at all, and durable before anything is sealed
 * with it. A file of that name that holds no key is left for people to look at.
 * @throws the runtime's error, which names the file, when there is one already.
 */
function makeKey(path: string, chance: Chance): Buffer {
  const key = Buffer.from(chance.bytes(KEY_OCTETS));
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, key);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  linkSync(draft, path);
  rmSync(draft);
  syncOnDisk(dirname(path));
  return key;
}
