/** The submits of one operator that are under way, and those whose answer did not come in time. */

import { smscAccount } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { SentSegment } from "./departures.ts";
import type { OperatorSession, PendingSubmit } from "./link.ts";
import type { SentSubmit } from "./outcome.ts";
import type { UnmatchedWatermark } from "./parked-receipts.ts";
import { toSubmitShape } from "./submit-shape.ts";

/** A submit that left by a link, or is about to. */
export type InFlightSubmit = PendingSubmit & {
  readonly link: OperatorSession;
  /** On the steady clock, and by the wall. */
  readonly sentAtMs: number;
  readonly writtenAtMs: number;
  /** The highest number of a parked receipt when it left. */
  readonly parkedBefore: number;
  sequence: number;
};

export type InFlightSubmits = {
  /** A number for a submit that is about to leave by a link. */
  readonly begin: (outgoing: PendingSubmit, link: OperatorSession) => number;
  /** It left, as this PDU of its connection. */
  readonly left: (ref: number, sequence: number) => void;
  /** It did not leave after all. */
  readonly takeBack: (ref: number) => void;
  readonly get: (ref: number) => InFlightSubmit | null;
  /** What came of it is durable: its place in the window is free. */
  readonly end: (ref: number) => void;
  /** Its answer did not come in time: it is told apart from others should the answer come late. */
  readonly overdue: (ref: number) => void;
  /** The flight that a late answer is about, once. */
  readonly takeLate: (ref: number) => InFlightSubmit | null;
};

/** Late answers are told apart for this many submits after they timed out. */
const REMEMBERED_LATE = 10_000;

/** `onFreed` is told that a place in a window is free. */
export function flights(clock: Clock, parked: Readonly<UnmatchedWatermark>, onFreed: () => void): InFlightSubmits {
  const underWay = new Map<number, InFlightSubmit>();
  const late = new Map<number, InFlightSubmit>();
  let nextRef = 1;
  return {
    begin: (outgoing, link) => {
      const ref = nextRef++;
      const at = { sentAtMs: clock.steadyMs(), writtenAtMs: clock.nowMs(), parkedBefore: parked.last };
      underWay.set(ref, { ...outgoing, ...at, link, sequence: 0 });
      return ref;
    },
    left: (ref, sequence) => {
      const flight = underWay.get(ref);
      if (flight) flight.sequence = sequence;
    },
    takeBack: (ref) => {
      underWay.delete(ref);
    },
    get: (ref) => underWay.get(ref) ?? null,
    end: (ref) => {
      const flight = underWay.get(ref);
      underWay.delete(ref);
      flight?.link.connection.release(ref);
      onFreed();
    },
    overdue: (ref) => {
      const flight = underWay.get(ref);
      if (flight) late.set(ref, flight);
      for (const oldest of late.keys()) {
        if (late.size <= REMEMBERED_LATE) break;
        late.delete(oldest);
      }
    },
    takeLate: (ref) => {
      const flight = late.get(ref) ?? null;
      late.delete(ref);
      return flight;
    },
  };
}

/** What left, as it is told of once it has ended. */
export function toSentSubmit(flight: InFlightSubmit, operator: string): SentSubmit & { readonly sentSegment: SentSegment } {
  const { attempt, submit, link, sequence, writtenAtMs, parkedBefore } = flight;
  const { id: messageId, msisdn } = attempt.candidate.message;
  const shape = toSubmitShape(submit.message);
  const sentSegment = {
    attempt: attempt.number,
    connection: link.number,
    sequence,
    writtenAtMs,
    parkedBefore,
    shape,
    account: smscAccount(link.config),
  };
  return { messageId, msisdn, parts: submit.parts, operator, sentSegment };
}
