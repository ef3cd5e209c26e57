/** Keys beside the database, each in a file of its own that only the server's user can read. */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Chance } from "../core/chance.ts";
import { systemErrorCode } from "../core/log.ts";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../core/sealed.ts";
import { syncOnDisk } from "./disk.ts";

/** A key of so many octets; null where there is none of that name, or what is there is no key. */
export function readKeyFile(path: string, octets: number): Buffer | null {
  try {
    const key = readFileSync(path);
    return key.length === octets ? key : null;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/**
 * Makes a key file: private from its first moment, there whole or not at all, and durable before it is used. A file of that name
 * that holds no key is left for people to look at.
 * @throws the runtime's error, which names the file, when there is one already.
 */
export function makeKeyFile(path: string, key: Uint8Array): void {
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
}

// Secrets that must be readable are in the database, sealed with a key that is not: it is in a file beside it.

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

/** The seal of a key file, which is read when it is first needed, and made when something is first sealed. */
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
