/**
 * What one endpoint has not been told yet: the account's final messages and the events of the outbox behind the
 * endpoint's two cursors. Nothing is written to fan out; an endpoint that is away for hours costs nothing but its place
 * in the log.
 */
import type { Clock } from "../core/clock.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { Reader } from "../db/read.ts";
import { eventsAfter } from "../domain/events/outbox.ts";
import { finalsAfter } from "../domain/messages/finals.ts";
import type { Endpoint } from "./endpoints.ts";
import { type AckWatermark, createAckWatermark } from "./low-water.ts";
import { waitsForRetry } from "./outcomes.ts";
import { messageEvent, outboxEvent } from "./payload.ts";

/** An event that may be attempted. */
export type WaitingEvent = {
  readonly eventId: string;
  readonly type: string;
  /** How often it was attempted before. */
  readonly attempts: number;
  readonly body: () => string | Promise<string>;
  /** Called when it needs no place behind the cursor any more; null for one that has a row of its own. */
  readonly leave: (() => void) | null;
};

/** How far the logs of an account go, as far as one knows. */
export type LogEnds = { readonly feedUs: number; readonly eventId: number };

export type FanOut = {
  /** Notes that the logs have grown. */
  readonly grow: (ends: LogEnds) => void;
  /** The next events, oldest first; empty when there is none, or when one has to look again. */
  readonly read: () => WaitingEvent[];
  /** Whether there may be more to read. */
  readonly hasMore: () => boolean;
  /** Where the cursors may stand. */
  readonly cursors: () => { readonly feedUs: number; readonly eventId: number };
};

/** What is read in one go: of the feed, and rows of the outbox. */
const FEED_STEP = { changes: 1000, finals: 100 };
const EVENT_STEP = 50;

/**
 * Behind a cursor that one event held back there may be others that failed meanwhile, before the endpoint was opened anew: their
 * rows tell them again.
 */
export function fanOut(read: Reader, clock: Clock, endpoint: Endpoint): FanOut {
  const { id: endpointId, accountId, accountUlid } = endpoint;
  const whose = { accountUlid, isSandbox: isSandbox(accountId) };
  const wanted = new Set<string>(endpoint.events);
  const feed = createAckWatermark(endpoint.feedCursorUs);
  const events = createAckWatermark(endpoint.eventCursor);
  let ends: LogEnds = { feedUs: 0, eventId: 0 };
  // What came later has no row yet.
  let endsWhenOpened: LogEnds | null = null;

  const isBehind = (log: AckWatermark, end: number): boolean => log.passed() < end;

  const nextMessages = (): WaitingEvent[] => {
    if (!wanted.has("MESSAGE_TERMINAL")) {
      feed.pass(ends.feedUs);
      return [];
    }
    const mayHaveRows = feed.passed() < (endsWhenOpened?.feedUs ?? 0);
    const page = finalsAfter(read, accountId, feed.passed(), FEED_STEP);
    const waiting = page.messages.flatMap((row) => {
      const told = messageEvent(whose, row);
      if (mayHaveRows && waitsForRetry(read, endpointId, told.eventId)) return [];
      feed.begin(row.stamp_us);
      return { ...told, attempts: 0, leave: () => feed.end(row.stamp_us) };
    });
    feed.pass(page.hasMore ? page.scannedToUs : Math.max(page.scannedToUs, ends.feedUs));
    return waiting;
  };

  const nextEvents = (): WaitingEvent[] => {
    const mayHaveRows = events.passed() < (endsWhenOpened?.eventId ?? 0);
    const rows = eventsAfter(read, accountId, events.passed(), EVENT_STEP);
    const waiting: WaitingEvent[] = [];
    for (const row of rows) {
      const told = wanted.has(row.type) ? outboxEvent(read, clock, whose, row) : null;
      events.pass(row.id);
      if (!told || (mayHaveRows && waitsForRetry(read, endpointId, told.eventId))) continue;
      events.begin(row.id);
      waiting.push({ ...told, attempts: 0, leave: () => events.end(row.id) });
    }
    if (rows.length < EVENT_STEP) events.pass(ends.eventId);
    return waiting;
  };

  return {
    grow: (known) => {
      endsWhenOpened ??= known;
      ends = known;
    },
    hasMore: () => isBehind(feed, ends.feedUs) || isBehind(events, ends.eventId),
    read: () => [
      ...(isBehind(feed, ends.feedUs) ? nextMessages() : []),
      ...(isBehind(events, ends.eventId) ? nextEvents() : []),
    ],
    cursors: () => ({ feedUs: feed.mark(), eventId: events.mark() }),
  };
}
