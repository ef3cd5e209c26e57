/** What became of the numbers of a batch, for whoever sends to some of them again (docs/administration.md#sending-a-file). */
import type { Reader } from "../store/read.ts";

/** `SENT`: it left, and no receipt will tell more. */
export type EarlierState = "DELIVERED" | "SENT" | "UNDER_WAY" | "FAILED";

/** The nearer a text came to somebody, the more it counts: whoever has one is not sent a second for what failed. */
export const NEARER: Readonly<Record<EarlierState, number>> = {
  DELIVERED: 3,
  SENT: 2,
  UNDER_WAY: 1,
  FAILED: 0,
};

export type EarlierMessage = {
  readonly msisdn: string;
  readonly operator: string;
  readonly state: EarlierState;
  /** Why it failed; "" where nobody knows or it did not. */
  readonly error: string;
};

/** Some of a batch's messages. */
export type EarlierStep = {
  /** How many there are of them, those that were called off too, but for those whose number was erased. */
  readonly rows: number;
  readonly messages: readonly EarlierMessage[];
};

type Row = {
  readonly msisdn: string;
  readonly operator: string;
  readonly status: string;
  readonly isFinal: number;
  readonly error: string | null;
  readonly finalizedAtMs: number | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/**
 * The messages of a batch as they stood at a moment, but for those that were called off: nobody got them. In order, a step at a
 * time: somebody else may have a turn between two.
 */
export function* earlierMessages(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
  asOfMs: number,
): Generator<EarlierStep> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    const rows = read.all<Row>(
      `SELECT msisdn, operator, status, is_final AS isFinal, error_code AS error, finalized_at AS finalizedAtMs
       FROM messages WHERE id >= ? AND id < ? AND batch_id = ? ORDER BY id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
    const known = rows.filter(({ msisdn }) => msisdn.startsWith("+"));
    const messages = known.flatMap((row) => {
      const state = stateAt(row, asOfMs);
      return state === null
        ? []
        : [{ msisdn: row.msisdn, operator: row.operator, state, error: row.error ?? "" }];
    });
    yield { rows: known.length, messages };
  }
}

function stateAt({ status, isFinal, finalizedAtMs }: Row, asOfMs: number): EarlierState | null {
  if (isFinal === 0 || (finalizedAtMs ?? 0) > asOfMs) return "UNDER_WAY";
  if (status === "CANCELLED") return null;
  return status === "DELIVERED" || status === "FAILED" ? status : "SENT";
}

/** The texts of a batch that each recipient had their own of, in order, a step at a time; none of those that are not kept any more. */
export function* earlierTexts(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<readonly { readonly msisdn: string; readonly text: string }[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    yield read.all<{ readonly msisdn: string; readonly text: string }>(
      "SELECT msisdn, text FROM messages WHERE id >= ? AND id < ? AND batch_id = ? AND text IS NOT NULL ORDER BY id",
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
  }
}
