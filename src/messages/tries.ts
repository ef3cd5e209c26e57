/** Every text of a batch, for whoever tells people of a file and its corrections apart. */
import type { Reader } from "../store/read.ts";
import type { EarlierState } from "./earlier.ts";

/** Whoever a batch was called off for was sent nothing by it. */
export type TryState = EarlierState | "CANCELLED";

export type Try = {
  readonly messageId: number;
  /** Its place in its batch. */
  readonly position: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly state: TryState;
  /** Why it failed; "" where nobody knows or it did not. */
  readonly error: string;
  readonly segments: number;
  readonly amount: number;
};

type Row = Omit<Try, "state" | "error"> & {
  readonly status: string;
  readonly isFinal: number;
  readonly error: string | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/** The texts of a batch in order, but for those whose number was erased, a step at a time: somebody else may have a turn between two. */
export function* triesOf(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<readonly Try[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    const rows = read.all<Row>(
      `SELECT id AS messageId, position, msisdn, operator, status, is_final AS isFinal, error_code AS error, segments, amount
       FROM messages WHERE id >= ? AND id < ? AND batch_id = ? ORDER BY id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
    yield rows
      .filter(({ msisdn }) => msisdn.startsWith("+"))
      .map(({ status, isFinal, error, ...row }) => ({
        ...row,
        state: stateOf(status, isFinal),
        error: error ?? "",
      }));
  }
}

function stateOf(status: string, isFinal: number): TryState {
  if (isFinal === 0) return "UNDER_WAY";
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
