import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import type { BatchStatus } from "./batch-status.ts";
import type { ChargeOn } from "./money-position.ts";

/** A batch as it is first written. Times are epoch milliseconds. */
export type NewBatch = {
  readonly ulid: string;
  readonly accountId: number;
  readonly status: BatchStatus;
  readonly sender: string;
  readonly channel: "SMS" | "WHATSAPP";
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly body: string;
  readonly isTest: boolean;
  readonly timezone: string;
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly expiresAt: number;
  readonly chargeOn: ChargeOn;
  readonly firstMessageId: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly totalSegments: number;
  readonly reservedAmount: Xof;
  readonly endedAt: number | null;
};

export type NewMessage = {
  readonly ulid: string;
  readonly position: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly encoding: "GSM7" | "UCS2";
  readonly segments: number;
  /** Of one segment. */
  readonly price: Xof;
  /** Null: the batch's body without change. */
  readonly text: string | null;
};

export type NewRejection = {
  readonly position: number;
  readonly msisdn: string | null;
  readonly reason: string;
};

/** Writes a batch row; its id. */
export function insertBatch(tx: Tx, batch: NewBatch): number {
  return tx.insert(
    `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
       created_at, scheduled_at, expires_at, charge_on, first_message_id, accepted, rejected, total_segments,
       queued, unfinished, unsquared, reserved_amount, ended_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?15, ?15, ?15, ?18, ?19)`,
    batch.ulid,
    batch.accountId,
    batch.status,
    batch.sender,
    batch.channel,
    batch.messageClass,
    batch.body,
    batch.isTest,
    batch.timezone,
    batch.createdAt,
    batch.scheduledAt,
    batch.expiresAt,
    batch.chargeOn,
    batch.firstMessageId,
    batch.accepted,
    batch.rejected,
    batch.totalSegments,
    batch.reservedAmount,
    batch.endedAt,
  );
}

/** Where a run of messages goes. `stampUs` gives the feed stamp of each, or null for those of a staged batch. */
export type MessageRun = {
  readonly batchId: number;
  readonly accountId: number;
  /** The row id of the first of `messages`; the others follow. */
  readonly firstId: number;
  readonly notBefore: number;
  readonly createdAt: number;
  readonly stampUs: (() => number) | null;
};

/** Writes accepted messages as QUEUED rows with consecutive ids. */
export function insertMessages(tx: Tx, run: MessageRun, messages: readonly NewMessage[]): void {
  for (const [index, message] of messages.entries()) {
    tx.run(
      `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, encoding,
         segments, price, text, not_before, stamp_us, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'QUEUED', ?, ?, ?, ?, ?, ?, ?)`,
      run.firstId + index,
      message.ulid,
      run.accountId,
      run.batchId,
      message.position,
      message.msisdn,
      message.operator,
      message.encoding,
      message.segments,
      message.price,
      message.text,
      run.notBefore,
      run.stampUs ? run.stampUs() : null,
      run.createdAt,
    );
  }
}

export function insertRejections(tx: Tx, batchId: number, rejections: readonly NewRejection[]): void {
  for (const { position, msisdn, reason } of rejections) {
    tx.run(
      "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, ?, ?, ?)",
      batchId,
      position,
      msisdn,
      reason,
    );
  }
}

/** Opens a staged batch: its messages are there for everybody from this commit on. */
export function openStagedBatch(
  tx: Tx,
  batchId: number,
  status: BatchStatus,
  queuedStampUs: number,
  endedAt: number | null,
): void {
  tx.run(
    "UPDATE batches SET status = ?, queued_stamp_us = ?, ended_at = ? WHERE id = ?",
    status,
    queuedStampUs,
    endedAt,
    batchId,
  );
}

/**
 * Takes back up to `limit` rows of a staged batch that will not be opened, the batch row last. True while more is
 * left.
 */
export function dropStaged(tx: Tx, batchId: number, limit: number): boolean {
  for (const table of ["messages", "rejections"] as const) {
    const key = table === "messages" ? "id" : "position";
    const range =
      table === "messages"
        ? `id >= (SELECT first_message_id FROM batches WHERE id = ?1) AND id <
             (SELECT first_message_id + accepted FROM batches WHERE id = ?1)`
        : "batch_id = ?1";
    const dropped = tx.run(
      `DELETE FROM ${table} WHERE batch_id = ?1 AND ${key} IN
         (SELECT ${key} FROM ${table} WHERE ${range} LIMIT ?2)`,
      batchId,
      limit,
    );
    if (dropped > 0) return true;
  }
  tx.run("DELETE FROM batches WHERE id = ?", batchId);
  return false;
}

/** Batches whose staging was cut off by the end of a process. */
export function stagedBatches(read: Reader): number[] {
  return read.all<{ id: number }>("SELECT id FROM batches WHERE status = 'STAGING'").map((row) => row.id);
}

/** Hands out blocks of message ids, so that those of a batch are consecutive however its rows are written. */
export type MessageIds = { readonly take: (count: number) => number };

/** Continues above every id that any batch was given, used or not. */
export function messageIds(read: Reader): MessageIds {
  let next =
    read.get<{ next: number | null }>("SELECT max(first_message_id + accepted) AS next FROM batches")?.next ??
    1;
  return {
    take: (count) => {
      const first = next;
      next += count;
      return first;
    },
  };
}
