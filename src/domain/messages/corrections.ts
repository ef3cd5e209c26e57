/**
 * Which batch a batch corrects: it was sent out of corrected rows of that one's file, or to those whom that one failed to reach
 * (docs/administration.md#sending-a-file). A batch with all that it corrects and all that correct it is its family.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { BatchStatus } from "./batch-status.ts";
import { IS_VISIBLE, MESSAGES } from "./id-ranges.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./message-view.ts";

/** Batches of a family that may be corrected: one more makes it full. */
export const MAX_FAMILY_BATCHES = 30;

export type FamilyBatch = {
  readonly id: number;
  readonly ulid: string;
  /** The public id of the batch that it corrects; null of the first. */
  readonly corrects: string | null;
  readonly createdAtMs: number;
  readonly status: BatchStatus;
  /** Its messages follow each other from this one on. */
  readonly firstMessageId: number;
  readonly messages: number;
};

type BatchFamily = {
  /** In the order in which they were accepted; the batch itself alone where nothing corrects it and it corrects nothing. */
  readonly batches: readonly FamilyBatch[];
  /** Whether none of it is corrected any more. */
  readonly isFull: boolean;
};

/**
 * `of`: the row id of the batch that is corrected. `compared`: with how many of its family its rows were compared. `isAgain`: each is sent
 * again the text that failed.
 */
export type Correction = {
  readonly of: number;
  readonly compared: number;
  readonly isAgain?: boolean;
};

/** Another batch of the family was accepted since rows were compared with it. */
export class StaleCorrection extends Error {}

/**
 * Says which batch a new one corrects, in the transaction that accepts it. Nothing leaves a family, so that as many as were compared are
 * the same.
 *
 * @throws StaleCorrection where others were accepted meanwhile: the new batch is undone with what else the transaction wrote.
 */
export function recordCorrection(
  tx: Tx,
  batchId: number,
  { of, compared, isAgain = false }: Correction,
): void {
  if (readBatchFamily(tx, of).batches.length !== compared) throw new StaleCorrection();
  tx.run(
    "INSERT INTO corrections (batch_id, corrects, is_again) VALUES (?, ?, ?)",
    batchId,
    of,
    isAgain ? 1 : 0,
  );
}

/** The row id of the batch in which a text was written: one that sends each the text again that failed has none of its own. */
export function findTextBatch(read: Reader, batchId: number): number {
  const again = read.get<{ corrects: number }>(
    "SELECT corrects FROM corrections WHERE batch_id = ? AND is_again = 1",
    batchId,
  );
  return again === null ? batchId : findTextBatch(read, again.corrects);
}

/** A batch with all that it corrects, and all that correct those. Rows are only ever of one account. */
export function readBatchFamily(read: Reader, batchId: number): BatchFamily {
  // A recursive query goes on from what was found first (sqlite.org/lang_with.html): the nearest come first.
  const found = read.all<{ id: number }>(
    `WITH RECURSIVE family (id) AS (
       SELECT ?
       UNION SELECT c.corrects FROM family f JOIN corrections c ON c.batch_id = f.id
       UNION SELECT c.batch_id FROM family f JOIN corrections c ON c.corrects = f.id
     ) SELECT id FROM family LIMIT ?`,
    batchId,
    MAX_FAMILY_BATCHES + 1,
  );
  const ids = found.map(({ id }) => id);
  const batches = read.all<FamilyBatch>(
    `SELECT b.id, b.ulid, p.ulid AS corrects, b.created_at AS createdAtMs, b.status, b.first_message_id AS firstMessageId,
       b.accepted AS messages
     FROM json_each(?) e JOIN batches b ON b.id = e.value AND b.status <> 'STAGING'
       LEFT JOIN corrections c ON c.batch_id = b.id LEFT JOIN batches p ON p.id = c.corrects`,
    JSON.stringify(ids),
  );
  // None is begun before the one that it corrects is taken, nor taken while another is: their ids are in order, whatever the clock did.
  batches.sort((a, b) => a.id - b.id);
  return { batches, isFull: found.length > MAX_FAMILY_BATCHES };
}

/** A batch that corrects another one, with its first messages. */
type CorrectingBatch = {
  readonly id: number;
  readonly messages: readonly MessageRow[];
};

/** The batches that correct one, or a correction of it, in the order in which they were accepted; `limit` messages of them at most. */
export function correctingBatches(read: Reader, batchId: number, limit: number): readonly CorrectingBatch[] {
  const { batches } = readBatchFamily(read, batchId);
  const later = new Set(batches.filter(({ id }) => id === batchId).map(({ ulid }) => ulid));
  const found: CorrectingBatch[] = [];
  let left = limit;
  // A correction stands behind what it corrects.
  for (const { id, ulid, corrects, firstMessageId, messages: count } of batches) {
    if (corrects === null || !later.has(corrects)) continue;
    later.add(ulid);
    const messages = read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGES}
       WHERE m.id >= ? AND m.id < ? AND m.batch_id = ? AND ${IS_VISIBLE} ORDER BY m.id`,
      firstMessageId,
      firstMessageId + Math.min(count, left),
      id,
    );
    left -= messages.length;
    found.push({ id, messages });
  }
  return found;
}

// Every text of a batch, for comparing the people of a file with its corrections (docs/administration.md#sending-a-file).

/** `SENT`: it left, and no receipt will tell more. `CANCELLED`: the batch was called off for them, and nothing was sent. */
export type AttemptState = "DELIVERED" | "SENT" | "UNDER_WAY" | "FAILED" | "CANCELLED";

/** The nearer a text came to a recipient, the more it counts: whoever has one is not sent a second for what failed. */
export const NEARNESS: Readonly<Record<AttemptState, number>> = {
  DELIVERED: 3,
  SENT: 2,
  UNDER_WAY: 1,
  FAILED: 0,
  CANCELLED: -1,
};

/** Whether a recipient has a text, or may still get it. */
export function isReached(state: AttemptState): boolean {
  return NEARNESS[state] > 0;
}

export type Try = {
  readonly messageId: number;
  /** Its place in its batch. */
  readonly position: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly state: AttemptState;
  /** Why it failed; "" where nobody knows or it did not. */
  readonly error: string;
  readonly segments: number;
  readonly amount: number;
};

type Row = Omit<Try, "state" | "error"> & {
  readonly status: string;
  readonly isFinal: number;
  readonly error: string | null;
  readonly finalizedAtMs: number | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/**
 * The texts of a batch as they stood at a moment, in order, but for those whose number was erased, a step at a time: somebody else may have
 * a turn between two.
 */
export function* readAttempts(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
  asOfMs: number,
): Generator<readonly Try[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    const rows = read.all<Row>(
      `SELECT id AS messageId, position, msisdn, operator, status, is_final AS isFinal, error_code AS error, finalized_at AS finalizedAtMs,
         segments, amount
       FROM messages WHERE id >= ? AND id < ? AND batch_id = ? ORDER BY id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
    yield rows
      .filter(({ msisdn }) => msisdn.startsWith("+"))
      .map(({ status, isFinal, error, finalizedAtMs, ...row }) => ({
        ...row,
        state: isFinal === 0 || (finalizedAtMs ?? 0) > asOfMs ? "UNDER_WAY" : toState(status),
        error: error ?? "",
      }));
  }
}

function toState(status: string): AttemptState {
  return status === "DELIVERED" || status === "FAILED" || status === "CANCELLED" ? status : "SENT";
}

/** What some people were sent, and what their client calls them. */
type SaidText = {
  readonly messageId: number;
  /** "" where it is kept no longer. */
  readonly text: string;
  readonly reference: string | null;
};

/** Texts of messages, by their ids, in no order; at most as many as one page has. */
export function readTexts(read: Reader, messageIds: readonly number[]): readonly SaidText[] {
  return read.all<SaidText>(
    `SELECT m.id AS messageId, coalesce(m.text, b.body) AS text, r.client_reference AS reference
     FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value JOIN batches b ON b.id = m.batch_id
       LEFT JOIN message_references r ON r.message_id = m.id`,
    JSON.stringify(messageIds),
  );
}
