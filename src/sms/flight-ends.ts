/**
 * What comes of submits: the answer, a late one, none at all. A place in the window is free again only once that is
 * durable.
 */
import { assert } from "../base/assert.ts";
import type { Clock } from "../base/clock.ts";
import type { Config, OperatorConfig, ResponseAction } from "../config/config.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { QueuedBatch } from "../messages/queue.ts";
import { type Attempt, endSubmit, type SubmitEnd } from "../outbound/attempt.ts";
import { type Recorder, recordForSure } from "../outbound/recorder.ts";
import type { SubmitResponse } from "../smpp/link-events.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { type AnswerMeaning, endOf, meaningOf } from "./answer.ts";
import { recordEnd, settleDoubt } from "./attempt-end.ts";
import { departed, type Flight, type Flights } from "./flights.ts";
import { type LateAcceptances, lateAcceptances } from "./late-acceptances.ts";
import { dropFromOutbox, logAnswer, noteAnswer } from "./link.ts";
import { recordAccepted, recordRefused, recordUnanswered } from "./outcome.ts";
import type { ParkedMark } from "./parked-receipts.ts";
import { applyParkedReceipts } from "./receipts.ts";

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
  readonly answered: (response: SubmitResponse) => Promise<void>;
  readonly answeredLate: (response: SubmitResponse) => Promise<void>;
};

export type FlightEndsDeps = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "receipts">;
  readonly table: () => ReadonlyMap<number, ResponseAction>;
  readonly policy: () => Config["delivery"]["unanswered"];
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly flights: Flights;
  readonly parked: Readonly<ParkedMark>;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
  /** What came of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
};

type Ending = FlightEndsDeps & {
  readonly record: Recorder["record"];
  readonly acceptances: LateAcceptances;
};

export function flightEnds(deps: FlightEndsDeps): FlightEnds {
  const { recorder, clock, isStopping, flights } = deps;
  const acceptances = lateAcceptances(deps.read);
  const ending = { ...deps, record: recordForSure(recorder, clock, isStopping), acceptances };
  return {
    covers: acceptances.covers,
    skipped: (attempt) => end(ending, attempt, { kind: "accepted" }),
    notWritten: (attempt) => end(ending, attempt, { kind: "not_written" }),
    faulted: (attempt, never) =>
      end(
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

/** Notes the end of one submit, with what is to be written before, and writes down the attempt's if it was the last. */
async function end(
  ending: Ending,
  attempt: Attempt,
  submitEnd: SubmitEnd,
  before: ((tx: Tx, session: FactSession) => void) | null = null,
): Promise<void> {
  const { policy, clock } = ending;
  const attemptEnd = endSubmit(attempt, submitEnd);
  if (attemptEnd === null && before === null) return;
  try {
    const dueMs = await ending.record((tx, session) => {
      before?.(tx, session);
      return attemptEnd ? recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs()) : null;
    });
    requeue(ending, attempt, dueMs);
  } finally {
    if (attemptEnd) ending.onEnded(attempt);
  }
}

function requeue({ isStopping, onRequeued }: Ending, attempt: Attempt, dueMs: number | null): void {
  if (dueMs !== null && !isStopping()) onRequeued(attempt.candidate.batch, dueMs);
}

async function endFlight(ending: Ending, ref: number, kind: "not_written" | "unanswered"): Promise<void> {
  const flight = ending.flights.get(ref);
  if (!flight) return;
  const noteDoubt = (tx: Tx, session: FactSession) => doubt(ending, tx, session, flight);
  try {
    await end(ending, flight.attempt, { kind }, kind === "unanswered" ? noteDoubt : null);
  } finally {
    ending.flights.end(ref);
  }
}

function doubt({ code, clock }: Ending, tx: Tx, session: FactSession, flight: Flight): void {
  recordUnanswered(tx, session, departed(flight, code), flight.writtenAtMs, clock.nowMs());
}

async function answered(ending: Ending, response: SubmitResponse): Promise<void> {
  const { policy, clock } = ending;
  const { ref, status } = response;
  const flight = ending.flights.get(ref);
  assert(flight, `submit ${ref} is in flight`);
  const { link, attempt, sentAtMs } = flight;
  const means = meaning(ending, flight, status);
  const { id: messageId } = attempt.candidate.message;
  noteAnswer(link, means, { messageId, sentAtMs, status }, clock.steadyMs());
  if (means.kind === "refused") dropFromOutbox(link, attempt);
  const attemptEnd = endSubmit(attempt, endOf(means, status));
  try {
    const dueMs = await ending.record((tx, session) => {
      writeAnswer(ending, tx, session, flight, { means, response, isLate: false });
      if (!attemptEnd) return null;
      const againMs = recordEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs());
      tryParked(ending, tx, session, flight, means);
      return againMs;
    });
    requeue(ending, attempt, dueMs);
  } catch (error) {
    if (ending.isStopping()) throw error;
    await doubtAnswer(ending, flight, attemptEnd !== null);
  } finally {
    if (attemptEnd) ending.onEnded(attempt);
    ending.flights.end(ref);
  }
}

/** An answer that could not be written down: the operator may have the submit, so it is in doubt like an unanswered one. */
async function doubtAnswer(ending: Ending, flight: Flight, isEnd: boolean): Promise<void> {
  const { policy, clock } = ending;
  const { attempt, link } = flight;
  link.tally.faults += 1;
  attempt.unanswered = true;
  const dueMs = await ending.record((tx, session) => {
    doubt(ending, tx, session, flight);
    return isEnd ? recordEnd(tx, session, attempt, { kind: "unanswered" }, policy(), clock.nowMs()) : null;
  });
  requeue(ending, attempt, dueMs);
}

/** An answer after its time. An acceptance settles the message; another answer ends its own submit only. */
async function answeredLate(ending: Ending, response: SubmitResponse): Promise<void> {
  const { ref, status } = response;
  const flight = ending.flights.takeLate(ref);
  if (!flight) return;
  flight.link.tally.answeredLate += 1;
  const { attempt, submit, link } = flight;
  const { id: messageId } = attempt.candidate.message;
  const means = meaning(ending, flight, status);
  logAnswer(link, means, status);
  const isAccepted = means.kind === "accepted";
  const isKnown = isAccepted ? ending.acceptances.note(messageId, submit.parts) : () => {};
  const said = endOf(means, status);
  const dueMs = await ending
    .record((tx, session) => {
      writeAnswer(ending, tx, session, flight, { means, response, isLate: true });
      const word = said.kind === "accepted" ? null : said;
      const againMs = settleDoubt(tx, session, messageId, word, ending.clock.nowMs());
      tryParked(ending, tx, session, flight, means);
      return againMs;
    })
    .finally(isKnown);
  requeue(ending, attempt, dueMs);
}

function meaning({ table }: Ending, { attempt }: Flight, status: number): AnswerMeaning {
  return meaningOf(status, attempt.candidate.message.operatorCode, table());
}

type Answer = {
  readonly means: AnswerMeaning;
  readonly response: SubmitResponse;
  readonly isLate: boolean;
};

/** What the operator said, for the message and its timeline; how the attempt ends is written beside it. */
function writeAnswer(
  { code, operator, clock }: Ending,
  tx: Tx,
  session: FactSession,
  flight: Flight,
  { means, response, isLate }: Answer,
): void {
  const { status, messageId: remoteId } = response;
  const { receipts } = operator();
  const left = departed(flight, code);
  if (means.kind === "accepted") {
    recordAccepted(tx, session, { ...left, remoteId: remoteId ?? "", receipts, isLate });
    return;
  }
  const kind = means.kind === "refused" ? "refused" : "put_off";
  recordRefused(tx, left, { kind, commandStatus: status, isLate }, clock.nowMs());
}

/**
 * When the operator did not take a submit, a receipt that came meanwhile can't be about it. So parked receipts are
 * tried again. To be called once its message has gone on.
 */
function tryParked(
  { parked, code }: Ending,
  tx: Tx,
  session: FactSession,
  flight: Flight,
  means: AnswerMeaning,
): void {
  if (means.kind === "accepted" || parked.last <= flight.parkedBefore) return;
  const { msisdn } = flight.attempt.candidate.message;
  applyParkedReceipts(tx, session, code, { id: "", msisdn });
}
