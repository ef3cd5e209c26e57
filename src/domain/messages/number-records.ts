/** What is stored about one number: messages to it, and recipients that were rejected or are still to be validated. */

import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { clearBodiesOfBatches } from "./batch-fallback.ts";
import { clearInactiveTexts } from "./fallback-legs.ts";
import { MESSAGES } from "./id-ranges.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./message-view.ts";

/** A message to a number, whoever was answered for it; `batch_status` tells. */
export type MessageTo = MessageRow & {
  readonly account_id: number;
  readonly batch_id: number;
  readonly batch_status: string;
};

/** Those among some ids, given as a JSON list, that are to a number, the newest first. */
export function readMessagesTo(read: Reader, msisdn: string, ids: string): MessageTo[] {
  return read.all<MessageTo>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id, m.batch_id, b.status AS batch_status FROM ${MESSAGES}
     WHERE m.id IN (SELECT value FROM json_each(?)) AND m.msisdn = ? ORDER BY m.id DESC`,
    ids,
    msisdn,
  );
}

/** A recipient that got no message. */
type RejectedRecipient = {
  readonly batchId: number;
  readonly position: number;
  readonly msisdn: string | null;
  readonly reason: string;
};

type RejectionPlace = Pick<RejectedRecipient, "batchId" | "position">;

/** Rows looked at in one go: some milliseconds. */
const PAGE = 1000;

/** Rejections of a number among the next rows. */
export function rejectionsPage(
  read: Reader,
  msisdn: string,
  after: RejectionPlace | null,
): Page<RejectedRecipient, RejectionPlace> {
  const rows = read.all<RejectedRecipient>(
    `SELECT batch_id AS batchId, position, msisdn, reason FROM rejections
     WHERE (batch_id, position) > (?, ?) ORDER BY batch_id, position LIMIT ?`,
    after?.batchId ?? -1,
    after?.position ?? -1,
    PAGE,
  );
  const placeOf = ({ batchId, position }: RejectedRecipient) => ({ batchId, position });
  return toPage(rows, PAGE, placeOf, (row) => row.msisdn === msisdn);
}

/** A piece of what was submitted and is not validated yet. */
type SubmittedPiece = {
  readonly batchId: number;
  readonly piece: number;
  readonly recipients: string;
};

/** Pieces in which a number stands, among the next few. */
export function submittedPage(
  read: Reader,
  number: NumberMatcher,
  after: Pick<SubmittedPiece, "batchId" | "piece"> | null,
): Page<SubmittedPiece, Pick<SubmittedPiece, "batchId" | "piece">> {
  const rows = read.all<SubmittedPiece>(
    `SELECT batch_id AS batchId, piece, recipients FROM submitted_recipients
     WHERE (batch_id, piece) > (?, ?) ORDER BY batch_id, piece LIMIT ?`,
    after?.batchId ?? -1,
    after?.piece ?? -1,
    PIECES,
  );
  const placeOf = ({ batchId, piece }: SubmittedPiece) => ({ batchId, piece });
  return toPage(rows, PIECES, placeOf, ({ recipients }) => number.occursIn(recipients));
}

/** Each is some hundred recipients. */
const PIECES = 4;

// Recipients that were left out of batches, by their number. No index leads from a number to them, for it would cost each batch of
// 100,000: they are gone through from the newest batch down, a few thousand rows of the primary key in one go.

/** A recipient that got no message. */
type EarlierRejection = RejectionPlace & {
  readonly reason: string;
  readonly clientReference: string | null;
};

type LeftOutStep = {
  readonly found: readonly EarlierRejection[];
  /** Where to go on; null when nothing is left. */
  readonly next: RejectionPlace | null;
};

/** Rows looked at in one go: some milliseconds. */
export const LEFT_OUT_STEP = 5000;

/** Those to a number among the next rows before a place, of batches from a row id on; the newest batch first. */
export function findRejectionsBefore(
  read: Reader,
  msisdn: string,
  before: RejectionPlace,
  fromBatch: number,
): LeftOutStep {
  const edge = read.get<RejectionPlace>(
    `SELECT batch_id AS batchId, position FROM rejections
     WHERE (batch_id, position) < (?, ?) AND batch_id >= ? ORDER BY batch_id DESC, position DESC LIMIT 1 OFFSET ?`,
    before.batchId,
    before.position,
    fromBatch,
    LEFT_OUT_STEP - 1,
  );
  const from = edge ?? { batchId: fromBatch, position: -1 };
  const found = read.all<EarlierRejection>(
    `SELECT batch_id AS batchId, position, reason, client_reference AS clientReference FROM rejections
     WHERE (batch_id, position) < (?, ?) AND (batch_id, position) >= (?, ?) AND msisdn = ?
     ORDER BY batch_id DESC, position DESC`,
    before.batchId,
    before.position,
    from.batchId,
    from.position,
    msisdn,
  );
  return { found, next: edge };
}

/** The lowest row id from which on batches were accepted at `atMs` or later, as far as ids tell time: they do but for a clock set back. */
export function findBatchIdAt(read: Reader, atMs: number): number {
  const newest = read.get<{ id: number | null }>("SELECT max(id) AS id FROM batches");
  let low = 0;
  let high = (newest?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = read.get<{ id: number; createdAtMs: number }>(
      "SELECT id, created_at AS createdAtMs FROM batches WHERE id >= ? ORDER BY id LIMIT 1",
      middle,
    );
    if (next === null || next.createdAtMs >= atMs) high = middle;
    else low = next.id + 1;
  }
  return low;
}

// Removes a number and its texts from what is kept of messages. Status, money and counts stay as they are; the feed does not move. All of
// it may be done again: what bears the name already is not found by the number any more.

/** The batch `b` has no other recipient: its text was for the number alone. */
const IS_FOR_NOBODY_ELSE = `b.ended_at IS NOT NULL AND b.body <> '' AND NOT EXISTS (SELECT 1 FROM rejections r
  WHERE r.batch_id = b.id AND (r.msisdn IS NULL OR (r.msisdn <> $msisdn AND r.msisdn <> $name)))`;

/** Erases the final ones among some messages, by their ids as a JSON list; how many. */
export function eraseMessages(tx: Tx, number: ErasedNumber, ids: string): number {
  const erased = tx.run(
    `UPDATE messages SET msisdn = $name, text = ''
     WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $msisdn AND is_final = 1`,
    { ...number, ids },
  );
  clearInactiveTexts(
    tx,
    JSON.stringify(
      tx
        .all<{ id: number }>(
          "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND msisdn = ?",
          ids,
          number.name,
        )
        .map(({ id }) => id),
    ),
  );
  tx.run(
    `DELETE FROM message_references WHERE message_id IN
       (SELECT id FROM messages WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $name)`,
    { name: number.name, ids },
  );
  tx.run(
    `UPDATE batches AS b SET body = '', other_tags = NULL, warnings = NULL, client_reference = NULL
     WHERE b.id IN (SELECT batch_id FROM messages WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $name)
       AND b.accepted = 1 AND ${IS_FOR_NOBODY_ELSE}`,
    { ...number, ids },
  );
  clearBodiesOfBatches(tx, ids);
  return erased;
}

/** Erases rejections of the number. */
export function eraseRejections(tx: Tx, number: ErasedNumber, places: readonly RejectionPlace[]): number {
  let erased = 0;
  for (const { batchId, position } of places) {
    erased += tx.run(
      `UPDATE rejections SET msisdn = $name, client_reference = NULL
       WHERE batch_id = $batchId AND position = $position AND msisdn = $msisdn`,
      { ...number, batchId, position },
    );
    tx.run(
      `UPDATE batches AS b SET body = '', other_tags = NULL, warnings = NULL, client_reference = NULL WHERE b.id = $batchId AND b.accepted = 0 AND ${IS_FOR_NOBODY_ELSE}`,
      { ...number, batchId },
    );
  }
  return erased;
}
