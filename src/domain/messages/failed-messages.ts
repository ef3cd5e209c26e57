import type { Reader } from "../../db/read.ts";
import { isPassing, type MessageErrorCode } from "./message-error.ts";

/** A message that failed for a reason that passes, with the text that it had. */
export type FailedMessage = {
  readonly msisdn: string;
  readonly text: string;
  /** What the client calls the recipient. */
  readonly reference: string | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/**
 * The messages of a batch that another try may deliver, in order, a step at a time: somebody else may have a turn between two.
 * `isRegistered`: whether an operator knows the sender of the batch now.
 */
export function* readTransientFailures(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
  isRegistered: (operator: string) => boolean,
): Generator<readonly FailedMessage[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    const rows = read.all<FailedMessage & { readonly errorCode: string | null; readonly operator: string }>(
      `SELECT m.operator, m.msisdn, coalesce(m.text, b.body) AS text, r.client_reference AS reference, m.error_code AS errorCode
       FROM messages m JOIN batches b ON b.id = m.batch_id LEFT JOIN message_references r ON r.message_id = m.id
       WHERE m.id >= ? AND m.id < ? AND m.batch_id = ? AND m.status = 'FAILED' ORDER BY m.id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
    yield rows.filter(({ errorCode, operator }) => mayPass(errorCode ?? "", operator, isRegistered));
  }
}

/** Whether another try may deliver a text that failed so: also one whose sender was registered with the operator since. */
export function mayPass(
  code: string,
  operator: string,
  isRegistered: (operator: string) => boolean,
): boolean {
  return isPassing(code) || (code === UNREGISTERED && isRegistered(operator));
}

const UNREGISTERED = "SENDER_NOT_REGISTERED" satisfies MessageErrorCode;
