/**
 * The key files of a data directory, sealed with a passphrase: without them nobody reads the signing secrets that a copy holds, and
 * with them in the clear a copy would be worth stealing.
 */
import { scryptSync } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSealed, SEAL_KEY_OCTETS, SEAL_NONCE_OCTETS, sealText } from "../../core/sealed.ts";

/** Key files by their names. */
export type KeyFiles = ReadonlyMap<string, Uint8Array>;

/** Octets that `sealKeys` must be given, drawn at random. */
export const SEAL_SEED_OCTETS = 16 + SEAL_NONCE_OCTETS;
const SALT_OCTETS = 16;

/** 32 MiB and about a tenth of a second for each guess (RFC 7914; the figures OWASP recommends). */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const LABEL = "bendre backup keys 1";

/** The key files that lie in a directory. */
export function readKeyFiles(directory: string): KeyFiles {
  const names = readdirSync(directory).filter((name) => name.endsWith(".key"));
  return new Map(names.sort().map((name) => [name, readFileSync(join(directory, name))]));
}

/** Seals key files; `seed` is used for nothing else. */
export function sealKeys(keys: KeyFiles, passphrase: string, seed: Uint8Array): Buffer {
  const salt = seed.subarray(0, SALT_OCTETS);
  const named = [...keys].map(([name, octets]) => [name, Buffer.from(octets).toString("base64")]);
  const plain = Buffer.from(JSON.stringify(Object.fromEntries(named)));
  return Buffer.concat([salt, sealText(keyOf(passphrase, salt), seed.subarray(SALT_OCTETS), plain, LABEL)]);
}

/** The key files that were sealed; null under another passphrase, or when they were altered. */
export function unsealKeys(sealed: Uint8Array, passphrase: string): KeyFiles | null {
  const key = keyOf(passphrase, sealed.subarray(0, SALT_OCTETS));
  const plain = openSealed(key, sealed.subarray(SALT_OCTETS), LABEL);
  if (!plain) return null;
  const named: unknown = JSON.parse(plain.toString());
  if (typeof named !== "object" || named === null) return null;
  return new Map(Object.entries(named).map(([name, text]) => [name, Buffer.from(String(text), "base64")]));
}

function keyOf(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize("NFC"), salt, SEAL_KEY_OCTETS, SCRYPT);
}
