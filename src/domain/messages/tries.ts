/** Every text of a batch, for whoever tells people of a file and its corrections apart (docs/administration.md#sending-a-file). */
import type { Reader } from "../../db/read.ts";

/** `SENT`: it left, and no receipt will tell more. `CANCELLED`: the batch was called off for them, and nothing was sent. */
export type AttemptState = "DELIVERED" | "SENT" | "UNDER_WAY" | "FAILED" | "CANCELLED";

/** The nearer a text came to somebody, the more it counts: whoever has one is not sent a second for what failed. */
export const NEARNESS: Readonly<Record<AttemptState, number>> = {
  DELIVERED: 3,
  SENT: 2,
  UNDER_WAY: 1,
  FAILED: 0,
  CANCELLED: -1,
};

/** Whether somebody has a text, or may still get it. */
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

/** What was said to some people, and what their client calls them. */
export type SaidText = {
  readonly messageId: number;
  /** "" where it is kept no longer. */
  readonly text: string;
  readonly reference: string | null;
};

/** Texts of messages, by their ids, in no order; at most as many as one page has. */
export function textsOf(read: Reader, messageIds: readonly number[]): readonly SaidText[] {
  return read.all<SaidText>(
    `SELECT m.id AS messageId, coalesce(m.text, b.body) AS text, r.client_reference AS reference
     FROM json_each(?) j CROSS JOIN messages m ON m.id = j.value JOIN batches b ON b.id = m.batch_id
       LEFT JOIN message_references r ON r.message_id = m.id`,
    JSON.stringify(messageIds),
  );
}
