import type { Reader } from "../../db/read.ts";

/** A message of a batch, for whoever follows it from its acceptance on. */
export type BatchMessage = {
  readonly id: number;
  readonly ulid: string;
  readonly position: number;
  readonly msisdn: string;
  readonly stampUs: number;
};

/** The messages of an open batch in order: their ids follow one another, from the first that it was given. */
export function messagesOfBatch(read: Reader, batchId: number): BatchMessage[] {
  return read.all<BatchMessage>(
    `SELECT m.id, m.ulid, m.position, m.msisdn, coalesce(m.stamp_us, b.queued_stamp_us) AS stampUs
     FROM batches b JOIN messages m ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
     WHERE b.id = ? AND m.batch_id = b.id ORDER BY m.id`,
    batchId,
  );
}

/** The first stamp of the feed at which a message of an open batch stands, which has some. */
export function firstStampOf(read: Reader, batchId: number): number {
  const first = read.get<{ stampUs: number | null }>(
    `SELECT coalesce(b.queued_stamp_us, (SELECT min(m.stamp_us) FROM messages m
       WHERE m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted)) AS stampUs
     FROM batches b WHERE b.id = ?`,
    batchId,
  );
  return first?.stampUs ?? 0;
}

/** What a message has come to since the feed of its account was last looked at. */
export type MessageChange = {
  readonly id: number;
  readonly stampUs: number;
  readonly status: string;
  readonly isFinal: number;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly operator: string;
};

/** The next changes of an account above a stamp, in the order of the feed. */
export function changesAfter(
  read: Reader,
  accountId: number,
  afterUs: number,
  most: number,
): MessageChange[] {
  return read.all<MessageChange>(
    `SELECT id, stamp_us AS stampUs, status, is_final AS isFinal, error_code AS errorCode,
       operator_code AS operatorCode, operator
     FROM messages WHERE account_id = ? AND stamp_us > ? ORDER BY stamp_us LIMIT ?`,
    accountId,
    afterUs,
    most,
  );
}

/** Under which ids the operator accepted the segments of a message, in their order. */
export function remoteIdsOf(read: Reader, messageId: number): string[] {
  return read
    .all<{ id: string | null }>(
      "SELECT smsc_id AS id FROM parts WHERE message_id = ? ORDER BY part",
      messageId,
    )
    .map(({ id }) => id ?? "");
}
