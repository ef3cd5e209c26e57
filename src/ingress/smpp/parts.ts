/**
 * Parts of long texts that wait for the others (`smpp_parts`). A part that was answered is on the disk and not paid yet; the one that
 * completes its text is paid for with all of it. Parts belong together by user, addresses, reference, its kind, total and data_coding,
 * in any order, over any session. What is over stays for ten minutes without its octets, so that its repetition is known.
 */
import type { NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { insertReceipt, type MessageState, wantsFinal } from "./follows.ts";
import type { PartPlace, WrittenAddress } from "./read-submit.ts";

/** What the parts of a text have in common. */
export type TextKey = {
  readonly userId: number;
  readonly source: string;
  readonly destination: string;
  readonly kind: PartPlace["kind"];
  readonly reference: number;
  readonly total: number;
  readonly coding: number;
};

/** What else is kept of a part: that of part 1 holds for the text. */
export type NewPart = {
  readonly part: number;
  readonly octets: Uint8Array;
  readonly digest: Uint8Array;
  readonly replyId: string;
  readonly registered: number;
  readonly sessionId: number;
  readonly source: WrittenAddress;
  readonly destination: WrittenAddress;
  readonly userReference: number | null;
  readonly messageClass: MessageClass;
  readonly scheduledAtMs: number | null;
  readonly askedTime: string;
  readonly expiresByMs: number | null;
  readonly clientReference: string | null;
  readonly receivedAtMs: number;
};

/** A part as it is kept. `state` is null while it waits; COMPLETE: its text was accepted. */
export type StoredPart = Omit<NewPart, "octets" | "source" | "destination"> & {
  readonly id: number;
  readonly octets: Uint8Array | null;
  readonly state: "COMPLETE" | MessageState | null;
};

const COLUMNS = `id, part, octets, digest, reply_id AS replyId, registered, session_id AS sessionId,
  user_reference AS userReference, message_class AS messageClass, scheduled_at AS scheduledAtMs, asked_time AS askedTime,
  expires_by AS expiresByMs, client_reference AS clientReference, received_at AS receivedAtMs, state`;

const OF_TEXT = `user_id = $userId AND destination = $destination AND reference = $reference AND kind = $kind
  AND source = $source AND total = $total AND coding = $coding`;

/** All that is kept of a text's parts, waiting and over, in their order. */
export function partsOfText(read: Reader, key: TextKey): StoredPart[] {
  return read.all<StoredPart>(`SELECT ${COLUMNS} FROM smpp_parts WHERE ${OF_TEXT} ORDER BY part, id`, key);
}

/** How many parts of a user wait, up to `most`. */
export function countWaitingParts(read: Reader, userId: number, most: number): number {
  const row = read.get<{ count: number }>(
    "SELECT count(*) AS count FROM (SELECT 1 FROM smpp_parts WHERE user_id = ? AND state IS NULL LIMIT ?)",
    userId,
    most,
  );
  return row?.count ?? 0;
}

export function insertPart(tx: Tx, key: TextKey, part: NewPart, state: "COMPLETE" | null): void {
  tx.run(
    `INSERT INTO smpp_parts (user_id, source, source_ton, source_npi, destination, dest_ton, dest_npi, kind, reference, total,
       part, coding, octets, digest, reply_id, registered, session_id, user_reference, message_class, scheduled_at, asked_time,
       expires_by, client_reference, received_at, state, ended_at)
     VALUES ($userId, $source, $sourceTon, $sourceNpi, $destination, $destTon, $destNpi, $kind, $reference, $total,
       $part, $coding, $octets, $digest, $replyId, $registered, $sessionId, $userReference, $messageClass, $scheduledAtMs, $askedTime,
       $expiresByMs, $clientReference, $receivedAtMs, $state, $endedAt)`,
    {
      ...part,
      ...key,
      sourceTon: part.source.ton,
      sourceNpi: part.source.npi,
      destTon: part.destination.ton,
      destNpi: part.destination.npi,
      octets: state === null ? part.octets : null,
      state,
      endedAt: state === null ? null : part.receivedAtMs,
    },
  );
}

/** Ends what waits of a text that was accepted. */
export function completeParts(tx: Tx, key: TextKey, nowMs: number): void {
  tx.run(
    `UPDATE smpp_parts SET octets = NULL, state = 'COMPLETE', ended_at = $nowMs WHERE ${OF_TEXT} AND state IS NULL`,
    { ...key, nowMs },
  );
}

/** Ends what waits of a text that becomes none, with a receipt for each part that asked for one; whether there is any. */
export function endParts(tx: Tx, key: TextKey, state: MessageState, nowMs: number): boolean {
  const waiting = partsOfText(tx, key).filter((part) => part.state === null);
  for (const { id, registered } of waiting) {
    tx.run("UPDATE smpp_parts SET octets = NULL, state = ?, ended_at = ? WHERE id = ?", state, nowMs, id);
    if (!wantsFinal(registered, state)) continue;
    const receipt = { userId: key.userId, followId: null, partId: id, state, error: "000", doneAtMs: nowMs };
    insertReceipt(tx, receipt, nowMs);
  }
  return waiting.length > 0;
}

const KEY_COLUMNS = "user_id AS userId, source, destination, kind, reference, total, coding";

/** A text of which a part has waited since then. */
export function findWaitedText(read: Reader, receivedByMs: number): TextKey | null {
  return read.get<TextKey>(
    `SELECT ${KEY_COLUMNS} FROM smpp_parts WHERE state IS NULL AND received_at <= ? ORDER BY received_at LIMIT 1`,
    receivedByMs,
  );
}

/** What is kept of a part to one number. */
type PartAbout = {
  readonly id: number;
  readonly userId: number;
  readonly replyId: string;
  readonly destination: string;
  readonly state: StoredPart["state"];
  readonly octets: Uint8Array | null;
  readonly receivedAtMs: number;
};

const PAGE = 1000;

/** Parts to a number, among the next ones. */
export function partsPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<PartAbout, number> {
  const rows = read.all<PartAbout>(
    `SELECT id, user_id AS userId, reply_id AS replyId, destination, state, octets, received_at AS receivedAtMs
     FROM smpp_parts WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? 0,
    PAGE,
  );
  return toPage(
    rows,
    PAGE,
    ({ id }) => id,
    ({ destination }) => number.occursIn(destination),
  );
}

/** Removes parts; how many. */
export function eraseParts(tx: Tx, parts: readonly Pick<PartAbout, "id">[]): number {
  for (const { id } of parts) tx.run("DELETE FROM smpp_parts WHERE id = ?", id);
  return parts.length;
}

/** Whether anything is kept of any part. */
export function hasParts(read: Reader): boolean {
  return read.get("SELECT 1 FROM smpp_parts WHERE id > ? LIMIT 1", 0) !== null;
}

/** Forgets parts that ended before then, but those about which a receipt waits; how many. */
export function forgetParts(tx: Tx, endedBeforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM smpp_parts WHERE id IN
       (SELECT id FROM smpp_parts AS p WHERE ended_at < ?1
          AND NOT EXISTS (SELECT 1 FROM smpp_receipts AS r WHERE r.part_id = p.id) ORDER BY ended_at LIMIT ?2)`,
    endedBeforeMs,
    limit,
  );
}

/** The part that an id was given to, with its text; null where there is none any more. */
export function findPart(
  read: Reader,
  userId: number,
  replyId: string,
): (TextKey & Pick<StoredPart, "state"> & { readonly endedAtMs: number | null }) | null {
  return read.get(
    `SELECT ${KEY_COLUMNS}, state, ended_at AS endedAtMs FROM smpp_parts WHERE user_id = ? AND reply_id = ?`,
    userId,
    replyId,
  );
}
