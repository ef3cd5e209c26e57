/**
 * Accepts a submission once, however often it is sent: a client that got no answer sends the same body again under the same key, and is
 * answered as the first time (docs/behaviour.md#idempotency).
 *
 * What is kept is the answer as the caller's protocol worded it, not the figures in it. So a replay is the same to the byte, also after an
 * update that words answers otherwise, and nothing is written for it. This room only reads from it which batch it names. The list of
 * rejected recipients, which is as long as the batch, is kept in the batch's rejections and put back into the answer. Rejections are kept
 * longer than answers, and never change; an erased number is replaced by its name in both.
 */
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { batchReference, readRejections, rejectionsText } from "../messages/batches.ts";

/** How long an answer is kept (docs/behaviour.md#idempotency). */
const KEPT_MS = 7 * 86_400_000;

/** Under what a submission is accepted once. */
export type IdempotencyKey = {
  /** Keys of different API keys are independent. Below 0: an account's administrators, or a user of another protocol. */
  readonly apiKeyId: number;
  /** The key itself, as the client made it up. */
  readonly text: string;
  /** SHA-256 of what was submitted: the same key with another one is refused. */
  readonly bodyDigest: Uint8Array;
};

/**
 * The owner of the keys of submissions by an account's administrators, who have no API key. Those of API keys, also of test keys, are above
 * 0, and those of users of other protocols far below (ingress/compat/submission.ts).
 */
export function keysOfAdministrators(accountId: number): number {
  assert(accountId > 0, "administrators submit for live accounts");
  return -accountId;
}

/** Whether a key is of an account's administrators. */
export function isOfAdministrators(key: Pick<IdempotencyKey, "apiKeyId">, accountId: number): boolean {
  return !isSandbox(accountId) && key.apiKeyId === keysOfAdministrators(accountId);
}

/** Whether administrators of an account were answered that they submitted this batch, in the last days. */
export function isByAdministrators(read: Reader, batch: { accountId: number; ulid: string }): boolean {
  if (isSandbox(batch.accountId)) return false;
  const sql = "SELECT 1 FROM idempotency_records WHERE api_key_id = ? AND instr(response, ?) > 0 LIMIT 1";
  return read.get(sql, keysOfAdministrators(batch.accountId), batch.ulid) !== null;
}

/** An answer as worded for the caller. */
export type StoredReply = {
  /** In the protocol of the caller: 202 in HTTP. */
  readonly status: number;
  /** The body of the answer. */
  readonly text: string;
  /** Where `text` lists all rejected recipients of the batch, as JSON (`rejectionObject`), one after the other, joined by commas. */
  readonly rejections?: { readonly from: number; readonly to: number };
};

/** Claims a key whose first submission is to be worked on; how to release it again, or null when it is claimed already. */
type ClaimKey = (key: IdempotencyKey) => (() => void) | null;

/** Claims live in memory: a crash voids them. */
export function createKeyClaims(): ClaimKey {
  const claimed = new Set<string>();
  return ({ apiKeyId, text }) => {
    const name = `${apiKeyId} ${text}`;
    if (claimed.has(name)) return null;
    claimed.add(name);
    return () => claimed.delete(name);
  };
}

/** What is stored under a key that was used before. */
export type EarlierUse =
  | { readonly kind: "repeated"; readonly reply: StoredReply }
  /** It was used for another submission. */
  | { readonly kind: "key reused" };

type Row = {
  readonly digest: Uint8Array;
  readonly status: number;
  readonly text: string;
  /** The batch whose rejections are put back, and where; null: none were taken out. */
  readonly rejectionsOf: number | null;
  readonly rejectionsFrom: number | null;
};

/** Finds what the key was used for before, or null; does not wait where the key is new. */
export function earlierUse(
  read: Reader,
  clock: Clock,
  { apiKeyId, text, bodyDigest }: IdempotencyKey,
): Promise<EarlierUse> | EarlierUse | null {
  const row = read.get<Row>(
    `SELECT body_sha256 AS digest, status, response AS text, rejections_of AS rejectionsOf, rejections_from AS rejectionsFrom
     FROM idempotency_records WHERE api_key_id = ? AND idempotency_key = ?`,
    apiKeyId,
    text,
  );
  if (!row) return null;
  if (Buffer.compare(row.digest, bodyDigest) !== 0) return { kind: "key reused" };
  return wholeText(read, clock, row).then((whole) => ({
    kind: "repeated",
    reply: { status: row.status, text: whole },
  }));
}

/** Rejections that are put back in one go before others have their turn. */
const REJECTIONS_A_STEP = 500;

async function wholeText(read: Reader, clock: Clock, row: Row): Promise<string> {
  const { text, rejectionsOf: id, rejectionsFrom: from } = row;
  if (id === null || from === null) return text;
  const batch = { id, client_reference: batchReference(read, id) };
  const pause = createYielder(clock);
  const pieces: string[] = [];
  for (let next: number | null = 0; next !== null; ) {
    const step = readRejections(read, batch, next, REJECTIONS_A_STEP);
    if (step.length > 0) pieces.push(rejectionsText(step));
    const last = step.at(-1);
    next = last && step.length === REJECTIONS_A_STEP ? last.index + 1 : null;
    await pause();
  }
  return text.slice(0, from) + pieces.join(",") + text.slice(from);
}

/** The answer stored under a key, whatever it was used for, without its list of rejections; null where there is none. */
export function findReply(
  read: Reader,
  { apiKeyId, text }: Pick<IdempotencyKey, "apiKeyId" | "text">,
): string | null {
  const sql = "SELECT response AS text FROM idempotency_records WHERE api_key_id = ? AND idempotency_key = ?";
  return read.get<{ text: string }>(sql, apiKeyId, text)?.text ?? null;
}

/**
 * The last answer stored since then under a name and a time, as `composeKey` writes them; null without one. For callers whose clients make up
 * no keys.
 */
export function lastReply(read: Reader, apiKeyId: number, name: string, sinceMs: number): StoredReply | null {
  return read.get<StoredReply>(
    `SELECT status, response AS text FROM idempotency_records
     WHERE api_key_id = ? AND idempotency_key >= ? AND idempotency_key < ? ORDER BY idempotency_key DESC LIMIT ?`,
    apiKeyId,
    composeKey(name, sinceMs),
    composeKey(name, LAST_MS),
    1,
  );
}

/** A key that holds a name and a time, so that those of a name stand in the order of time. */
export function composeKey(name: string, atMs: number): string {
  return `${name}:${String(atMs).padStart(String(LAST_MS).length, "0")}`;
}

const LAST_MS = 999_999_999_999_999;

/** Keeps the answer for a batch, in the transaction that makes it true. */
export function storeReply(
  tx: Tx,
  key: IdempotencyKey,
  reply: StoredReply,
  batchId: number,
  nowMs: number,
): void {
  const { status, text: whole, rejections } = reply;
  const kept = rejections ? whole.slice(0, rejections.from) + whole.slice(rejections.to) : whole;
  const [of, from] = rejections ? [batchId, rejections.from] : [null, null];
  tx.run(
    `INSERT INTO idempotency_records
       (api_key_id, idempotency_key, body_sha256, status, response, created_at, rejections_of, rejections_from)
     VALUES ($apiKeyId, $text, $bodyDigest, $status, $kept, $nowMs, $of, $from)`,
    { ...key, status, kept, nowMs, of, from },
  );
}

/**
 * Deletes answers older than seven days, among the `limit` that were written first; how many. None: nothing is left. Those dated after now,
 * by a clock that ran ahead, are skipped, so that they block none behind them.
 */
export function purgeOldReplies(tx: Tx, nowMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM idempotency_records WHERE id IN
       (SELECT id FROM (SELECT id, created_at FROM idempotency_records WHERE id > 0 AND created_at <= ? ORDER BY id LIMIT ?)
        WHERE created_at < ?)`,
    nowMs,
    limit,
    nowMs - KEPT_MS,
  );
}

// Stored answers that name one number, as a rejected recipient.

/** `text` is the answer as it was given. */
type RememberedAnswer = {
  readonly id: number;
  readonly status: number;
  readonly text: string;
  readonly createdAt: number;
};

/** An answer may name a thousand rejected recipients. */
const PAGE = 25;

/** Stored answers that name a number, among the next rows. */
export function repliesPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<RememberedAnswer, number> {
  const rows = read.all<RememberedAnswer>(
    `SELECT id, status, response AS text, created_at AS createdAt FROM idempotency_records
     WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  return toPage(
    rows,
    PAGE,
    ({ id }) => id,
    ({ text }) => text.includes(number.msisdn),
  );
}

/** Removes a number from stored answers; how many. A repetition is answered with its name in its place. */
export function eraseReplies(
  tx: Tx,
  { msisdn, name }: ErasedNumber,
  answers: readonly RememberedAnswer[],
): number {
  let erased = 0;
  for (const { id, text } of answers)
    erased += tx.run(
      "UPDATE idempotency_records SET response = ? WHERE id = ?",
      text.replaceAll(msisdn, name),
      id,
    );
  return erased;
}
