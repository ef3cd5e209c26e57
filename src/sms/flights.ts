/**
 * The submits of one operator that are under way, and what comes of them: the answer, a late one, none at all. A
 * place in the window is free again only once that is durable.
 */
import { assert } from "../base/assert.ts";
import { type Clock, wait } from "../base/clock.ts";
import type { Config, ResponseAction } from "../config/config.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { QueuedBatch } from "../messages/queue.ts";
import { type Attempt, type AttemptEnd, endSubmission, type SubmissionEnd } from "../outbound/attempt.ts";
import { mayPass, type Recorder } from "../outbound/recorder.ts";
import type { SubmitResponse } from "../smpp/link-events.ts";
import { statusCode } from "../smpp/status.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { type AnswerMeaning, meaningOf } from "./answer.ts";
import { recordEnd, settleDoubt } from "./attempt-end.ts";
import type { Departure } from "./departures.ts";
import { lateAcceptances } from "./late-acceptances.ts";
import { dropFromOutbox, type Link, logAnswer, noteAnswer, type Outgoing } from "./link.ts";
import { recordAccepted, recordRefused, recordUnanswered } from "./outcome.ts";
import type { ParkedMark } from "./parked-receipts.ts";
import { applyParkedReceipts } from "./receipts.ts";
import { shapeOf } from "./submit-shape.ts";

export type Flights = {
  /** A number for a submit that is about to leave by a link. */
  readonly begin: (outgoing: Outgoing, link: Link) => number;
  /** It left, as this PDU of its connection. */
  readonly left: (ref: number, sequence: number) => void;
  /** It did not leave after all. */
  readonly takeBack: (ref: number) => void;
  /** All of a submission has been accepted meanwhile, by another submit. */
  readonly isAccepted: (outgoing: Outgoing) => boolean;
  /** The end of a submission that is accepted already, or was never written, or of a submit that was. Resolves once it is durable. */
  readonly skipped: (attempt: Attempt) => Promise<void>;
  readonly notWritten: (attempt: Attempt) => Promise<void>;
  /**
   * A submission of which nothing left, because it could not be put on the wire: the message is given up when it
   * `never` can be, and is tried again later else.
   */
  readonly faulted: (attempt: Attempt, never: boolean) => Promise<void>;
  readonly unsent: (ref: number) => Promise<void>;
  readonly unanswered: (ref: number) => Promise<void>;
  readonly answered: (response: SubmitResponse) => Promise<void>;
  readonly answeredLate: (response: SubmitResponse) => Promise<void>;
};

export type FlightDeps = {
  readonly operator: string;
  /** The operator sends receipts. */
  readonly receipts: boolean;
  readonly table: ReadonlyMap<number, ResponseAction>;
  readonly policy: Config["delivery"]["unanswered"];
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly parked: Readonly<ParkedMark>;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
  /** What came of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
  /** A place in a window is free. */
  readonly onFreed: () => void;
};

type Flight = Outgoing & {
  readonly link: Link;
  /** On the steady clock, and by the wall. */
  readonly sentAtMs: number;
  readonly writtenAtMs: number;
  /** The highest number of a parked receipt when it left. */
  readonly parkedBefore: number;
  sequence: number;
};

/** Late answers are told apart for this many submits after they timed out. */
const REMEMBERED_LATE = 10_000;
/** What could not be written is tried again after this. */
export const WRITE_AGAIN_MS = 1000;

export function flights(deps: FlightDeps): Flights {
  const { operator, receipts, policy, recorder, clock, isStopping } = deps;
  const inFlight = new Map<number, Flight>();
  const late = new Map<number, Flight>();
  const acceptances = lateAcceptances(deps.read);
  let nextRef = 1;

  /**
   * Writes down what the operator may have done, however long the database refuses: until then the place in the window
   * is taken, so that a full disk stops the sending and loses nothing.
   */
  async function recordForSure<T>(apply: (tx: Tx, session: FactSession) => T): Promise<T> {
    for (;;) {
      try {
        return await recorder.record(apply);
      } catch (error) {
        if (isStopping() || !mayPass(error)) throw error;
        await wait(clock, WRITE_AGAIN_MS);
      }
    }
  }

  function requeue(attempt: Attempt, dueMs: number | null): void {
    if (dueMs !== null && !isStopping()) deps.onRequeued(attempt.candidate.batch, dueMs);
  }

  async function end(
    attempt: Attempt,
    submissionEnd: SubmissionEnd,
    before: ((tx: Tx, session: FactSession) => void) | null = null,
  ): Promise<void> {
    const attemptEnd = endSubmission(attempt, submissionEnd);
    if (attemptEnd === null && before === null) return;
    try {
      const dueMs = await recordForSure((tx, session) => {
        before?.(tx, session);
        return attemptEnd ? recordEnd(tx, session, attempt, attemptEnd, policy, clock.nowMs()) : null;
      });
      requeue(attempt, dueMs);
    } finally {
      if (attemptEnd) deps.onEnded(attempt);
    }
  }

  /** An answer that could not be written down: the operator may have the submit, so it is in doubt like an unanswered one. */
  async function doubt(flight: Flight, isEnd: boolean): Promise<void> {
    const { attempt, link } = flight;
    link.tally.faults += 1;
    attempt.unanswered = true;
    const dueMs = await recordForSure((tx, session) => {
      recordUnanswered(tx, session, departed(flight), flight.writtenAtMs, clock.nowMs());
      return isEnd ? recordEnd(tx, session, attempt, { kind: "unanswered" }, policy, clock.nowMs()) : null;
    });
    requeue(attempt, dueMs);
  }

  function free(ref: number, { link }: Flight): void {
    inFlight.delete(ref);
    link.connection.release(ref);
    deps.onFreed();
  }

  async function endFlight(ref: number, kind: "not_written" | "unanswered"): Promise<void> {
    const flight = inFlight.get(ref);
    if (!flight) return;
    const noteDoubt = (tx: Tx, session: FactSession) =>
      recordUnanswered(tx, session, departed(flight), flight.writtenAtMs, clock.nowMs());
    try {
      await end(flight.attempt, { kind }, kind === "unanswered" ? noteDoubt : null);
    } finally {
      free(ref, flight);
    }
  }

  function meaning(status: number, { attempt }: Flight): AnswerMeaning {
    return meaningOf(status, attempt.candidate.message.operatorCode, deps.table);
  }

  function departed(flight: Flight) {
    const { id: messageId, msisdn } = flight.attempt.candidate.message;
    return { messageId, msisdn, parts: flight.submission.parts, operator, departure: departureOf(flight) };
  }

  /** What the operator said, for the message and its timeline; how the attempt ends is written beside it. */
  function recordAnswer(
    tx: Tx,
    session: FactSession,
    flight: Flight,
    means: AnswerMeaning,
    { status, messageId: smscId }: SubmitResponse,
    isLate: boolean,
  ): void {
    if (means.kind === "accepted") {
      recordAccepted(tx, session, { ...departed(flight), smscId: smscId ?? "", receipts, isLate });
      return;
    }
    const kind = means.kind === "refused" ? "refused" : "put_off";
    recordRefused(tx, departed(flight), { kind, commandStatus: status, isLate }, clock.nowMs());
  }

  /**
   * When the operator did not take a submit, a receipt that came meanwhile can't be about it. So parked receipts are
   * tried again. To be called once its message has gone on.
   */
  function tryParked(tx: Tx, session: FactSession, flight: Flight, means: AnswerMeaning): void {
    if (means.kind === "accepted" || deps.parked.last <= flight.parkedBefore) return;
    const { msisdn } = flight.attempt.candidate.message;
    applyParkedReceipts(tx, session, operator, { id: "", msisdn });
  }

  return {
    begin: (outgoing, link) => {
      const ref = nextRef++;
      const sentAtMs = clock.steadyMs();
      inFlight.set(ref, {
        ...outgoing,
        link,
        sentAtMs,
        writtenAtMs: clock.nowMs(),
        parkedBefore: deps.parked.last,
        sequence: 0,
      });
      return ref;
    },

    left: (ref, sequence) => {
      const flight = inFlight.get(ref);
      if (flight) flight.sequence = sequence;
    },

    takeBack: (ref) => {
      inFlight.delete(ref);
    },

    isAccepted: acceptances.covers,

    skipped: (attempt) => end(attempt, { kind: "accepted" }),

    notWritten: (attempt) => end(attempt, { kind: "not_written" }),

    faulted: (attempt, never) =>
      end(
        attempt,
        never
          ? { kind: "refused", error: { code: "NOT_ENCODABLE", operatorCode: null } }
          : { kind: "retry", keepsPlace: false, operatorCode: null },
      ),

    unsent: (ref) => endFlight(ref, "not_written"),

    unanswered: (ref) => {
      const flight = inFlight.get(ref);
      if (!flight) return Promise.resolve();
      flight.link.tally.unanswered += 1;
      late.set(ref, flight);
      for (const oldest of late.keys()) {
        if (late.size <= REMEMBERED_LATE) break;
        late.delete(oldest);
      }
      return endFlight(ref, "unanswered");
    },

    answered: async (response) => {
      const { ref, status } = response;
      const flight = inFlight.get(ref);
      assert(flight, `submit ${ref} is in flight`);
      const { link, attempt, sentAtMs } = flight;
      const means = meaning(status, flight);
      const { id: messageId } = attempt.candidate.message;
      noteAnswer(link, means, { messageId, sentAtMs, status }, clock.steadyMs());
      if (means.kind === "refused") dropFromOutbox(link, attempt);
      const attemptEnd = endSubmission(attempt, endOf(means, status));
      try {
        const dueMs = await recordForSure((tx, session) => {
          recordAnswer(tx, session, flight, means, response, false);
          if (!attemptEnd) return null;
          const againMs = recordEnd(tx, session, attempt, attemptEnd, policy, clock.nowMs());
          tryParked(tx, session, flight, means);
          return againMs;
        });
        requeue(attempt, dueMs);
      } catch (error) {
        if (isStopping()) throw error;
        await doubt(flight, attemptEnd !== null);
      } finally {
        if (attemptEnd) deps.onEnded(attempt);
        free(ref, flight);
      }
    },

    /** An answer after its time. An acceptance settles the message; another answer ends its own submit only. */
    answeredLate: async (response) => {
      const { ref, status } = response;
      const flight = late.get(ref);
      if (!flight) return;
      late.delete(ref);
      flight.link.tally.answeredLate += 1;
      const { attempt } = flight;
      const { id: messageId } = attempt.candidate.message;
      const means = meaning(status, flight);
      logAnswer(flight.link, means, status);
      const isKnown =
        means.kind === "accepted" ? acceptances.note(messageId, flight.submission.parts) : () => {};
      const dueMs = await recordForSure((tx, session) => {
        recordAnswer(tx, session, flight, means, response, true);
        const againMs = settleDoubt(tx, session, messageId, answerOf(means, status), clock.nowMs());
        tryParked(tx, session, flight, means);
        return againMs;
      }).finally(isKnown);
      requeue(attempt, dueMs);
    },
  };
}

function departureOf(flight: Flight): Departure {
  const { attempt, submission, link, sequence, writtenAtMs, parkedBefore } = flight;
  const shape = shapeOf(submission.message);
  return { attempt: attempt.number, connection: link.number, sequence, writtenAtMs, parkedBefore, shape };
}

function endOf(meaning: AnswerMeaning, status: number): SubmissionEnd {
  return answerOf(meaning, status) ?? { kind: "accepted" };
}

/** An answer that is no acceptance, as the message is told of it. */
function answerOf(
  meaning: AnswerMeaning,
  status: number,
): Extract<AttemptEnd, { kind: "refused" | "retry" }> | null {
  switch (meaning.kind) {
    case "accepted":
      return null;
    case "retry":
      return { kind: "retry", keepsPlace: meaning.keepsPlace, operatorCode: statusCode(status) };
    case "refused":
      return meaning;
  }
}
