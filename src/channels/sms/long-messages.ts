/**
 * Concatenation references: the octet by which a handset tells the parts of one long text from those of another (3GPP TS 23.040
 * section 9.2.3.24.1). It keeps parts that lack others for weeks, so the next long text to it must have another reference.
 *
 * A recipient and a sender have a counter, found by a hash of both: two pairs that share one only make it advance faster. Texts
 * sent to one recipient in a row have the same reference only if so many went to others of its counter that it wrapped, which
 * takes 256; at 2^18 counters that is not seen before some 45 million long texts of this appliance between the two.
 *
 * A row says how far its counters may go before it is written again, so that one of some hundreds of texts writes a row. After
 * a crash they go on from there. The reference of a message is written with its claim, and is the same however often it is sent.
 */
import { hashKey } from "../../core/ids.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { restoreTimes } from "../../domain/messages/restore-holds.ts";

/** Rows of the table of counters, and counters of a row. */
const ROWS = 1024;
const A_ROW = 256;
/** How far a counter may go beyond what was written. */
const AHEAD = 8;
/** A restore of a copy, which lacks what was sent since, moves all counters on by at least this many, and leaves as many behind. */
const MIN_MOVED = 32;

/** A row of counters as this process has them in memory. */
type CounterRow = { readonly next: Uint8Array; readonly reached: Uint8Array };

type Counters = { readonly rows: Map<number, CounterRow>; readonly moved: number };

const countersOf = new WeakMap<Tx, Counters>();

/** A text of several segments that leaves in parts. */
type LongMessage = { readonly messageId: number; readonly sender: string; readonly msisdn: string };

/** The reference of a text that is claimed for the first time, written down in the transaction of its claim. */
export function allocateReference(tx: Tx, { messageId, sender, msisdn }: LongMessage): number {
  const key = hashKey(`${sender} ${msisdn}`) % (ROWS * A_ROW);
  const { rows, moved } = countersIn(tx);
  const place = Math.floor(key / A_ROW);
  const row = rows.get(place) ?? readRow(tx, place);
  rows.set(place, row);
  const reference = (counted(tx, row, place, key % A_ROW) + moved) & 0xff;
  tx.run("INSERT INTO concatenations (message_id, reference) VALUES (?, ?)", messageId, reference);
  return reference;
}

/** The reference that a text left under before; null where it never left in parts. */
export function readReference(read: Reader, messageId: number): number | null {
  return (
    read.get<{ reference: number }>("SELECT reference FROM concatenations WHERE message_id = ?", messageId)
      ?.reference ?? null
  );
}

/** Whether a text that left, and of which no reference is known, may have left before references were counted. */
export function mayBeUncounted(read: Reader, messageId: number): boolean {
  const start = read.known<{ through: number }>(
    "SELECT uncounted_through AS through FROM concatenation_start",
  );
  return messageId <= (start?.through ?? 0);
}

/** The reference that every text had by its number alone before references were counted. */
export const uncountedReference = (messageId: number): number => messageId & 0xff;

/** Forgets the references of some messages, by their ids as a JSON list. */
export function deleteReferences(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM concatenations WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

function countersIn(tx: Tx): Counters {
  const known = countersOf.get(tx) ?? { rows: new Map(), moved: movedByRestores(tx) };
  countersOf.set(tx, known);
  return known;
}

/** Each restore moves them by a hash of its time: one copy may be restored twice, and what left after the first is in neither. */
function movedByRestores(read: Reader): number {
  const range = 256 - 2 * MIN_MOVED;
  return restoreTimes(read).reduce((sum, atMs) => sum + MIN_MOVED + (hashKey(String(atMs)) % range), 0);
}

function readRow(tx: Tx, place: number): CounterRow {
  const stored = tx.get<{ reached: Uint8Array }>(
    "SELECT reached FROM concatenation_counters WHERE place = ?",
    place,
  );
  const reached = stored ? Uint8Array.from(stored.reached) : new Uint8Array(A_ROW);
  return { next: reached.slice(), reached };
}

/** The next value of a counter. Where it is beyond what is written, the row is written, with all of its counters ahead. */
function counted(tx: Tx, row: CounterRow, place: number, at: number): number {
  const { next, reached } = row;
  const value = next[at] ?? 0;
  const left = ((reached[at] ?? 0) - value) & 0xff;
  // Also beyond what is written after a write that was rolled back.
  if (left === 0 || left > AHEAD) {
    const before = reached.slice();
    tx.onRollback(() => reached.set(before));
    for (let each = 0; each < A_ROW; each++) reached[each] = (next[each] ?? 0) + AHEAD;
    tx.run(
      `INSERT INTO concatenation_counters (place, reached) VALUES ($place, $reached)
       ON CONFLICT (place) DO UPDATE SET reached = excluded.reached`,
      { place, reached },
    );
  }
  next[at] = value + 1;
  return value;
}

// Claims of texts of several segments that were to leave whole, in `message_payload`. Noted because the configuration cannot
// tell it afterwards: it may have changed when the response that never came is given up.

/** One claim of a message; attempts count from 1. */
type ClaimRef = { readonly messageId: number; readonly attempt: number };

/** Notes, in the transaction that claims it, that what is left of a text is to leave whole. */
export function recordPayloadClaim(tx: Tx, claim: ClaimRef): void {
  tx.run(
    `INSERT INTO payload_claims (message_id, attempt) VALUES ($messageId, $attempt)
     ON CONFLICT (message_id) DO UPDATE SET attempt = excluded.attempt`,
    claim,
  );
}

/** Whether this claim was to leave whole. */
export function isPayloadClaim(read: Reader, claim: ClaimRef): boolean {
  return (
    read.get("SELECT 1 FROM payload_claims WHERE message_id = $messageId AND attempt = $attempt", claim) !==
    null
  );
}

/** Forgets how some messages were claimed, by their ids as a JSON list. */
export function deletePayloadClaims(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM payload_claims WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
