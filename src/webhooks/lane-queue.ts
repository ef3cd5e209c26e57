import type { Clock } from "../core/clock.ts";
import type { Reader } from "../db/read.ts";
import type { Endpoint } from "./endpoints.ts";
import { fanOut, type LogEnds, type WaitingEvent } from "./fan-out.ts";
import type { EndpointOutcome, Retry } from "./outcomes.ts";

/** What one endpoint is to be told: retries that are due, and what is new in the logs. */
export type EndpointQueue = {
  /** Notes how far the account's logs go. */
  readonly grow: (ends: LogEnds) => void;
  /** Takes over retries that are due, but for those it has already. */
  readonly due: (retries: readonly Retry[]) => void;
  /** One that fails is probed with an event it has not seen; one that is well gets the oldest first. */
  readonly takeNext: (isFailing: boolean) => WaitingEvent | null;
  /** Whether there may be more to read. */
  readonly hasMore: () => boolean;
  /** An outcome as it is taken away to be written: its retries may be read before it is heard that they are. */
  readonly leaving: (outcome: EndpointOutcome | null) => EndpointOutcome | null;
  /** Called once an outcome is durable. */
  readonly settled: (outcome: EndpointOutcome) => void;
  /** Where the cursors may stand. */
  readonly cursors: () => { readonly feedUs: number; readonly eventId: number };
};

export function createEndpointQueue(read: Reader, clock: Clock, endpoint: Endpoint): EndpointQueue {
  const source = fanOut(read, clock, endpoint);
  const fresh: WaitingEvent[] = [];
  const retries: WaitingEvent[] = [];
  // Retries taken over whose row still says what it said then, and those that are being written.
  const held = new Set<string>();
  return {
    grow: source.grow,
    hasMore: source.hasMore,
    cursors: source.cursors,
    due: (rows) => {
      for (const { body, ...row } of rows) {
        if (held.has(row.eventId)) continue;
        held.add(row.eventId);
        retries.push({ ...row, body: () => body, leave: null });
      }
    },
    takeNext: (isFailing) => {
      if (fresh.length === 0) fresh.push(...source.read());
      const [first, second] = isFailing ? [fresh, retries] : [retries, fresh];
      return first.shift() ?? second.shift() ?? null;
    },
    leaving: (outcome) => {
      for (const { eventId } of outcome?.retries ?? []) held.add(eventId);
      return outcome;
    },
    settled: ({ finished, retries: rows }) => {
      for (const eventId of finished) held.delete(eventId);
      for (const { eventId } of rows) held.delete(eventId);
    },
  };
}
