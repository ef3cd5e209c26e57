/**
 * Pseudonyms in place of texts which are to be recognised and not to be read: a hash under a key that lies beside the database
 * and not in it. Without the key nobody can try texts until one fits.
 */
import { createHmac } from "node:crypto";
import { join } from "node:path";
import type { Chance } from "../core/chance.ts";
import { makeKeyFile, readKeyFile } from "./data-keys.ts";

export const PSEUDONYM_KEY_FILE = "erased-numbers.key";

const KEY_OCTETS = 32;
/** 96 bits: no two of all telephone numbers will have the same name. */
const NAME_OCTETS = 12;
/** So that a pseudonym is never taken for what it stands for. */
const PREFIX = "erased:";

export type Pseudonyms = {
  /** The pseudonym of a text; null while there is no key, under which nothing can have been named then. */
  readonly of: (text: string) => string | null;
  /** The same, making the key where there is none. @throws the runtime's error where it cannot be. */
  readonly give: (text: string, chance: Chance) => string;
};

/** Of a connection that names nothing. */
export const NO_PSEUDONYMS: Pseudonyms["of"] = () => null;

/** The pseudonyms of a data directory. Its key file is read when it is first needed. */
export function openPseudonyms(directory: string): Pseudonyms {
  const path = join(directory, PSEUDONYM_KEY_FILE);
  let known: Buffer | null = null;
  const key = (): Buffer | null => (known ??= readKeyFile(path, KEY_OCTETS));
  return {
    of: (text) => {
      const secret = key();
      return secret && nameOf(secret, text);
    },
    give: (text, chance) => {
      const secret = key() ?? chance.bytes(KEY_OCTETS);
      if (known === null) {
        makeKeyFile(path, secret);
        known = Buffer.from(secret);
      }
      return nameOf(secret, text);
    },
  };
}

/** Letters only: whoever searches for digits in it finds none. */
function nameOf(key: Uint8Array, text: string): string {
  const octets = createHmac("sha256", key).update(text).digest().subarray(0, NAME_OCTETS);
  const letters = [...octets].map((octet) => String.fromCharCode(97 + (octet >> 4), 97 + (octet & 15)));
  return PREFIX + letters.join("");
}
