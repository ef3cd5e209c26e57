/** Secrets that must be readable lie in the database sealed with a key that does not: a file beside it. */
import type { Chance } from "../core/chance.ts";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../core/sealed.ts";
import { makeKeyFile, readKeyFile } from "./key-file.ts";

/** Seals and opens with one key file. */
export type Seal = {
  /** Seals `plain`; it opens under the same `label` only. @throws the runtime's error where the key file cannot be made. */
  readonly close: (plain: Uint8Array, label: string) => Uint8Array;
  /** What was sealed; null when the key file is another one or is gone, or when the text was altered. */
  readonly open: (sealed: Uint8Array, label: string) => Uint8Array | null;
};

/** Opens what was sealed with a key file that lies elsewhere, such as in a backup. Null: nothing opens. */
export function openerWith(key: Uint8Array | null): Pick<Seal, "open"> {
  return { open: (sealed, label) => key && openSealed(key, sealed, label) };
}

/** The seal of a key file, which is looked at when it is first needed, and made when something is first sealed. */
export function sealWith(path: string, chance: Chance): Seal {
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
