/** Notifications of alerts, pending and past: one row for each address of a channel. Also plans which pending ones to deliver. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, readPhrase, written } from "../../i18n/phrase.ts";
import type { AlertEvent } from "./lifecycle.ts";
import type { AlertFacts, RuleName } from "./rules.ts";

export type ChannelName = "webhook" | "email" | "sms";

/** The event of a notification, as it was at one moment. */
export type NotificationEvent = Omit<AlertEvent, "rule"> & {
  readonly rule: RuleName | "test";
  readonly atMs: number;
};

/** The address of a channel; "" for one with a single address. */
export type AddressOfChannel = { readonly channel: ChannelName; readonly recipient: string };

/** A notification to deliver to one address. */
export type QueuedNotification = AddressOfChannel & {
  readonly id: number;
  /** Shared by all notifications of the same event. */
  readonly eventId: string;
  readonly event: NotificationEvent;
  readonly attempts: number;
  readonly dueAtMs: number;
  /** The test message that carried it, or may have; null for none. */
  readonly testId: number | null;
};

/** `joined`: delivered together with a later one. `dropped`: over before it could be delivered. */
type NotificationOutcome = "told" | "joined" | "dropped" | "given up";

type Row = Omit<QueuedNotification, "event"> & Omit<NotificationEvent, "facts"> & { readonly facts: string };

const COLUMNS = `id, event_id AS eventId, channel, recipient, rule, subject, state, since AS sinceMs, written_at AS atMs, facts,
  attempts, due_at AS dueAtMs, test_id AS testId`;

export function enqueueNotification(
  tx: Tx,
  { event, ...notification }: Omit<QueuedNotification, "id" | "attempts" | "dueAtMs" | "testId">,
): number {
  return tx.insert(
    `INSERT INTO notifications (event_id, channel, recipient, rule, subject, state, since, facts, written_at, due_at)
     VALUES ($eventId, $channel, $recipient, $rule, $subject, $state, $sinceMs, $facts, $atMs, $atMs)`,
    { ...notification, ...event, facts: JSON.stringify(event.facts) },
  );
}

/** The pending notifications of a channel, oldest first. */
export function pendingNotifications(
  read: Reader,
  channel: ChannelName,
  limit: number,
): QueuedNotification[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM notifications WHERE channel = ? AND outcome IS NULL ORDER BY id LIMIT ?`,
      channel,
      limit,
    )
    .map(toNotification);
}

function toNotification({
  rule,
  subject,
  state,
  sinceMs,
  atMs,
  facts,
  ...notification
}: Row): QueuedNotification {
  return {
    ...notification,
    event: { rule, subject, state, sinceMs, atMs, facts: JSON.parse(facts) as AlertFacts },
  };
}

/** Marks a notification as finished. Its number is shortened: an erased number must not be found here. */
export function finishNotification(tx: Tx, id: number, outcome: NotificationOutcome, atMs: number): void {
  tx.run(
    `UPDATE notifications SET outcome = ?, ended_at = ?,
       recipient = iif(channel = 'sms', substr(recipient, 1, 4) || '…' || substr(recipient, -2), recipient)
     WHERE id = ? AND outcome IS NULL`,
    outcome,
    atMs,
    id,
  );
}

/** Counts a failed attempt; the notification is due again then. */
export function postponeNotification(tx: Tx, id: number, dueAtMs: number): void {
  tx.run("UPDATE notifications SET attempts = attempts + 1, due_at = ? WHERE id = ?", dueAtMs, id);
}

/** Defers a notification without counting an attempt. */
export function deferNotification(tx: Tx, id: number, dueAtMs: number): void {
  tx.run("UPDATE notifications SET due_at = ? WHERE id = ?", dueAtMs, id);
}

/** Records the test message that carries a notification. */
export function recordTestMessage(tx: Tx, id: number, testId: number): void {
  tx.run("UPDATE notifications SET test_id = ? WHERE id = ?", testId, id);
}

/** Records why a notification was not taken. */
export function noteFailure(tx: Tx, id: number, error: Phrase): void {
  tx.run("UPDATE notifications SET error = ? WHERE id = ?", written(error), id);
}

/** Records the result of a requested test at an address: it never waits, and is listed with the past notifications. */
export function noteTest(
  tx: Tx,
  { by, atMs, error, ...notification }: AddressOfChannel & Pick<QueuedNotification, "eventId"> & TestResult,
): void {
  const event = { rule: "test", state: "start", subject: "", sinceMs: atMs, atMs, facts: { by } } as const;
  const id = enqueueNotification(tx, { ...notification, event });
  if (error !== null) noteFailure(tx, id, error);
  finishNotification(tx, id, error === null ? "told" : "given up", atMs);
}

type TestResult = {
  readonly by: string;
  readonly atMs: number;
  /** Why it was not taken; null where it was. */
  readonly error: Phrase | null;
};

/** How long past notifications are kept. */
const REMEMBERED_MS = 30 * 86_400_000;

export function purgeNotifications(tx: Tx, nowMs: number): void {
  tx.run("DELETE FROM notifications WHERE ended_at < ?", nowMs - REMEMBERED_MS);
}

/** A past or pending notification. Times are epoch milliseconds. */
export type NotificationRecord = AddressOfChannel & {
  readonly rule: string;
  readonly subject: string;
  readonly state: string;
  readonly atMs: number;
  readonly outcome: NotificationOutcome | null;
  readonly endedAtMs: number | null;
  readonly attempts: number;
  readonly error: Phrase | null;
  /** Who asked for a test; null for an alert. */
  readonly by: string | null;
};

/** The last past notifications and the pending ones, newest first. */
export function latestDeliveries(read: Reader, limit: number): NotificationRecord[] {
  return read
    .all<Omit<NotificationRecord, "error"> & { readonly error: string | null }>(
      `SELECT channel, recipient, rule, subject, state, written_at AS atMs, outcome, ended_at AS endedAtMs, attempts, error,
       iif(rule = 'test', facts ->> 'by', NULL) AS by
     FROM notifications ORDER BY id DESC LIMIT ?`,
      limit,
    )
    .map((row) => ({ ...row, error: row.error === null ? null : readPhrase(row.error) }));
}

// Plans which pending notifications to deliver now, so that late ones tell the current state. Pure.

/** One delivery, and the notifications that it finishes. */
export type PendingDelivery = {
  /** The last is delivered; those before it are joined to it. */
  readonly notifications: readonly QueuedNotification[];
  readonly last: QueuedNotification;
  readonly event: NotificationEvent;
  /** How many starts nobody was notified of. */
  readonly starts: number;
};

type DeliveryPlan = {
  readonly due: readonly PendingDelivery[];
  /** Notifications of alerts that are over, whose end is not notified either. */
  readonly dropped: readonly QueuedNotification[];
  /** When the next is due; null where none is pending. */
  readonly nextMs: number | null;
};

export type DeliveryConditions = {
  readonly nowMs: number;
  /** Joined where people read; a program gets each, in order. */
  readonly isJoined: boolean;
  /** Until when a rule is silenced; 0 where it is not. */
  readonly silencedUntilMs: (rule: string) => number;
  /** Whether an alert lasts, or its end is still to be notified. */
  readonly isOpen: (event: NotificationEvent) => boolean;
};

/** Plans the deliveries of one channel's pending notifications, given in the order in which they were written. */
export function planDeliveries(
  waiting: readonly QueuedNotification[],
  now: DeliveryConditions,
): DeliveryPlan {
  const groups = Map.groupBy(waiting, ({ recipient, event }) =>
    JSON.stringify([recipient, event.rule, event.subject]),
  );
  const due: PendingDelivery[] = [];
  const dropped: QueuedNotification[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (const group of groups.values()) {
    const last = group.at(-1);
    if (!last) continue;
    const silencedMs = now.silencedUntilMs(last.event.rule);
    const isOver = last.event.state !== "end" && !now.isOpen(last.event);
    const notifications = now.isJoined ? group : group.slice(0, 1);
    const dueMs = Math.max(silencedMs, Math.min(...notifications.map(({ dueAtMs }) => dueAtMs)));
    if (isOver) dropped.push(...group);
    else if (dueMs <= now.nowMs) due.push(toPendingDelivery(notifications));
    else nextMs = Math.min(nextMs, dueMs);
  }
  return { due, dropped, nextMs: Number.isFinite(nextMs) ? nextMs : null };
}

function toPendingDelivery(notifications: readonly QueuedNotification[]): PendingDelivery {
  const last = notifications.at(-1);
  const first = notifications.find(({ event }) => event.state !== "end");
  if (!last) throw new Error("a delivery without a notification");
  const starts = notifications.filter(({ event }) => event.state === "start").length;
  const { event } = last;
  if (event.state !== "end")
    return { notifications, last, starts, event: starts > 0 ? asStart(event) : event };
  return { notifications, last, starts, event: { ...event, sinceMs: (first ?? last).event.sinceMs } };
}

/** As a start, where nobody was notified of the start. */
function asStart(event: NotificationEvent): NotificationEvent {
  return { ...event, state: "start" };
}
