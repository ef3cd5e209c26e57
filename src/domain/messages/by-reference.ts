/** Messages by what their clients called them, or their batches (docs/behaviour.md#references). */
import type { Reader } from "../../db/read.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./view.ts";

/** Null, or left out: whatever it was called. */
export type ReferenceQuery = {
  readonly clientReference?: string | null;
  readonly batchReference?: string | null;
};

/** Whether a message is called as asked; null where nothing is asked. */
export function referenceTest({
  clientReference = null,
  batchReference = null,
}: ReferenceQuery): ((row: MessageRow) => boolean) | null {
  if (clientReference === null && batchReference === null) return null;
  return (row) =>
    (clientReference === null || row.client_reference === clientReference) &&
    (batchReference === null || row.batch_client_reference === batchReference);
}

/** So many messages of one name are read at once and put in order: two or three milliseconds. */
const FEW = 500;
const FEW_BATCHES = 50;

/**
 * All messages of an account that are called as asked, in no order; null where they are many, since a name need not be unique. Those
 * of a batch that is not open are not there yet.
 */
export function fewByReference(
  read: Reader,
  accountId: number,
  { clientReference = null, batchReference = null }: ReferenceQuery,
): readonly MessageRow[] | null {
  if (clientReference !== null) {
    const rows = read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_references n CROSS JOIN messages m ON m.id = n.message_id
         JOIN batches b ON b.id = m.batch_id
       WHERE n.account_id = ? AND n.client_reference = ? AND coalesce(m.stamp_us, b.queued_stamp_us) IS NOT NULL LIMIT ?`,
      accountId,
      clientReference,
      FEW + 1,
    );
    return rows.length > FEW ? null : rows;
  }
  const batches = read.all<{ id: number; accepted: number }>(
    `SELECT id, accepted FROM batches WHERE account_id = ? AND client_reference = ? AND status <> 'STAGING' LIMIT ?`,
    accountId,
    batchReference,
    FEW_BATCHES + 1,
  );
  const messages = batches.reduce((sum, { accepted }) => sum + accepted, 0);
  if (batches.length > FEW_BATCHES || messages > FEW) return null;
  return batches.flatMap(({ id }) =>
    read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM batches b CROSS JOIN messages m
         ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted WHERE b.id = ?`,
      id,
    ),
  );
}
