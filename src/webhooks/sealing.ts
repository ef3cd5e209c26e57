/**
 * Signing secrets must be readable to sign, so they lie in the database sealed with a key that does not: a file in the
 * data directory, made when it is first needed and readable by the server's own user alone.
 */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Chance } from "../base/chance.ts";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../base/sealed.ts";
import { syncOnDisk } from "../store/sync-directory.ts";

export const KEY_FILE = "webhook-secrets.key";

/** Seals and opens with the key file of one data directory. */
export type Seal = {
  /** Seals `plain`; it opens under the same `label` only. */
  readonly close: (plain: Uint8Array, label: string) => Uint8Array;
  /** What was sealed; null when the key file is another one or is gone, or when the text was altered. */
  readonly open: (sealed: Uint8Array, label: string) => Uint8Array | null;
};

/** Opens what was sealed with a key file that lies elsewhere, such as in a backup. */
export function openerWith(key: Uint8Array): Pick<Seal, "open"> {
  return { open: (sealed, label) => openSealed(key, sealed, label) };
}

/** The seal of a data directory. Its key file is looked at when it is first needed. */
export function sealIn(directory: string, chance: Chance): Seal {
  const path = join(directory, KEY_FILE);
  let known: Buffer | null = null;
  const key = (): Buffer | null => (known ??= readKey(path));
  return {
    close: (plain, label) => {
      known = key() ?? makeKey(path, chance);
      return sealText(known, chance.bytes(SEAL_NONCE_OCTETS), plain, label);
    },
    open: (sealed, label) => {
      const secret = key();
      return secret && openSealed(secret, sealed, label);
    },
  };
}

function readKey(path: string): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === SEAL_KEY_OCTETS ? key : null;
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
  const key = Buffer.from(chance.bytes(SEAL_KEY_OCTETS));
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
