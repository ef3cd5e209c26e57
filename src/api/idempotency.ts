import { accepted, type Outcome, type Refusal, refused } from "../base/failures.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** How long a 202 is remembered (docs/behaviour.md#idempotency). */
const REMEMBERED_MS = 7 * 86_400_000;

/** Records removed in one transaction at most. */
const PURGE_STEP = 1000;

const LONGEST_KEY = 255;

/** A request under its idempotency key: which API key, which word of the client's, which body. */
export type IdempotentRequest = {
  readonly apiKeyId: number;
  readonly key: string;
  /** SHA-256 of the body's JSON value. */
  readonly bodyDigest: Uint8Array;
};

/** What a key that was used before has in store for a request with this body. */
export type Remembered =
  | { readonly kind: "new" }
  | { readonly kind: "replay"; readonly status: number; readonly reply: string }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Reads the Idempotency-Key header: required, 1 to 255 characters (docs/public-api.md section 4.1). */
export function readIdempotencyKey(headers: Headers): Outcome<string> {
  const key = headers.get("idempotency-key");
  if (key === null) return refused("IDEMPOTENCY_KEY_REQUIRED", "the header Idempotency-Key is required");
  if (key.length >= 1 && key.length <= LONGEST_KEY) return accepted(key);
  return refused("VALIDATION_FAILED", `Idempotency-Key must have 1 to ${LONGEST_KEY} characters`);
}

/** Keys whose first request is still being worked on. They live in memory: a crash voids them. */
export type Claims = {
  /** Claims a key; how to release it again, or null when it is claimed already. */
  readonly claim: (request: IdempotentRequest) => (() => void) | null;
};

export function claimsInMemory(): Claims {
  const claimed = new Set<string>();
  return {
    claim: ({ apiKeyId, key }) => {
      const name = `${apiKeyId} ${key}`;
      if (claimed.has(name)) return null;
      claimed.add(name);
      return () => claimed.delete(name);
    },
  };
}

type Row = { readonly body_sha256: Uint8Array; readonly status: number; readonly response: string };

/** Whether this request was answered before: then with what, and not at all if its body was another one. */
export function remembered(read: Reader, request: IdempotentRequest): Remembered {
  const row = read.get<Row>(
    "SELECT body_sha256, status, response FROM idempotency_records WHERE api_key_id = ? AND idempotency_key = ?",
    request.apiKeyId,
    request.key,
  );
  if (!row) return { kind: "new" };
  if (Buffer.compare(row.body_sha256, request.bodyDigest) === 0) {
    return { kind: "replay", status: row.status, reply: row.response };
  }
  const detail = "the Idempotency-Key was already used with a different body";
  return { kind: "refused", refusal: { code: "IDEMPOTENCY_KEY_REUSED", detail } };
}

/** Remembers an answer in the transaction that makes it true. */
export function remember(
  tx: Tx,
  request: IdempotentRequest,
  status: number,
  reply: string,
  nowMs: number,
): void {
  tx.run(
    `INSERT INTO idempotency_records (api_key_id, idempotency_key, body_sha256, status, response, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    request.apiKeyId,
    request.key,
    request.bodyDigest,
    status,
    reply,
    nowMs,
  );
}

/** Forgets answers older than seven days, up to a thousand at a time; how many it was. Fewer: nothing is left. */
export function purgeIdempotency(tx: Tx, nowMs: number): number {
  return tx.run(
    `DELETE FROM idempotency_records WHERE (api_key_id, idempotency_key) IN
       (SELECT api_key_id, idempotency_key FROM idempotency_records WHERE created_at < ? LIMIT ?)`,
    nowMs - REMEMBERED_MS,
    PURGE_STEP,
  );
}
