/**
 * API keys: format with checksum, creation, authentication, scopes, revocation, and when each was last used. Only the
 * SHA-256 of a secret is stored.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Chance } from "../../core/chance.ts";
import { isSandbox, toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";

/** Who a request comes from, once its key has proved it. */
export type Principal = {
  /** The key's row, for what is kept per key. */
  readonly apiKeyId: number;
  readonly keyId: string;
  /** Of a test key, the sandbox's. */
  readonly accountId: number;
  readonly accountUlid: string;
  /** Whether it is a test key. */
  readonly isSandbox: boolean;
  readonly scopes: ReadonlySet<Scope>;
};

/** A key as it may be shown at any time: nothing of its secret is in it. */
export type KeyRecord = {
  readonly id: number;
  readonly keyId: string;
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** As it was last written down; null: never. */
  readonly lastUsedAtMs: number | null;
};

export type NewKey = {
  readonly accountId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number | null;
};

/** Creates a key. `apiKey` is in this answer only: it cannot be read again from anywhere. */
export function createKey(
  tx: Tx,
  chance: Chance,
  key: NewKey,
  nowMs: number,
): { readonly keyId: string; readonly apiKey: string } {
  const parts = generateApiKey(chance, toKeyMode(key.accountId));
  const { keyId } = parts;
  tx.insert(
    `INSERT INTO api_keys (key_id, account_id, name, scopes, secret_sha256, created_at, expires_at)
     VALUES ($keyId, $accountId, $name, $scopes, $digest, $nowMs, $expiresAtMs)`,
    { ...key, keyId, scopes: joinScopes(key.scopes), digest: hashSecret(parts.secret), nowMs },
  );
  return { keyId, apiKey: formatApiKey(parts) };
}

/** The side that keys of an account or of a sandbox open. */
export function toKeyMode(accountId: number): KeyMode {
  return isSandbox(accountId) ? "test" : "live";
}

type Candidate = {
  readonly id: number;
  readonly account_id: number;
  readonly account_ulid: string;
  readonly account_status: string;
  readonly scopes: string;
  readonly secret_sha256: Uint8Array;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
};

/** Stands in for the digest of a key that does not exist. No text is known whose SHA-256 is all zeros. */
const NO_DIGEST = new Uint8Array(32);

/**
 * Who presents this key, or null: alike for a malformed, unknown, wrong, revoked or expired key and a suspended
 * account (docs/public-api.md section 5). Whatever is wrong, a digest is made and compared before the answer, so the
 * time tells nothing but whether the text has the shape of a key, which its sender knows.
 */
export function authenticate(read: Reader, presented: string, nowMs: number): Principal | null {
  const parts = parseApiKey(presented);
  const digest = hashSecret(parts ? parts.secret : "");
  const candidate = parts
    ? read.known<Candidate>(
        `SELECT k.id, k.account_id, k.scopes, k.secret_sha256, k.expires_at, k.revoked_at,
                a.ulid AS account_ulid, a.status AS account_status
         FROM api_keys k JOIN accounts a ON a.id = abs(k.account_id)
         WHERE k.key_id = ?`,
        parts.keyId,
      )
    : null;
  const isSecretRight = timingSafeEqual(digest, candidate?.secret_sha256 ?? NO_DIGEST);
  if (!parts || !candidate || !isSecretRight || parts.mode !== toKeyMode(candidate.account_id)) return null;
  if (candidate.revoked_at !== null || candidate.account_status !== "ACTIVE") return null;
  if (candidate.expires_at !== null && candidate.expires_at <= nowMs) return null;
  return {
    apiKeyId: candidate.id,
    keyId: parts.keyId,
    accountId: candidate.account_id,
    accountUlid: candidate.account_ulid,
    isSandbox: isSandbox(candidate.account_id),
    scopes: scopeSet(candidate.scopes),
  };
}

/** One set for each stored combination, shared by all requests: there are at most 32. */
const scopeSets = new Map<string, ReadonlySet<Scope>>();

function scopeSet(stored: string): ReadonlySet<Scope> {
  let set = scopeSets.get(stored);
  if (!set) {
    set = new Set(parseScopes(stored));
    scopeSets.set(stored, set);
  }
  return set;
}

type KeyRow = {
  readonly id: number;
  readonly key_id: string;
  readonly account_id: number;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
};

const KEY_COLUMNS = "id, key_id, account_id, name, scopes, created_at, expires_at, revoked_at, last_used_at";

/** The account's keys, oldest first, revoked ones included. */
export function listKeys(read: Reader, accountId: number): KeyRecord[] {
  return read
    .all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE account_id = ? ORDER BY id`, accountId)
    .map(keyRecord);
}

export function keyByKeyId(read: Reader, keyId: string): KeyRecord | null {
  const row = read.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id = ?`, keyId);
  return row && keyRecord(row);
}

/** A key whose end is near, with whose it is. */
type EndingKey = {
  readonly keyId: string;
  readonly name: string;
  readonly endsAtMs: number;
  readonly account: { readonly ulid: string; readonly name: string };
};

/** Keys of all accounts that end between two instants and that nobody revoked, the first to end first. */
export function endingKeys(read: Reader, fromMs: number, untilMs: number, limit: number): EndingKey[] {
  type Row = Omit<EndingKey, "account"> & { readonly ulid: string; readonly account: string };
  return read
    .all<Row>(
      `SELECT k.key_id AS keyId, k.name, k.expires_at AS endsAtMs, a.ulid, a.name AS account
       FROM api_keys k JOIN accounts a ON a.id = abs(k.account_id)
       WHERE k.revoked_at IS NULL AND k.expires_at IS NOT NULL AND k.expires_at BETWEEN ? AND ?
       ORDER BY k.expires_at LIMIT ?`,
      ...[fromMs, untilMs, limit],
    )
    .map(({ ulid, account: name, ...key }) => ({ ...key, account: { ulid, name } }));
}

/** Ends a key for good. True when this call did it, false when it was over already or does not exist. */
export function revokeKey(tx: Tx, keyId: string, nowMs: number): boolean {
  return (
    tx.run("UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL", nowMs, keyId) === 1
  );
}

/** Ends every key of an account and of its sandbox that is not over yet; how many. */
export function revokeAccountKeys(tx: Tx, accountId: number, nowMs: number): number {
  return tx.run(
    "UPDATE api_keys SET revoked_at = ? WHERE account_id IN (?, ?) AND revoked_at IS NULL",
    nowMs,
    accountId,
    toSandboxId(accountId),
  );
}

function keyRecord(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    scopes: parseScopes(row.scopes),
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
    lastUsedAtMs: row.last_used_at,
  };
}

/**
 * The shape of an API key (docs/behaviour.md#api-keys):
 *
 *     bdr_ 7K2MQ0V9XA4C _ <43 characters: 32 random bytes> <6 characters: checksum>
 *
 * The prefix and the checksum let a scanner of leaked secrets recognise a key without asking anybody. The key id is
 * public and names the key in lists and logs. Only the SHA-256 of the 43 characters is ever stored. A test key begins with
 * `bdr_test_` (docs/behaviour.md#test-keys).
 */
type ApiKeyParts = {
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
export function hashSecret(secret: string): Uint8Array {
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

/** What a key may be used for (docs/public-api.md section 5). */
export type Scope =
  | "MESSAGES_SEND"
  | "MESSAGES_READ"
  | "ACCOUNT_READ"
  | "SENDER_IDS_READ"
  | "WEBHOOKS_MANAGE";

/** Every scope, in the order of the public specification. */
export const SCOPES: readonly Scope[] = [
  "MESSAGES_SEND",
  "MESSAGES_READ",
  "ACCOUNT_READ",
  "SENDER_IDS_READ",
  "WEBHOOKS_MANAGE",
];

export function isScope(text: string): text is Scope {
  return SCOPES.some((known) => known === text);
}

/** Stored scopes, comma-separated, as a list in the order of SCOPES; what is not a scope is left out. */
export function parseScopes(text: string): Scope[] {
  const named = text.split(",");
  return SCOPES.filter((known) => named.includes(known));
}

/** The stored form of a set of scopes: without repeats, in the order of SCOPES. */
export function joinScopes(scopes: readonly Scope[]): string {
  return SCOPES.filter((known) => scopes.includes(known)).join(",");
}

// When keys were last used: noted in memory with each request, written down now and then, so that no request waits for it.

/** Keys that one transaction writes down. */
const STEP = 250;

export type KeyUses = {
  /** A request came with the key of a row. */
  readonly note: (apiKeyId: number, nowMs: number) => void;
  /** The last use that is not written down yet; null: there is none. */
  readonly usedAtMs: (apiKeyId: number) => number | null;
  /** Writes down what was noted since, in steps. Nothing is written where no key was used. */
  readonly store: (store: Pick<Store, "write">) => Promise<void>;
};

export function keyUses(): KeyUses {
  const noted = new Map<number, number>();
  return {
    note: (apiKeyId, nowMs) => {
      noted.set(apiKeyId, nowMs);
    },
    usedAtMs: (apiKeyId) => noted.get(apiKeyId) ?? null,
    store: async ({ write }) => {
      while (noted.size > 0) {
        const step = [...noted].slice(0, STEP);
        await write((tx) => {
          for (const [id, atMs] of step) storeUse(tx, id, atMs);
        });
        // What was noted while this was written stays.
        for (const [id, atMs] of step) if (noted.get(id) === atMs) noted.delete(id);
      }
    },
  };
}

function storeUse(tx: Tx, apiKeyId: number, atMs: number): void {
  tx.run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", atMs, apiKeyId);
}
