/**
 * What comes of submits: the answer, a late one, none at all. A place in the window is free again only once that is
 * durable.
 */
import type { Attempt } from "../../dispatch/attempt.ts";
import type { SubmitResponse } from "../../smpp/link-events.ts";
import { answered, answeredLate } from "./answered.ts";
import { type Ending, type EndingDeps, endAttempt, endingOf } from "./ending.ts";
import type { LateAcceptances } from "./late-acceptances.ts";

export type FlightEnds = Pick<LateAcceptances, "covers"> & {
  /** The end of a submit that is accepted already, or was never written. Resolves once it is durable. */
  readonly skipped: (attempt: Attempt) => Promise<void>;
  readonly notWritten: (attempt: Attempt) => Promise<void>;
  /**
   * A submit of which nothing left, because it could not be put on the wire: the message is given up when it
   * `never` can be, and is tried again later else.
   */
  readonly faulted: (attempt: Attempt, never: boolean) => Promise<void>;
  /** The end of a submit that was written, or was about to be. Resolves once it is durable. */
  readonly unsent: (ref: number) => Promise<void>;
  readonly unanswered: (ref: number) => Promise<void>;
  /** Begun and ended as work of its own: an answer comes with every message. */
  readonly answered: (response: SubmitResponse) => void;
  readonly answeredLate: (response: SubmitResponse) => Promise<void>;
};

export function flightEnds(deps: EndingDeps): FlightEnds {
  const ending = endingOf(deps);
  const { flights, acceptances } = ending;
  return {
    covers: acceptances.covers,
    skipped: (attempt) => endAttempt(ending, attempt, { kind: "accepted" }),
    notWritten: (attempt) => endAttempt(ending, attempt, { kind: "not_written" }),
    faulted: (attempt, never) =>
      endAttempt(
        ending,
        attempt,
        never
          ? { kind: "refused", error: { code: "NOT_ENCODABLE", operatorCode: null } }
          : { kind: "retry", keepsPlace: false, operatorCode: null },
      ),
    unsent: (ref) => endFlight(ending, ref, "not_written"),
    unanswered: (ref) => {
      const flight = flights.get(ref);
      if (flight) flight.link.tally.unanswered += 1;
      flights.overdue(ref);
      return endFlight(ending, ref, "unanswered");
    },
    answered: (response) => answered(ending, response),
    answeredLate: (response) => answeredLate(ending, response),
  };
}

async function endFlight(ending: Ending, ref: number, kind: "not_written" | "unanswered"): Promise<void> {
  const flight = ending.flights.get(ref);
  if (!flight) return;
  try {
    await endAttempt(ending, flight.attempt, { kind }, kind === "unanswered" ? flight : null);
  } finally {
    ending.flights.end(ref);
  }
}
