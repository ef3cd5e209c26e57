import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Chance } from "../../core/chance.ts";

/**
 * The shape of an API key (docs/behaviour.md#api-keys):
 *
 *     bdr_ 7K2MQ0V9XA4C _ <43 characters: 32 random bytes> <6 characters: checksum>
 *
 * The prefix and the checksum let a scanner of leaked secrets recognise a key without asking anybody. The key id is
 * public and names the key in lists and logs. Only the SHA-256 of the 43 characters is ever stored. A test key begins with
 * `bdr_test_` (docs/behaviour.md#test-keys).
 */
export type ApiKeyParts = {
  readonly keyId: string;
  /** The 32 random bytes in base62. Never logged, never stored. */
  readonly secret: string;
  readonly mode: KeyMode;
};

/** Which side of its account a key opens: what is live, or its sandbox. */
export type KeyMode = "live" | "test";
export const KEY_MODES: readonly KeyMode[] = ["live", "test"];

const PREFIXES: Readonly<Record<KeyMode, string>> = { live: "bdr_", test: "bdr_test_" };
const KEY_ID_LENGTH = 12;
const SECRET_BYTES = 32;
/** 62^43 is just above 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Crockford's base 32, as in ULIDs: no letter that reads like a digit, since key ids are typed by hand. */
const BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const SHAPE = /^bdr_(test_)?([0-9A-HJKMNP-TV-Z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Draws a new key id and secret: 60 and 256 bits. */
export function generateApiKey(chance: Chance, mode: KeyMode = "live"): ApiKeyParts {
  let keyId = "";
  for (const byte of chance.bytes(KEY_ID_LENGTH)) keyId += BASE32.charAt(byte % BASE32.length);
  let number = 0n;
  for (const byte of chance.bytes(SECRET_BYTES)) number = number * 256n + BigInt(byte);
  return { keyId, secret: base62(number, SECRET_LENGTH), mode };
}

/** The key as its owner is shown it, once. */
export function formatApiKey(parts: ApiKeyParts): string {
  const body = bodyOf(parts);
  return body + checksum(body);
}

/** Takes a presented key apart; null when its shape or its checksum is wrong, as after a slip of the hand. */
export function parseApiKey(presented: string): ApiKeyParts | null {
  const found = SHAPE.exec(presented);
  if (!found) return null;
  const [, test, keyId, secret, sum] = found;
  if (keyId === undefined || secret === undefined) return null;
  const parts: ApiKeyParts = { keyId, secret, mode: test === undefined ? "live" : "test" };
  return checksum(bodyOf(parts)) === sum ? parts : null;
}

function bodyOf({ keyId, secret, mode }: ApiKeyParts): string {
  return `${PREFIXES[mode]}${keyId}_${secret}`;
}

/** SHA-256 of a secret: 32 bytes. A fast hash is enough, because a secret has 256 bits to guess. */
export function digestOf(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function base62(number: bigint, length: number): string {
  let rest = number;
  let text = "";
  for (let place = 0; place < length; place++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
