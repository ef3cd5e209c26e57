/**
 * Signing secrets must be readable to sign, so they lie in the database sealed with a key that does not: a file in the
 * data directory, made when it is first needed and readable by the server's own user alone.
 */
import { join } from "node:path";
import type { Chance } from "../base/chance.ts";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../base/sealed.ts";
import { makeKeyFile, readKeyFile } from "../store/key-file.ts";

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
  const key = (): Buffer | null => (known ??= readKeyFile(path, SEAL_KEY_OCTETS));
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

function makeKey(path: string, chance: Chance): Buffer {
  const key = Buffer.from(chance.bytes(SEAL_KEY_OCTETS));
  makeKeyFile(path, key);
  return key;
}
