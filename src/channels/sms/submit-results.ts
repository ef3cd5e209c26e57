/**
 * Writes down what comes of submits: a response, a late one, none at all, or a claim that a process left behind. A
 * place in the window is free again only once that is durable.
 */
import { type Config, type OperatorConfig, type ResponseAction, smscAccount } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { Histogram } from "../../core/metrics-registry.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type Attempt,
  CLAIM_END,
  endSubmit,
  type SubmitEnd,
  toUnansweredFact,
  toWaitFact,
} from "../../dispatch/attempt.ts";
import { expireUnanswered, type RecoverClaim } from "../../dispatch/leases.ts";
import { enterUntilDurable, type Recorder, recordWith } from "../../dispatch/recorder.ts";
import type { TaskTracker } from "../../dispatch/task-tracker.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { PartTrace } from "../../domain/messages/facts.ts";
import { familyOf } from "../../domain/messages/operator-codes.ts";
import { acceptedParts, type QueuedBatch } from "../../domain/messages/queue.ts";
import { moveNamedPart, recipientOf } from "../../domain/messages/segments.ts";
import type { SubmitResponse } from "../../smpp/connection.ts";
import {
  classifyResponse,
  endOf,
  type ResponseMeaning,
  recordAttemptEnd,
  settleUnknownOutcome,
} from "./attempt-result.ts";
import { applyUnmatchedReceipts } from "./delivery-receipts.ts";
import {
  dropFromSendQueue,
  logResponse,
  type OperatorSession,
  type PendingSubmit,
  recordResponse,
} from "./operator-session.ts";
import { canonicalId, numberKey } from "./receipt-keys.ts";
import {
  deleteOldUnknownOutcomes,
  recordUnaccepted,
  reopenUnknownOutcome,
  resolveByResponse,
  type SentSegment,
  toPartTrace,
  toPduParameters,
} from "./sent-segments.ts";
import { adjacent, isPayloadClaim } from "./submit-sm.ts";
import {
  dropOldUnmatchedReceipts,
  hasUnmatchedReceipts,
  UNMATCHED_KEPT_MS,
  type UnmatchedWatermark,
} from "./unmatched-receipts.ts";

export type SubmitResults = Pick<LateAcceptances, "covers"> & {
  /** The end of a submit that is accepted already, or was never written. Resolves once it is durable. */
  readonly skipped: (attempt: Attempt) => Promise<void>;
  readonly notWritten: (attempt: Attempt) => Promise<void>;
  /**
   * The end of a submit that could not be put on the wire, so that nothing of it left: the message fails when it `never`
   * can be, and is tried again later else.
   */
  readonly faulted: (attempt: Attempt, never: boolean) => Promise<void>;
  /** The end of an in-flight submit: it was not written after all, or no response came. Resolves once it is durable. */
  readonly unsent: (ref: number) => Promise<void>;
  readonly unanswered: (ref: number) => Promise<void>;
  /** Runs as a task of its own, since a response comes with every message. */
  readonly answered: (response: SubmitResponse) => void;
  readonly answeredLate: (response: SubmitResponse) => Promise<void>;
};

export function submitResults(deps: SubmitResultDeps): SubmitResults {
  const ending = submitResultContext(deps);
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
    unsent: (ref) => endInFlightSubmit(ending, ref, "not_written"),
    unanswered: (ref) => {
      const flight = flights.get(ref);
      if (flight) flight.link.tally.unanswered += 1;
      flights.overdue(ref);
      return endInFlightSubmit(ending, ref, "unanswered");
    },
    answered: (response) => answered(ending, response),
    answeredLate: (response) => answeredLate(ending, response),
  };
}

async function endInFlightSubmit(
  ending: SubmitResultContext,
  ref: number,
  kind: "not_written" | "unanswered",
): Promise<void> {
  const flight = ending.flights.get(ref);
  if (!flight) return;
  try {
    await endAttempt(ending, flight.attempt, { kind }, kind === "unanswered" ? flight : null);
  } finally {
    ending.flights.end(ref);
  }
}

// Handles what an operator answered to a submit, in time or late.

/** A response in time. Its submit is in flight until what it says is durable. */
function answered(ending: SubmitResultContext, response: SubmitResponse): void {
  const { policy, clock, flights, work, submitSeconds } = ending;
  const { ref, status } = response;
  const flight = flights.get(ref);
  assert(flight, `submit ${ref} is in flight`);
  const { link, attempt, sentAtMs } = flight;
  const means = meaning(ending, flight, status);
  const { id: messageId } = attempt.candidate.message;
  const nowMs = clock.steadyMs();
  submitSeconds.observe((nowMs - sentAtMs) / 1000);
  recordResponse(link, means, { messageId, sentAtMs, status }, nowMs, clock.nowMs());
  if (means.kind === "refused") dropFromSendQueue(link, attempt);
  const attemptEnd = endSubmit(attempt, endOf(means, status));
  const part = firstPart(flight);
  const apply = (tx: Tx, session: FactSession): number | null => {
    writeAnswer(ending, tx, session, flight, { means, response, isLate: false });
    if (!attemptEnd) return null;
    const againMs = recordAttemptEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs());
    retryUnmatched(ending, tx, session, flight, means);
    return againMs;
  };
  attempt.unwritten.add(part);
  work.begun();
  ending.enter(apply, (outcome) => {
    work.ended();
    if (outcome.status === "rejected") {
      const lost = { isTaken: means.kind === "accepted", isEnd: attemptEnd !== null, error: outcome.reason };
      work.own(recordLostResponse(ending, flight, lost).finally(() => flights.end(ref)));
      return;
    }
    try {
      written(ending, attempt, part);
      requeue(ending, attempt, outcome.value);
    } finally {
      flights.end(ref);
    }
  });
}

/**
 * Ends a submit whose response could not be written down: the operator may have it, so its outcome is unknown as without a
 * response. What is known to be taken is not sent again for that. At a stop it is left as it is.
 */
async function recordLostResponse(
  ending: SubmitResultContext,
  flight: InFlightSubmit,
  lost: { readonly isTaken: boolean; readonly isEnd: boolean; readonly error: unknown },
): Promise<void> {
  const { policy, clock, isStopping } = ending;
  const { attempt, link } = flight;
  const dueMs = await untilWritten(ending, attempt, firstPart(flight), () => {
    if (isStopping()) return Promise.reject(lost.error);
    link.tally.faults += 1;
    attempt.unanswered = true;
    attempt.taken ||= lost.isTaken;
    return ending.record((tx, session) => {
      recordUnknownOutcome(ending, tx, session, flight);
      return lost.isEnd
        ? recordAttemptEnd(tx, session, attempt, { kind: "unanswered" }, policy(), clock.nowMs())
        : null;
    });
  });
  requeue(ending, attempt, dueMs);
}

/** A response after its time. An acceptance settles the message; another response ends its own submit only. */
async function answeredLate(ending: SubmitResultContext, response: SubmitResponse): Promise<void> {
  const { ref, status } = response;
  const flight = ending.flights.takeLate(ref);
  if (!flight) return;
  flight.link.tally.answeredLate += 1;
  const { attempt, submit, link } = flight;
  const { id: messageId } = attempt.candidate.message;
  const means = meaning(ending, flight, status);
  logResponse(link, means, status);
  const isAccepted = means.kind === "accepted";
  const isKnown = isAccepted ? ending.acceptances.note(messageId, submit.parts) : () => {};
  const said = endOf(means, status);
  const dueMs = await ending
    .record((tx, session) => {
      writeAnswer(ending, tx, session, flight, { means, response, isLate: true });
      const word = said.kind === "accepted" ? null : said;
      const againMs = settleUnknownOutcome(tx, session, messageId, word, ending.clock.nowMs());
      retryUnmatched(ending, tx, session, flight, means);
      return againMs;
    })
    .finally(isKnown);
  requeue(ending, attempt, dueMs);
}

function meaning(
  { table }: SubmitResultContext,
  { attempt }: InFlightSubmit,
  status: number,
): ResponseMeaning {
  return classifyResponse(status, attempt.candidate.message.operatorCode, table());
}

type Answer = {
  readonly means: ResponseMeaning;
  readonly response: SubmitResponse;
  readonly isLate: boolean;
};

/** Writes what the operator said, for the message and its timeline; how the attempt ends is written beside it. */
function writeAnswer(
  { code, operator, clock }: SubmitResultContext,
  tx: Tx,
  session: FactSession,
  flight: InFlightSubmit,
  { means, response, isLate }: Answer,
): void {
  const { status, messageId: remoteId } = response;
  const { receipts } = operator();
  const left = toSentSubmit(flight, code);
  if (means.kind === "accepted") {
    recordAccepted(tx, session, { ...left, remoteId: remoteId ?? "", receipts, isLate });
    return;
  }
  const kind = means.kind === "refused" ? "refused" : "put_off";
  recordRefused(tx, left, { kind, commandStatus: status, isLate }, clock.nowMs());
}

/**
 * Tries unmatched receipts again: the operator did not take a submit, so none that came meanwhile is about that one.
 * To be called once its message has gone on.
 */
function retryUnmatched(
  { unmatched, code }: SubmitResultContext,
  tx: Tx,
  session: FactSession,
  flight: InFlightSubmit,
  means: ResponseMeaning,
): void {
  if (means.kind === "accepted" || unmatched.last <= flight.unmatchedBefore) return;
  const { msisdn } = flight.attempt.candidate.message;
  applyUnmatchedReceipts(tx, session, code, { id: "", msisdn });
}

// What every end of a submit has in common: it is written down for sure, and its message may be queued again.

type SubmitResultDeps = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "receipts">;
  readonly table: () => ReadonlyMap<number, ResponseAction>;
  readonly policy: () => Config["delivery"]["unanswered"];
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly work: TaskTracker;
  readonly flights: InFlightSubmits;
  readonly unmatched: Readonly<UnmatchedWatermark>;
  readonly clock: Clock;
  /** Seconds from a submit to its response. */
  readonly submitSeconds: Histogram;
  readonly isStopping: () => boolean;
  /** The end of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
};

type SubmitResultContext = SubmitResultDeps & {
  /** Writes whatever the disk does: see `enterUntilDurable`. */
  readonly enter: Recorder["enter"];
  readonly record: Recorder["record"];
  readonly acceptances: LateAcceptances;
};

function submitResultContext(deps: SubmitResultDeps): SubmitResultContext {
  const { recorder, clock, isStopping, read } = deps;
  const enter = enterUntilDurable(recorder, clock, isStopping);
  return {
    ...deps,
    enter,
    record: recordWith(enter),
    acceptances: lateAcceptances(read),
  };
}

/** Notes the end of one submit, writes down that its outcome is unknown, if it is, and the attempt's end if it was the last. */
async function endAttempt(
  ending: SubmitResultContext,
  attempt: Attempt,
  submitEnd: SubmitEnd,
  doubt: InFlightSubmit | null = null,
): Promise<void> {
  const { policy, clock } = ending;
  const attemptEnd = endSubmit(attempt, submitEnd);
  if (attemptEnd === null && doubt === null) return;
  const dueMs = await untilWritten(ending, attempt, doubt ? firstPart(doubt) : CLAIM_END, () =>
    ending.record((tx, session) => {
      if (doubt) recordUnknownOutcome(ending, tx, session, doubt);
      return attemptEnd ? recordAttemptEnd(tx, session, attempt, attemptEnd, policy(), clock.nowMs()) : null;
    }),
  );
  requeue(ending, attempt, dueMs);
}

/**
 * Runs `write` until the end of the submit with this first segment is written. The lease of the message lasts until all that is to be
 * written of its claim is, or cannot be: then nobody looks after it (docs/behaviour.md#nobody-holds-it).
 */
async function untilWritten<T>(
  ending: SubmitResultContext,
  attempt: Attempt,
  part: number,
  write: () => Promise<T>,
): Promise<T> {
  attempt.unwritten.add(part);
  try {
    return await write();
  } catch (error) {
    attempt.lost = true;
    throw error;
  } finally {
    written(ending, attempt, part);
  }
}

/** The end of the submit with this first segment, which was among the `unwritten`, is written, or cannot be. */
function written({ onEnded }: SubmitResultContext, attempt: Attempt, part: number): void {
  attempt.unwritten.delete(part);
  if (attempt.open === 0 && attempt.unwritten.size === 0) onEnded(attempt);
}

/** Has the batch looked at again when its message is due, if that is queued. */
function requeue(
  { isStopping, onRequeued }: SubmitResultContext,
  attempt: Attempt,
  dueMs: number | null,
): void {
  if (dueMs !== null && !isStopping()) onRequeued(attempt.candidate.batch, dueMs);
}

/** Writes that a submit was not answered, or that its response is lost: the operator may have it. */
function recordUnknownOutcome(
  { code, clock }: SubmitResultContext,
  tx: Tx,
  session: FactSession,
  flight: InFlightSubmit,
): void {
  recordUnanswered(tx, session, toSentSubmit(flight, code), flight.writtenAtMs, clock.nowMs());
}

/** The first segment that an in-flight submit carries. */
function firstPart({ submit }: InFlightSubmit): number {
  return submit.parts[0] ?? 1;
}

// The in-flight submits of one operator, and those whose response did not come in time.

/** A submit that left by a session, or is about to. */
type InFlightSubmit = PendingSubmit & {
  readonly link: OperatorSession;
  /** On the steady clock, and by the wall. */
  readonly sentAtMs: number;
  readonly writtenAtMs: number;
  /** The highest number of an unmatched receipt when it left. */
  readonly unmatchedBefore: number;
  sequence: number;
};

export type InFlightSubmits = {
  /** Returns a number for a submit that is about to leave by a session. */
  readonly begin: (outgoing: PendingSubmit, link: OperatorSession) => number;
  /** It left, as this PDU of its connection. */
  readonly left: (ref: number, sequence: number) => void;
  /** It did not leave after all. */
  readonly takeBack: (ref: number) => void;
  readonly get: (ref: number) => InFlightSubmit | null;
  /** What came of it is durable: its place in the window is free. */
  readonly end: (ref: number) => void;
  /** Its response did not come in time: it is remembered in case the response comes late. */
  readonly overdue: (ref: number) => void;
  /** The submit that a late response is about, once. */
  readonly takeLate: (ref: number) => InFlightSubmit | null;
};

/** Late responses are recognised for this many submits after they timed out. */
const REMEMBERED_LATE = 10_000;

/** `onFreed` is called when a place in a window is free. */
export function flights(
  clock: Clock,
  unmatched: Readonly<UnmatchedWatermark>,
  onFreed: () => void,
): InFlightSubmits {
  const underWay = new Map<number, InFlightSubmit>();
  const late = new Map<number, InFlightSubmit>();
  let nextRef = 1;
  return {
    begin: (outgoing, link) => {
      const ref = nextRef++;
      const at = { sentAtMs: clock.steadyMs(), writtenAtMs: clock.nowMs(), unmatchedBefore: unmatched.last };
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

/** The submit as it is written down once it has ended. */
function toSentSubmit(
  flight: InFlightSubmit,
  operator: string,
): SentSubmit & { readonly sentSegment: SentSegment } {
  const { attempt, submit, link, sequence, writtenAtMs, unmatchedBefore } = flight;
  const { id: messageId, msisdn } = attempt.candidate.message;
  const pduParameters = toPduParameters(submit.message);
  const sentSegment = {
    attempt: attempt.number,
    connection: link.number,
    sequence,
    writtenAtMs,
    unmatchedBefore,
    pduParameters,
    account: smscAccount(link.config),
  };
  return { messageId, msisdn, parts: submit.parts, operator, sentSegment };
}

// What became of a resend's message while it was about to leave: the response to an earlier submit, or a receipt, may have
// shown that the operator has it. A long message's resend may wait part by part while a degraded session takes one
// submit at a time, which is just when late responses come.

type LateAcceptances = {
  /** Counts segments as accepted late, until the function it returns is called, once that is durable. */
  readonly note: (messageId: number, parts: readonly number[]) => () => void;
  /** Whether all that a submit carries has been accepted, by another submit. Reads the database for resends only. */
  readonly covers: (outgoing: PendingSubmit) => boolean;
};

export function lateAcceptances(read: Reader): LateAcceptances {
  const noted = new Map<number, Set<readonly number[]>>();
  const partsNow = (messageId: number): Set<number> => {
    try {
      return acceptedParts(read, messageId);
    } catch {
      // It was claimed and is to leave: a failed read is no reason against it, and must not leave it behind.
      return new Set();
    }
  };
  return {
    note: (messageId, parts) => {
      const all = noted.get(messageId) ?? new Set();
      noted.set(messageId, all.add(parts));
      return () => {
        all.delete(parts);
        if (all.size === 0) noted.delete(messageId);
      };
    },
    covers: ({ attempt, submit }) => {
      const { id, resends } = attempt.candidate.message;
      if (resends === 0) return false;
      const known = partsNow(id);
      for (const parts of noted.get(id) ?? []) for (const part of parts) known.add(part);
      return submit.parts.every((part) => known.has(part));
    },
  };
}

/** Segments that were accepted under an id: one, or all of a message in one submit. */
type AcceptedSegments = {
  readonly messageId: number;
  readonly parts: readonly number[];
  readonly operator: string;
  /** As received; empty where the operator gave none. */
  readonly remoteId: string;
  /** The operator sends receipts. */
  readonly receipts: boolean;
  /** How it left. */
  readonly sentSegment?: SentSegment;
  /** The response came after its time. */
  readonly isLate?: boolean;
};

/** Writes down that an operator accepted segments, and applies receipts that came before this response. */
export function recordAccepted(tx: Tx, session: FactSession, accepted: AcceptedSegments): void {
  const { messageId, operator, remoteId, sentSegment } = accepted;
  const left = sentSegment && { trace: toPartTrace(tx, sentSegment) };
  for (const part of accepted.parts) {
    if (accepted.isLate) returnMessageId(tx, accepted, part, left?.trace ?? null);
    session.apply({
      kind: "part_accepted",
      messageId,
      part,
      operator,
      remoteId,
      remoteKey: canonicalId(remoteId),
      final: !accepted.receipts,
      ...left,
    });
  }
  if (accepted.isLate && sentSegment) {
    resolveByResponse(tx, messageId, accepted.parts[0] ?? 1, sentSegment.attempt);
  }
  if (hasUnmatchedReceipts(tx, familyOf(tx, operator))) {
    applyUnmatchedReceipts(tx, session, operator, { id: remoteId, msisdn: recipientOf(tx, messageId) });
  }
}

/**
 * Returns an id to the segment it is of: a receipt had brought it before its response, and it was taken for the id of another
 * segment of unknown outcome. The outcome of that one is unknown again.
 */
function returnMessageId(
  tx: Tx,
  { messageId, remoteId }: AcceptedSegments,
  part: number,
  trace: PartTrace | null,
): void {
  if (remoteId === "") return;
  const other = moveNamedPart(tx, messageId, part, canonicalId(remoteId), trace);
  if (other === null) return;
  const msisdn = recipientOf(tx, messageId);
  reopenUnknownOutcome(tx, messageId, other, numberKey(msisdn) ?? msisdn);
}

/** A submit_sm that left, and what it carried. */
type SentSubmit = {
  readonly messageId: number;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly parts: readonly number[];
  readonly operator: string;
  /** Null where it is not known, as after a crash. */
  readonly sentSegment: SentSegment | null;
  /** Where `sentSegment` is not known: the highest number that an unmatched receipt had before it left, if that is known. */
  readonly unmatchedBefore?: number | null;
};

/** Writes down a response that was no acceptance, in time or late, for the message's timeline. */
export function recordRefused(
  tx: Tx,
  departed: SentSubmit,
  answer: { readonly kind: "refused" | "put_off"; readonly commandStatus: number; readonly isLate: boolean },
  nowMs: number,
): void {
  const { messageId, sentSegment } = departed;
  const { firstPart, lastPart } = ends(departed.parts);
  const { kind, commandStatus } = answer;
  if (answer.isLate && sentSegment) resolveByResponse(tx, messageId, firstPart, sentSegment.attempt);
  const carried = { messageId, firstPart, lastPart, operator: departed.operator };
  recordUnaccepted(tx, { ...carried, sentSegment, end: { kind, commandStatus } }, nowMs);
}

/**
 * Writes down that a submit which left at `writtenAtMs` or later was not answered: the operator may have it. A receipt that
 * came already and can be about no other message settles it, before it is decided whether it is sent again.
 */
export function recordUnanswered(
  tx: Tx,
  session: FactSession,
  { messageId, msisdn, parts, operator, sentSegment, unmatchedBefore = null }: SentSubmit,
  writtenAtMs: number,
  nowMs: number,
): void {
  // A few countries' numbers have fewer than eight digits: their outcomes are stored, and no receipt is matched with them.
  const doubtKey = numberKey(msisdn) ?? msisdn;
  const end = { kind: "unanswered", writtenAtMs, doubtKey, unmatchedBefore } as const;
  recordUnaccepted(tx, { messageId, ...ends(parts), operator, sentSegment, end }, nowMs);
  applyUnmatchedReceipts(tx, session, operator, { id: "", msisdn });
}

function ends(parts: readonly number[]): { readonly firstPart: number; readonly lastPart: number } {
  return { firstPart: parts[0] ?? 1, lastPart: parts.at(-1) ?? 1 };
}

// Recovers claims that have no lease, and lets old unknown outcomes and old unmatched receipts expire.

/**
 * Recovers a claimed message without a lease. Each segment that was not accepted may be with the operator: its outcome is
 * unknown. Those that were to leave in one submit share one outcome, since one receipt is about all of them. The message goes
 * on as its class says, but what the operator is known to have taken is not sent again.
 */
export function recoverClaim(settings: Pick<Settings, "now">): RecoverClaim {
  return (tx, session, message, nowMs) => {
    const { messageId, attempts: attempt, segments, isTaken } = message;
    const accepted = acceptedParts(tx, messageId);
    const missing = Array.from({ length: segments }, (_, index) => index + 1).filter(
      (part) => !accepted.has(part),
    );
    const isWhole = segments > 1 && isPayloadClaim(tx, { messageId, attempt });
    for (const parts of isWhole ? adjacent(missing) : missing.map((part) => [part]))
      recordUnanswered(tx, session, { ...message, parts, sentSegment: null }, message.claimedAt, nowMs);
    const policy = settings.now().delivery.unanswered;
    session.apply(isTaken ? toWaitFact(messageId, policy, nowMs) : toUnansweredFact(message, policy, nowMs));
  };
}

/** Unknown outcomes deleted in one transaction. */
const STEP = 250;

/**
 * One round: gives up waiting for unanswered submits whose time is over, and deletes old unmatched receipts and unknown
 * outcomes that no receipt can settle any more. True when there may be more to do.
 */
export function expireUnknownOutcomes(store: Store, config: Config, nowMs: number): Promise<boolean> {
  return store.write((tx) => {
    const { wait_hours } = config.delivery.unanswered;
    const given = expireUnanswered(tx, nowMs);
    const dropped =
      dropOldUnmatchedReceipts(tx, nowMs) +
      deleteOldUnknownOutcomes(tx, nowMs - wait_hours * 3_600_000 - UNMATCHED_KEPT_MS, STEP);
    return given + dropped > 0;
  });
}
