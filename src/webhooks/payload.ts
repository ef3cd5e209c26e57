/**
 * What is sent (docs/behaviour.md#body-of-an-event). A retry sends the text that was kept; what is told again after a
 * crash or on a replay is made again, and there a batch's figures are those of that later moment.
 */
import type { Clock } from "../core/clock.ts";
import { isoUtc } from "../core/clock.ts";
import type { Reader } from "../db/read.ts";
import type { BatchEvent } from "../domain/events/catalogue.ts";
import type { OutboxEvent } from "../domain/events/outbox.ts";
import { type BatchRow, batchById, batchObject, rejectionsByReason } from "../domain/messages/batches.ts";
import type { FinalMessage } from "../domain/messages/finals.ts";
import { messageObject } from "../domain/messages/view.ts";
import { deriveEventId } from "./event-id.ts";

/** The members of every body beside its data. */
type Envelope = {
  readonly type: string;
  readonly atMs: number;
  readonly eventId: string;
  readonly accountUlid: string;
  readonly isSandbox: boolean;
};

/** The text of an event. */
export function renderEventBody({ type, atMs, eventId, accountUlid, isSandbox }: Envelope, data: unknown): string {
  return JSON.stringify({
    type,
    timestamp: isoUtc(atMs),
    event_id: eventId,
    account_id: accountUlid,
    is_sandbox: isSandbox,
    data,
  });
}

/** Who is told. */
type Whose = Pick<Envelope, "accountUlid" | "isSandbox">;

/** MESSAGE_TERMINAL: the message object, which does not change any more. */
export function messageEvent({ accountUlid, isSandbox }: Whose, row: FinalMessage) {
  const type = "MESSAGE_TERMINAL";
  const eventId = deriveEventId(type, row.ulid, row.finalized_at);
  const envelope = { type, atMs: row.finalized_at, eventId, accountUlid, isSandbox };
  return { type, eventId, body: () => renderEventBody(envelope, messageObject(row)) };
}

/** An event of the outbox. Its body counts rejections, so it may take a while; null when its batch is not there any more. */
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
