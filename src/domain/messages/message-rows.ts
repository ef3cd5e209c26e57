/** The row of a message that facts change. */
import { assert } from "../../core/assert.ts";
import type { Reader } from "../../db/read.ts";
import { rowWriter } from "../../db/row-writer.ts";
import type { Tx } from "../../db/write.ts";
import type { MessageState } from "./decide.ts";
import type { Fact } from "./facts.ts";

/** What of a message's state its row holds: what another way costs more stands with that. */
type RowState = Omit<MessageState, "beyond">;

/** Where a message's state stands in its row. */
const COLUMNS: Readonly<Record<keyof RowState, string>> = {
  status: "status",
  isFinal: "is_final",
  isSquared: "is_squared",
  segments: "segments",
  price: "price",
  amount: "amount",
  notBefore: "not_before",
  attempts: "attempts",
  resends: "resends",
  unansweredAt: "unanswered_at",
  unansweredUntil: "unanswered_until",
  errorCode: "error_code",
  operatorCode: "operator_code",
  submittedAt: "submitted_at",
  sentAt: "sent_at",
  deliveredAt: "delivered_at",
  finalizedAt: "finalized_at",
};

/** A message as its row has it. */
export type StoredMessage = {
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
  readonly state: MessageState;
};

type Row = Omit<RowState, "isFinal" | "isSquared"> &
  Omit<StoredMessage, "state"> & { readonly isFinal: number; readonly isSquared: number };

const READ_MESSAGE = `SELECT batch_id AS batchId, account_id AS accountId, operator,
  ${Object.entries(COLUMNS)
    .map(([field, column]) => `${column} AS ${field}`)
    .join(", ")}
  FROM messages WHERE id = ?`;

/** The message with this id, which exists. */
export function readMessage(read: Reader, id: number): StoredMessage {
  const row = read.get<Row>(READ_MESSAGE, id);
  assert(row, `message ${id} exists`);
  const { batchId, accountId, operator } = row;
  return {
    batchId,
    accountId,
    operator,
    state: { ...row, beyond: 0, isFinal: row.isFinal === 1, isSquared: row.isSquared === 1 },
  };
}

/** What a message costs is settled when it is accepted; another way that it has is written by `carryBy`. */
const { segments: _segments, price: _price, ...CHANGING } = COLUMNS;

const update = rowWriter<Omit<RowState, "segments" | "price">>({
  head: "UPDATE messages SET",
  always: ["stamp_us = coalesce(?, stamp_us)", "parked_before = coalesce(?, parked_before)"],
  columns: CHANGING,
  where: "WHERE id = ? AND status = ?",
});

/** Writes what a fact made of a message, where its status is still the expected one, at a stamp of the feed; null: where it stands. */
export function writeMessage(
  tx: Tx,
  fact: Fact,
  before: MessageState,
  after: MessageState,
  stampUs: number | null,
): void {
  const { messageId } = fact;
  const parkedBefore = fact.kind === "claimed" ? (fact.parkedBefore ?? null) : null;
  const changed = update(tx, before, after, [stampUs, parkedBefore], [messageId, before.status]);
  assert(changed === 1, `message ${messageId} was still ${before.status}`);
}
