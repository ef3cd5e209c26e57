/**
 * Searches messages to numbers of which a part is known. No index leads to them, for it would cost every message: the newest batches are
 * gone through, some hundred messages of the primary key in one go.
 */
import type { Reader } from "../../db/reader.ts";
import { IS_VISIBLE, MESSAGES } from "./id-ranges.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./message-view.ts";

/** Where a search for a part of a number goes on: below this message of this batch. */
export type PartPlace = { readonly batchId: number; readonly createdAtMs: number; readonly belowId: number };

/** Messages of a batch that follow each other. */
type PartSpan = PartPlace & { readonly fromId: number; readonly accountId: number };

/** Before everything. */
export const NEWEST: PartPlace = {
  batchId: Number.MAX_SAFE_INTEGER,
  createdAtMs: Number.MAX_SAFE_INTEGER,
  belowId: 0,
};

/** The next batches below one, of one account or of all; the newest first. */
export function spansBelow(
  read: Reader,
  { batchId, createdAtMs }: PartPlace,
  accountId: number | null,
  limit: number,
): PartSpan[] {
  const columns = `id AS batchId, account_id AS accountId, created_at AS createdAtMs, first_message_id AS fromId,
    first_message_id + accepted AS belowId`;
  if (accountId === null) {
    return read.all<PartSpan>(
      `SELECT ${columns} FROM batches WHERE id < ? ORDER BY id DESC LIMIT ?`,
      batchId,
      limit,
    );
  }
  return read.all<PartSpan>(
    `SELECT ${columns} FROM batches INDEXED BY batches_of_account
     WHERE account_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`,
    accountId,
    createdAtMs,
    batchId,
    limit,
  );
}

export type MessageToPart = MessageRow & { readonly account_id: number };

/** Those of a span whose number has some digits among its last `national` ones, the newest first. */
export function messagesWithPart(
  read: Reader,
  { fromId, belowId, batchId }: Pick<PartSpan, "fromId" | "belowId" | "batchId">,
  digits: string,
  national: number,
): MessageToPart[] {
  return read.all<MessageToPart>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id FROM ${MESSAGES}
     WHERE m.id >= $fromId AND m.id < $belowId AND m.batch_id = $batchId AND ${IS_VISIBLE}
       AND m.msisdn LIKE '+%' AND instr(substr(m.msisdn, -$national), $digits) > 0 ORDER BY m.id DESC`,
    { fromId, belowId, batchId, digits, national },
  );
}
