/**
 * The rows about what a user was answered: which message an id that it was given stands for (`smpp_follows`), the receipts that wait for
 * it, and texts that came in beside them (`smpp_receipts`), how far the feed was read for them (`smpp_cursors`), and the ids that were counted (`smpp_counters`). All are
 * written in the transaction that makes them true.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { listSmppUsers, type SmppUser } from "../../domain/accounts/smpp-users.ts";
import { type MessageChange, readFirstStamp } from "../../domain/messages/batch-messages.ts";
import type { WrittenAddress } from "./read-submit.ts";

/** What is answered of one part of a text, or of a whole one. */
export type Answered = {
  /** From 1; 1 of a whole text. */
  readonly part: number;
  readonly replyId: string;
  /** registered_delivery, as the client wrote it. */
  readonly registered: number;
  readonly sessionId: number;
  readonly userReference: number | null;
  readonly submittedAtMs: number;
};

/** Between whom, as the client wrote it. */
export type WrittenPair = { readonly source: WrittenAddress; readonly destination: WrittenAddress };

/** The states of a message (SMPP 3.4 section 5.2.28), as a receipt and a query_sm_resp have them. */
export const MESSAGE_STATES = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
} as const;

export type MessageState = keyof typeof MESSAGE_STATES;

const REJECTED: ReadonlySet<string> = new Set([
  ...["SUPPRESSED", "REJECTED_AT_OPERATOR", "OPERATOR_REJECTED", "SENDER_NOT_REGISTERED", "NO_ROUTE"],
]);
const UNKNOWN: ReadonlySet<string> = new Set(["RECEIPT_NOT_RECEIVED", "SUBMIT_OUTCOME_UNKNOWN"]);

/** The state of a message for its client: ENROUTE until it is final. */
export function toMessageState({
  status,
  isFinal,
  errorCode,
}: Pick<MessageChange, "status" | "isFinal" | "errorCode">): MessageState {
  if (isFinal === 0) return "ENROUTE";
  if (status === "DELIVERED") return "DELIVRD";
  // Its operator gives no receipts, or gave none in time.
  if (status === "SENT") return "UNKNOWN";
  const code = errorCode ?? "";
  if (REJECTED.has(code)) return "REJECTD";
  if (status === "CANCELLED") return "DELETED";
  if (code.startsWith("EXPIRED_")) return "EXPIRED";
  return UNKNOWN.has(code) ? "UNKNOWN" : "UNDELIV";
}

/** registered_delivery (SMPP 3.4 section 5.2.17). */
const FINAL_MASK = 0x03;
const INTERMEDIATE = 0x10;

/** Whether a client wants any receipt. */
export function wantsReceipts(registered: number): boolean {
  return (registered & (FINAL_MASK | INTERMEDIATE)) !== 0;
}

/** Whether it wants one of a final state. */
export function wantsFinal(registered: number, state: MessageState): boolean {
  switch (registered & FINAL_MASK) {
    case 1:
      return true;
    case 2:
      return state !== "DELIVRD";
    case 3:
      return state === "DELIVRD";
    default:
      return false;
  }
}

/** The three digits of an operator's code that a receipt has; "000" where it is no number of three. */
export function toErrorDigits(operatorCode: string | null): string {
  return operatorCode !== null && /^\d{1,3}$/.test(operatorCode) ? operatorCode.padStart(3, "0") : "000";
}

type Whose = { readonly user: Pick<SmppUser, "id" | "accountId">; readonly pair: WrittenPair };

/** Writes which message the ids stand for. `isOpen` false: no receipt is told of them, since the first ones are. */
export function insertFollows(
  tx: Tx,
  { user, pair }: Whose,
  messageId: number,
  answered: readonly Answered[],
  isOpen = true,
): void {
  for (const { sessionId, part, replyId, registered, userReference, submittedAtMs } of answered)
    tx.run(
      `INSERT INTO smpp_follows (message_id, account_id, user_id, session_id, part, reply_id, registered, source_ton, source_npi,
         source, dest_ton, dest_npi, destination, user_reference, submitted_at, is_open)
       VALUES ($messageId, $accountId, $userId, $sessionId, $part, $replyId, $registered, $sourceTon, $sourceNpi,
         $source, $destTon, $destNpi, $destination, $userReference, $submittedAtMs, $isOpen)`,
      {
        messageId,
        accountId: user.accountId,
        userId: user.id,
        sessionId,
        part,
        replyId,
        registered,
        sourceTon: pair.source.ton,
        sourceNpi: pair.source.npi,
        source: pair.source.address,
        destTon: pair.destination.ton,
        destNpi: pair.destination.npi,
        destination: pair.destination.address,
        userReference,
        submittedAtMs,
        isOpen: Number(isOpen && wantsReceipts(registered)),
      },
    );
}

/** Has the feed of an account read from the first change of a batch on, unless it is read from earlier. */
export function lookFrom(tx: Tx, accountId: number, batchId: number): void {
  tx.run(
    "INSERT INTO smpp_cursors (account_id, stamp_us) VALUES (?, ?) ON CONFLICT DO NOTHING",
    accountId,
    readFirstStamp(tx, batchId) - 1,
  );
}

type Cursor = { readonly accountId: number; readonly stampUs: number };

export function feedCursors(read: Reader): Cursor[] {
  return read.all<Cursor>(
    "SELECT account_id AS accountId, stamp_us AS stampUs FROM smpp_cursors ORDER BY account_id",
  );
}

/** Moves a cursor on, or removes it where no receipt of its account is to be written any more. */
export function moveFeedCursor(tx: Tx, { accountId, stampUs }: Cursor): void {
  const isLeft = tx.get(
    "SELECT 1 FROM smpp_follows WHERE account_id = ? AND is_open = 1 LIMIT ?",
    accountId,
    1,
  );
  if (isLeft) tx.run("UPDATE smpp_cursors SET stamp_us = ? WHERE account_id = ?", stampUs, accountId);
  else tx.run("DELETE FROM smpp_cursors WHERE account_id = ?", accountId);
}

type OpenFollow = {
  readonly id: number;
  readonly userId: number;
  readonly registered: number;
  readonly isSentTold: number;
};

/** Writes the receipts that follow from a change of a message; the users that have new ones. */
export function writeReceipts(tx: Tx, change: MessageChange, nowMs: number): number[] {
  const follows = tx.all<OpenFollow>(
    `SELECT id, user_id AS userId, registered, is_sent_told AS isSentTold FROM smpp_follows
     WHERE message_id = ? AND is_open = 1 ORDER BY id`,
    change.id,
  );
  const atMs = Math.floor(change.stampUs / 1000);
  const state = toMessageState(change);
  const hasLeft = change.status === "SENT" || change.status === "DELIVERED";
  const told: number[] = [];
  for (const { id, userId, registered, isSentTold } of follows) {
    const follow = { userId, followId: id, partId: null };
    const error = toErrorDigits(change.operatorCode);
    const isOver = state !== "ENROUTE";
    const isSentDue = (registered & INTERMEDIATE) !== 0 && isSentTold === 0 && hasLeft;
    if (isSentDue) {
      insertReceipt(tx, { ...follow, state: "ACCEPTD", error: "000", doneAtMs: atMs }, nowMs);
      told.push(userId);
    }
    if (isOver && wantsFinal(registered, state)) {
      insertReceipt(tx, { ...follow, state, error, doneAtMs: atMs }, nowMs);
      told.push(userId);
    }
    if (isOver || isSentDue)
      tx.run(
        "UPDATE smpp_follows SET is_open = ?, is_sent_told = ? WHERE id = ?",
        Number(!isOver),
        Number(isSentTold === 1 || hasLeft),
        id,
      );
  }
  return told;
}

type NewReceipt = {
  readonly userId: number;
  /** What was answered of a message; null: a part that became none. */
  readonly followId: number | null;
  readonly partId: number | null;
  readonly state: MessageState;
  readonly error: string;
  readonly doneAtMs: number;
};

export function insertReceipt(tx: Tx, receipt: NewReceipt, nowMs: number): void {
  tx.run(
    `INSERT INTO smpp_receipts (user_id, follow_id, part_id, state, error, done_at, first_due_at, due_at, attempts)
     VALUES ($userId, $followId, $partId, $state, $error, $doneAtMs, $nowMs, $nowMs, 0)`,
    { ...receipt, nowMs },
  );
}

/** Has a text that came in delivered to a user. */
export function insertInbound(tx: Tx, userId: number, inboundId: number, nowMs: number): void {
  tx.run(
    "INSERT INTO smpp_receipts (user_id, inbound_id, first_due_at, due_at, attempts) VALUES (?, ?, ?, ?, 0)",
    userId,
    inboundId,
    nowMs,
    nowMs,
  );
}

/** What is due to a user. */
type Due = DueReceipt | DueText;

/** A text that came in and is due. */
type DueText = { readonly id: number; readonly inboundId: number };

/** A receipt that is due, with all that is told in it. */
export type DueReceipt = {
  readonly id: number;
  readonly inboundId: null;
  readonly state: MessageState;
  readonly error: string;
  readonly doneAtMs: number;
  readonly sessionId: number;
  readonly replyId: string;
  readonly submittedAtMs: number;
  readonly userReference: number | null;
  readonly messageId: number | null;
  readonly sourceTon: number;
  readonly sourceNpi: number;
  readonly source: string;
  readonly destTon: number;
  readonly destNpi: number;
  readonly destination: string;
};

/**
 * What is due to a user, the longest due first; of one message the final receipt after the other. A receipt that belongs to nothing any
 * more is not among them.
 */
export function listDue(read: Reader, userId: number, nowMs: number, most: number): Due[] {
  return read.all<Due>(
    `SELECT r.id, r.inbound_id AS inboundId, r.state, r.error, r.done_at AS doneAtMs,
       coalesce(f.session_id, p.session_id) AS sessionId, coalesce(f.reply_id, p.reply_id) AS replyId,
       coalesce(f.submitted_at, p.received_at) AS submittedAtMs, coalesce(f.user_reference, p.user_reference) AS userReference,
       f.message_id AS messageId,
       coalesce(f.source_ton, p.source_ton) AS sourceTon, coalesce(f.source_npi, p.source_npi) AS sourceNpi,
       coalesce(f.source, p.source) AS source,
       coalesce(f.dest_ton, p.dest_ton) AS destTon, coalesce(f.dest_npi, p.dest_npi) AS destNpi,
       coalesce(f.destination, p.destination) AS destination
     FROM smpp_receipts AS r LEFT JOIN smpp_follows AS f ON f.id = r.follow_id LEFT JOIN smpp_parts AS p ON p.id = r.part_id
     WHERE r.user_id = ? AND r.due_at <= ? AND (f.id IS NOT NULL OR p.id IS NOT NULL OR r.inbound_id IS NOT NULL)
     ORDER BY r.due_at, r.id LIMIT ?`,
    userId,
    nowMs,
    most,
  );
}

/** When the next receipt of a user is due; null where none waits. */
export function nextDueAtMs(read: Reader, userId: number): number | null {
  const sql = "SELECT due_at AS atMs FROM smpp_receipts WHERE user_id = ? ORDER BY due_at LIMIT 1";
  return read.get<{ atMs: number }>(sql, userId)?.atMs ?? null;
}

/** Users for whom receipts wait. */
export function usersWithReceipts(read: Reader): number[] {
  const users: number[] = [];
  const sql = "SELECT user_id AS id FROM smpp_receipts WHERE user_id > ? ORDER BY user_id LIMIT 1";
  for (let next = read.get<{ id: number }>(sql, 0); next; next = read.get<{ id: number }>(sql, next.id))
    users.push(next.id);
  return users;
}

/** Ends a receipt that was taken, and older ones of its message, which the client would take for newer. */
export function endReceipt(tx: Tx, id: number): void {
  tx.run(
    `DELETE FROM smpp_receipts WHERE id <= ?1 AND follow_id = (SELECT follow_id FROM smpp_receipts WHERE id = ?1)`,
    id,
  );
  tx.run("DELETE FROM smpp_receipts WHERE id = ?", id);
}

export function postponeReceipt(tx: Tx, id: number, dueAtMs: number): void {
  tx.run("UPDATE smpp_receipts SET attempts = attempts + 1, due_at = ? WHERE id = ?", dueAtMs, id);
}

/** Gives a receipt up, and counts it. */
export function giveReceiptUp(tx: Tx, userId: number, id: number): void {
  tx.run("DELETE FROM smpp_receipts WHERE id = ?", id);
  tx.run(
    `INSERT INTO smpp_counters (user_id, given_up) VALUES (?, 1)
     ON CONFLICT (user_id) DO UPDATE SET given_up = given_up + 1`,
    userId,
  );
}

/** Has all that waits for a user due now: it has bound again. */
export function hurryReceipts(tx: Tx, userId: number, nowMs: number): void {
  tx.run("UPDATE smpp_receipts SET due_at = ? WHERE user_id = ? AND due_at > ?", nowMs, userId, nowMs);
}

/** Ends what waits for a user that is over: its parts and receipts. What was accepted goes on. */
export function dropUserRows(tx: Tx, userId: number): void {
  tx.run("DELETE FROM smpp_receipts WHERE user_id = ?", userId);
  tx.run("DELETE FROM smpp_parts WHERE user_id = ?", userId);
  tx.run("UPDATE smpp_follows SET is_open = 0 WHERE user_id = ? AND is_open = 1", userId);
}

/** Gives up receipts that have waited since before an instant, a step at a time; how many. */
export function giveOldReceiptsUp(tx: Tx, userId: number, dueBeforeMs: number, limit: number): number {
  const old = tx.all<{ id: number }>(
    "SELECT id FROM smpp_receipts WHERE user_id = ? AND first_due_at < ? LIMIT ?",
    userId,
    dueBeforeMs,
    limit,
  );
  for (const { id } of old) giveReceiptUp(tx, userId, id);
  return old.length;
}

/** What waits for a user. */
export type ReceiptsWaiting = {
  readonly waiting: number;
  /** Since when the oldest waits; null: none does. */
  readonly oldestAtMs: number | null;
  readonly givenUp: number;
};

export function receiptsWaiting(read: Reader, userId: number): ReceiptsWaiting {
  const row = read.get<Omit<ReceiptsWaiting, "givenUp">>(
    "SELECT count(*) AS waiting, min(first_due_at) AS oldestAtMs FROM smpp_receipts WHERE user_id = ?",
    userId,
  );
  const counted = read.get<{ givenUp: number }>(
    "SELECT given_up AS givenUp FROM smpp_counters WHERE user_id = ?",
    userId,
  );
  return { waiting: row?.waiting ?? 0, oldestAtMs: row?.oldestAtMs ?? null, givenUp: counted?.givenUp ?? 0 };
}

/** How many receipts wait for a user, up to `most`. */
export function countWaitingReceipts(read: Reader, userId: number, most: number): number {
  const row = read.get<{ count: number }>(
    "SELECT count(*) AS count FROM (SELECT 1 FROM smpp_receipts WHERE user_id = ? LIMIT ?)",
    userId,
    most,
  );
  return row?.count ?? 0;
}

/** Since when the oldest receipt of each user waits, for users for whom any does. */
export function oldestReceipts(read: Reader): { readonly userId: number; readonly sinceMs: number }[] {
  return usersWithReceipts(read).flatMap((userId) => {
    const sql =
      "SELECT first_due_at AS sinceMs FROM smpp_receipts WHERE user_id = ? ORDER BY first_due_at LIMIT 1";
    const oldest = read.get<{ sinceMs: number }>(sql, userId);
    return oldest === null ? [] : [{ userId, sinceMs: oldest.sinceMs }];
  });
}

/** The message that an id of a user stands for; null where it was never given, or its message is gone. */
export function findFollow(
  read: Reader,
  userId: number,
  replyId: string,
): { readonly messageId: number; readonly submittedAtMs: number } | null {
  return read.get(
    "SELECT message_id AS messageId, submitted_at AS submittedAtMs FROM smpp_follows WHERE user_id = ? AND reply_id = ?",
    userId,
    replyId,
  );
}

/** The most messages that an id stands for: each user may have one. */
const MAX_OF_AN_ID = 1000;

/** The messages that an id stands for, whichever user it was given to. */
export function messagesByReplyId(read: Reader, replyId: string): number[] {
  return read
    .all<{ id: number }>(
      "SELECT message_id AS id FROM smpp_follows WHERE reply_id = ? ORDER BY user_id LIMIT ?",
      replyId,
      MAX_OF_AN_ID,
    )
    .map(({ id }) => id);
}

/** What is kept about one number, for whoever asks for it: what a user was answered of a message, or a receipt that waits. */
type FollowAbout = {
  readonly id: number;
  readonly userId: number;
  readonly replyId: string;
  readonly destination: string;
  readonly submittedAtMs: number;
};

export function followsOfMessages(read: Reader, messageIds: readonly number[]): FollowAbout[] {
  return read.all<FollowAbout>(
    `SELECT id, user_id AS userId, reply_id AS replyId, destination, submitted_at AS submittedAtMs FROM smpp_follows
     WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(messageIds),
  );
}

/** Puts a name in the place of the number that messages were sent to. */
export function eraseFollows(tx: Tx, name: string, messageIds: readonly number[]): void {
  tx.run(
    "UPDATE smpp_follows SET destination = ? WHERE message_id IN (SELECT value FROM json_each(?))",
    name,
    JSON.stringify(messageIds),
  );
}

/** A receipt that waits, of what was answered of a message, or of a part that became none; without a state: a text that came in. */
type ReceiptAbout = { readonly id: number; readonly replyId: string; readonly state: MessageState | null };

export function receiptsAbout(
  read: Reader,
  follows: readonly Pick<FollowAbout, "id">[],
  parts: readonly { readonly id: number }[],
  texts: readonly { readonly id: number }[],
): ReceiptAbout[] {
  const idsOf = (rows: readonly { readonly id: number }[]): string =>
    JSON.stringify(rows.map(({ id }) => id));
  return [
    ...read.all<ReceiptAbout>(
      `SELECT r.id, f.reply_id AS replyId, r.state FROM smpp_receipts AS r JOIN smpp_follows AS f ON f.id = r.follow_id
       WHERE r.follow_id IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
      idsOf(follows),
    ),
    ...read.all<ReceiptAbout>(
      `SELECT r.id, p.reply_id AS replyId, r.state FROM smpp_receipts AS r JOIN smpp_parts AS p ON p.id = r.part_id
       WHERE r.part_id IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
      idsOf(parts),
    ),
    ...read.all<ReceiptAbout>(
      `SELECT id, CAST(inbound_id AS TEXT) AS replyId, NULL AS state FROM smpp_receipts
       WHERE inbound_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
      idsOf(texts),
    ),
  ];
}

/** Removes what is known about messages that are purged, given as a JSON list of their ids, and receipts that nobody took. */
export function dropFollows(tx: Tx, messageIds: string): void {
  tx.run(
    `DELETE FROM smpp_receipts WHERE follow_id IN
       (SELECT id FROM smpp_follows WHERE message_id IN (SELECT value FROM json_each(?)))`,
    messageIds,
  );
  tx.run("DELETE FROM smpp_follows WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

const MICROSECONDS = 1000;
const HEX_DIGITS = 8;
const LAST_HEX = 0xffff_ffff;

/** The next ids of a user in its form: `newId` makes those of ULIDs. */
export function takeReplyId(
  tx: Tx,
  { id: userId, ids }: Pick<SmppUser, "id" | "ids">,
  { newId, nowMs }: { readonly newId: () => string; readonly nowMs: number },
): string {
  switch (ids) {
    case "ulid":
      return newId();
    case "decimal": {
      const row = tx.get<{ last: number }>(
        `INSERT INTO smpp_counters (user_id, last_decimal) VALUES ($userId, $us)
         ON CONFLICT (user_id) DO UPDATE SET last_decimal = max(last_decimal + 1, $us) RETURNING last_decimal AS last`,
        { userId, us: nowMs * MICROSECONDS },
      );
      return String(row?.last ?? 0).padStart(16, "0");
    }
    case "hex": {
      const row = tx.get<{ last: number }>(
        `INSERT INTO smpp_counters (user_id, last_hex) VALUES ($userId, 1)
         ON CONFLICT (user_id) DO UPDATE SET last_hex = iif(last_hex >= $most, 1, last_hex + 1) RETURNING last_hex AS last`,
        { userId, most: LAST_HEX },
      );
      return (row?.last ?? 0).toString(16).toUpperCase().padStart(HEX_DIGITS, "0");
    }
  }
}

/** How far ids that are counted go on behind those of a copy: more than were given since. */
const HEX_AFTER_RESTORE = 0x0100_0000;

/**
 * Makes a restored copy fit to go on: parts that wait in it go without a receipt, since their texts may have been completed after it was
 * made, and no id is given that may have been given since.
 */
export function recoverRestored(tx: Tx, restoredAtMs: number): void {
  tx.run("DELETE FROM smpp_parts WHERE state IS NULL");
  // One who has no counter in the copy may have begun to count after it.
  for (const { id, revokedAtMs } of listSmppUsers(tx)) {
    if (revokedAtMs !== null) continue;
    tx.run(
      `INSERT INTO smpp_counters (user_id, last_decimal, last_hex) VALUES ($userId, $us, $step)
       ON CONFLICT (user_id) DO UPDATE SET last_decimal = max(last_decimal, $us),
         last_hex = iif(last_hex > $most - $step, last_hex + $step - $most, last_hex + $step)`,
      { userId: id, us: restoredAtMs * MICROSECONDS, step: HEX_AFTER_RESTORE, most: LAST_HEX },
    );
  }
}
