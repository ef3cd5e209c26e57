/**
 * What one attempt posts: the body of an event (docs/behaviour.md#body-of-an-event) and its signed headers. A retry sends the text
 * that was stored; an event delivered again after a crash or on a replay is rendered again, with the batch's figures of that later
 * moment.
 */
import { version } from "../../package.json";
import { type Clock, isoUtc } from "../core/clock.ts";
import type { Reader } from "../db/reader.ts";
import type { BatchEvent, OutboxEvent } from "../domain/events/outbox.ts";
import { type BatchRow, batchById, batchObject, rejectionsByReason } from "../domain/messages/batches.ts";
import type { FinalMessage } from "../domain/messages/feed.ts";
import { messageObject } from "../domain/messages/message-view.ts";
import type { SigningKey } from "./signing.ts";

/** The members of every body beside its data. */
type Envelope = {
  readonly type: string;
  readonly atMs: number;
  readonly eventId: string;
  readonly accountUlid: string;
  readonly isSandbox: boolean;
};

/** The text of an event. */
export function renderEventBody(
  { type, atMs, eventId, accountUlid, isSandbox }: Envelope,
  data: unknown,
): string {
  return JSON.stringify({
    type,
    timestamp: isoUtc(atMs),
    event_id: eventId,
    account_id: accountUlid,
    is_sandbox: isSandbox,
    data,
  });
}

/** The account that an event is for. */
type Whose = Pick<Envelope, "accountUlid" | "isSandbox">;

/** MESSAGE_TERMINAL: the message object, which does not change any more. */
export function messageEvent({ accountUlid, isSandbox }: Whose, row: FinalMessage) {
  const type = "MESSAGE_TERMINAL";
  const eventId = deriveEventId(type, row.ulid, row.finalized_at);
  const envelope = { type, atMs: row.finalized_at, eventId, accountUlid, isSandbox };
  return { type, eventId, body: () => renderEventBody(envelope, messageObject(row)) };
}

/** Renders an event of the outbox. Counting rejections may take a while; null when its batch no longer exists. */
export function outboxEvent(read: Reader, clock: Clock, whose: Whose, event: OutboxEvent) {
  const { type, atMs } = event;
  if (type === "WALLET_LOW") {
    const eventId = deriveEventId(type, `${whose.accountUlid}:${event.id}`, atMs);
    return { type, eventId, body: () => renderEventBody({ type, atMs, eventId, ...whose }, event.figures) };
  }
  const batch = batchById(read, event.batchId);
  if (!batch) return null;
  const eventId = deriveEventId(type, batch.ulid, atMs);
  const body = async () =>
    renderEventBody({ type, atMs, eventId, ...whose }, await batchData(read, clock, type, batch));
  return { type, eventId, body };
}

/** The batch's figures, its rejections by reason and never one by one, in the status that the event tells of. */
async function batchData(read: Reader, clock: Clock, type: BatchEvent, batch: BatchRow) {
  return {
    ...batchObject(batch),
    status: statusTold(type, batch),
    rejections_by_reason: await rejectionsByReason(read, clock, batch.id),
  };
}

function statusTold(type: BatchEvent, batch: BatchRow): string {
  if (type !== "BATCH_ACCEPTED") return type.slice("BATCH_".length);
  return batch.scheduled_at === null ? "QUEUED" : "SCHEDULED";
}

/** 32 symbols of five bits each (the ULID specification). */
const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * The id of an event: a ULID whose time is the event's and whose other 80 bits are cut from a digest of what it is
 * about. Whoever derives it again, after a crash, on a replay or for another endpoint, gets the same one.
 */
export function deriveEventId(type: string, subject: string, atMs: number): string {
  const digest = Bun.CryptoHasher.hash("sha256", `${type}:${subject}`);
  let id = "";
  for (let rest = atMs, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) {
    id = `${SYMBOLS[rest % 32]}${id}`;
  }
  let bits = 0;
  let held = 0;
  for (let octet = 0; octet < 10; octet++) {
    bits = (bits << 8) | (digest[octet] ?? 0);
    held += 8;
    while (held >= 5) {
      held -= 5;
      id += SYMBOLS[(bits >> held) & 31];
    }
    bits &= (1 << held) - 1;
  }
  return id;
}

/**
 * `webhook-signature`: for each key, in their order, `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, separated
 * by spaces. A receiver accepts the event when any of them verifies.
 */
export function signEvent(
  keys: readonly Uint8Array[],
  eventId: string,
  timestampSeconds: number,
  body: string,
): string {
  const signed = `${eventId}.${timestampSeconds}.${body}`;
  return keys
    .map((key) => `v1,${new Bun.CryptoHasher("sha256", key).update(signed).digest("base64")}`)
    .join(" ");
}

/** The headers of one attempt (Standard Webhooks): the id of the event, the time of the attempt, one signature a key. */
export function toSignedHeaders(
  keys: readonly SigningKey[],
  eventId: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const valid = keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ key }) => key);
  const seconds = Math.floor(nowMs / 1000);
  return {
    "content-type": "application/json",
    "user-agent": `Bendre/${version}`,
    "accept-encoding": "identity",
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signEvent(valid, eventId, seconds, body),
  };
}
