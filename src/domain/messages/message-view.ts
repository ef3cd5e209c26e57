/**
 * The message object of the public API (docs/behaviour.md#message-object): status, error, cost, the channels used, and when its user
 * read it (`recordRead`). Of a message with a fallback it shows both legs as one message (docs/behaviour.md#fallback). A text is never
 * part of it.
 */
import type { Channel } from "../../core/channels.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { CURRENCY } from "../../core/money.ts";
import { isSandboxOperator, toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { toMessageEncoding } from "./encodings.ts";
import type { LegOutcome, MessageLegs } from "./fallback-legs.ts";
import { toPublicStatus } from "./fallback-transitions.ts";
import { stampInRunUs, stampToIso } from "./feed-stamps.ts";
import { CLIENT_REFERENCE } from "./insert.ts";
import { EXCESS_RESERVATION, reservedOf } from "./message-money.ts";
import { errorObject, type Status } from "./message-status.ts";

// When users read messages. This is stored and moves nothing: a message that was read has been at its end before.

/** When the user read the message `m` of the batch `b`, in SQL; NULL where that is not known. No operator of SMS tells it. */
const READ_AT =
  "CASE b.channel WHEN 'SMS' THEN NULL ELSE (SELECT u.read_at FROM message_reads u WHERE u.message_id = m.id) END";

/** Notes once that the user read a message, where it stands as delivered. */
export function recordRead(tx: Tx, messageId: number, atMs: number): void {
  tx.run(
    `INSERT INTO message_reads (message_id, read_at) SELECT id, ? FROM messages WHERE id = ? AND status = 'DELIVERED'
     ON CONFLICT (message_id) DO NOTHING`,
    atMs,
    messageId,
  );
}

/** Deletes the reads of messages that are deleted, by their ids as a JSON list. */
export function deleteReads(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM message_reads WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

// What a client is shown of the legs of a message (docs/behaviour.md#fallback).

/** What a statement over the messages `m` selects of a message that has left its first leg: JSON, or null. */
const SHOWN_LEGS = `(SELECT json_object('stage', w.stage, 'operator', w.operator, 'shown', w.shown,
    'submitted_at', w.submitted_at, 'sent_at', w.sent_at, 'moved_at', w.moved_at,
    'status', w.status, 'at', w.at, 'errorCode', w.error_code, 'operatorCode', w.operator_code)
  FROM fallbacks w WHERE w.message_id = m.id AND w.stage <> 'FIRST')`;

/** A message that has left its first leg, as it is shown. */
type ShownLegs = Pick<MessageLegs, "shown"> & {
  readonly stage: "SECOND" | "BACK";
  /** Of the leg that the row does not hold. */
  readonly operator: string;
  readonly submitted_at: number | null;
  readonly sent_at: number | null;
  readonly moved_at: number;
} & { readonly [Name in keyof LegOutcome]: LegOutcome[Name] | null };

function readLegTimes(json: string | null): ShownLegs | null {
  return json === null ? null : (JSON.parse(json) as ShownLegs);
}

/** The channel that carries a message. */
function carrierOf(channel: Channel, legs: ShownLegs | null): Channel {
  return legs?.stage === "SECOND" ? SECOND : channel;
}

/** The channel of fallbacks. */
const SECOND: Channel = "SMS";

/** One leg that was used, as every message object shows them in their order. */
type UsedChannel = {
  readonly channel: Channel;
  readonly operator: string;
  readonly status: Status;
  readonly at: string;
  readonly error: ReturnType<typeof errorObject>;
};

type Shown = {
  readonly channel: Channel;
  readonly operator: string;
  readonly status: Status;
  readonly error: UsedChannel["error"];
  /** When the message changed last, as its client sees it. */
  readonly changedAt: string;
};

/** The legs of a message in the order of use: the one that its row holds, and before or behind it the other. */
function channelsOf(
  legs: ShownLegs | null,
  { channel, operator, status, error, changedAt }: Shown,
): readonly UsedChannel[] {
  if (legs === null) return [{ channel, operator, status, at: changedAt, error }];
  const own = { channel: carrierOf(channel, legs), operator, status, at: isoUtc(legs.moved_at), error };
  if (legs.status === null || legs.at === null) return [own];
  const isSecondCarrying = legs.stage === "SECOND";
  const other: UsedChannel = {
    channel: isSecondCarrying ? channel : SECOND,
    operator: toLaneOperator(legs.operator),
    status: legs.status,
    at: isoUtc(legs.at),
    error: errorObject(legs.errorCode, legs.operatorCode),
  };
  return isSecondCarrying ? [other, own] : [own, other];
}

/** A message with what its batch says of it, as selected by `MESSAGE_COLUMNS`. */
export type MessageRow = {
  id: number;
  ulid: string;
  batch_ulid: string;
  first_message_id: number;
  queued_stamp_us: number | null;
  position: number;
  msisdn: string;
  operator: string;
  sender: string;
  channel: Channel;
  message_class: "OTP" | "TRANSACTIONAL" | "MARKETING";
  status: Status;
  is_final: number;
  is_money_closed: number;
  encoding: "GSM7" | "UCS2";
  segments: number;
  price: number;
  amount: number;
  error_code: string | null;
  operator_code: string | null;
  created_at: number;
  submitted_at: number | null;
  sent_at: number | null;
  delivered_at: number | null;
  read_at: number | null;
  finalized_at: number | null;
  stamp_us: number | null;
  client_reference: string | null;
  batch_client_reference: string | null;
  excess: number;
  /** What is shown besides of a message that has left its first leg, as JSON; null of others. */
  legs: string | null;
};

/** Selected from `messages m JOIN batches b ON b.id = m.batch_id`. */
export const MESSAGE_COLUMNS = `m.id, m.ulid, b.ulid AS batch_ulid, b.first_message_id, b.queued_stamp_us,
  m.position, m.msisdn, m.operator, b.sender, b.channel, b.message_class, m.status, m.is_final, m.is_money_closed,
  m.encoding, m.segments, m.price, m.amount, m.error_code, m.operator_code, m.created_at, m.submitted_at,
  m.sent_at, m.delivered_at, ${READ_AT} AS read_at, m.finalized_at, m.stamp_us, ${EXCESS_RESERVATION} AS excess,
  CASE b.channel WHEN 'SMS' THEN NULL ELSE ${SHOWN_LEGS} END AS legs,
  ${CLIENT_REFERENCE} AS client_reference, b.client_reference AS batch_client_reference`;

/** The message object of the public API (docs/behaviour.md#message-object). Its text is not in it. */
export function messageObject(row: MessageRow) {
  const legs = readLegTimes(row.legs);
  const status = legs ? toPublicStatus(row.status, legs.shown) : row.status;
  const operator = toLaneOperator(row.operator);
  const changedAt = stampToIso(deriveStamp(row));
  const error = errorObject(row.error_code, row.operator_code);
  return {
    message_id: row.ulid,
    batch_id: row.batch_ulid,
    index: row.position,
    client_reference: row.client_reference,
    batch_client_reference: row.batch_client_reference,
    msisdn: row.msisdn,
    operator,
    sender: row.sender,
    channel: row.channel,
    message_class: row.message_class,
    status,
    is_sandbox: isSandboxOperator(row.operator),
    is_final: row.is_final === 1,
    encoding: toMessageEncoding(carrierOf(row.channel, legs), row.encoding),
    segments: row.segments,
    amount: row.amount,
    reserved_amount: row.is_money_closed === 1 ? 0 : reservedOf(row) - row.amount,
    currency: CURRENCY,
    error,
    channels: channelsOf(legs, { ...row, operator, error, changedAt }),
    created_at: isoUtc(row.created_at),
    submitted_at: isoOrNull(legs?.submitted_at ?? row.submitted_at),
    sent_at: isoOrNull(legs?.sent_at ?? row.sent_at),
    delivered_at: isoOrNull(row.delivered_at),
    read_at: isoOrNull(row.read_at),
    finalized_at: isoOrNull(row.finalized_at),
    status_changed_at: changedAt,
  };
}

export type MessageObject = ReturnType<typeof messageObject>;

/** When a message last changed its status: its own stamp, or its place in the run its staged batch was given. */
export function deriveStamp(row: MessageRow): number {
  return row.stamp_us ?? stampInRunUs(row.queued_stamp_us ?? 0, row.id - row.first_message_id);
}

/** One message of an account, or null when there is none such or its batch is still being staged. */
export function findMessage(read: Reader, accountId: number, ulid: string): MessageRow | null {
  return read.get<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.ulid = ? AND m.account_id = ? AND b.status NOT IN ('STAGING', 'VALIDATING')`,
    ulid,
    accountId,
  );
}
