/**
 * Writes down what comes of submits: a response, a late one, none at all (`SubmitResults`, with the submits in flight,
 * `InFlightSubmits`), or a claim that a process left behind (`recoverClaim`). A place in the window is free again only once that is
 * durable. How the attempt of a message goes on is decided in `attempt-result.ts`.
 */
import {
  bringsReceipts,
  type Config,
  type OperatorConfig,
  type ResponseAction,
  smscAccount,
} from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { assert } from "../../core/assert.ts";
import { toLocalDate } from "../../core/calendar.ts";
import type { Clock } from "../../core/clock.ts";
import type { Histogram } from "../../core/metrics-registry.ts";
import { getOwn } from "../../core/own-value.ts";
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
import type { TaskTracker } from "../../dispatch/worker.ts";
import { type Applied, type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import type { PartTrace } from "../../domain/messages/facts.ts";
import { operatorFamily } from "../../domain/messages/operator-codes.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
import { listBegunSeconds } from "../../domain/messages/second-sms.ts";
import {
  moveIdentifiedPart,
  readAnsweredPart,
  readPartsWith,
  readRecipient,
} from "../../domain/messages/segments.ts";
import type { SubmitResponse } from "../../smpp/connection.ts";
import {
  type AttemptRules,
  classifyResponse,
  endOf,
  type OnAccepted,
  type Requeued,
  type ResponseMeaning,
  recordAttemptEnd,
  recordSecondOver,
  settleUnknownOutcome,
} from "./attempt-result.ts";
import { applyUnmatchedReceipts } from "./delivery-receipts.ts";
import type { OperatorRoutes } from "./operator-routes.ts";
import type { OperatorSession, PendingSubmit, SubmitEvents } from "./operator-session.ts";
import { isWithPartner, movePost } from "./partner-posts.ts";
import { canonicalId, keyOfAccount, numberKey } from "./receipt-keys.ts";
import { bookResponse, type RouteCosts, type SegmentCost } from "./route-costs.ts";
import { type Rerouting, toRoutedAttempt } from "./route-marks.ts";
import {
  deleteOldUnknownOutcomes,
  POST_PARAMETERS,
  readSentWay,
  recordUnaccepted,
  reopenUnknownOutcome,
  resolveByPartner,
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

type SubmitResultDeps = {
  readonly code: string;
  readonly operator: () => Pick<OperatorConfig, "receipts" | "routes">;
  /** What the operator's own table sets, by route. */
  readonly table: (route: string) => ReadonlyMap<number, ResponseAction>;
  readonly routes: OperatorRoutes;
  readonly costs: RouteCosts;
  readonly policy: () => Config["delivery"]["unanswered"];
  readonly read: Reader;
  readonly recorder: Recorder;
  readonly work: TaskTracker;
  readonly inFlight: InFlightSubmits;
  readonly unmatched: Readonly<UnmatchedWatermark>;
  readonly clock: Clock;
  /** Seconds from a submit to its response. */
  readonly submitSeconds: Histogram;
  readonly isStopping: () => boolean;
  /** The end of an attempt is durable, or could not be written for a reason that will not pass. */
  readonly onEnded: (attempt: Attempt) => void;
  /** Messages of the batch are queued again, and due then. */
  readonly onRequeued: (batch: QueuedBatch, dueMs: number) => void;
  readonly rerouting: Rerouting;
  readonly onAccepted: OnAccepted;
};

/** What an operator said of a submit. */
type Answer = {
  readonly means: ResponseMeaning;
  readonly response: SubmitResponse;
  readonly isLate: boolean;
};

/** The results of the submits of one operator: writes down each, ends its attempt with the last of it, and frees its slot. */
export class SubmitResults {
  /** Writes whatever the disk does: see `enterUntilDurable`. */
  private readonly enter: Recorder["enter"];
  private readonly record: Recorder["record"];
  private readonly acceptances: LateAcceptances;

  constructor(private readonly deps: SubmitResultDeps) {
    const { recorder, clock, isStopping, read } = deps;
    this.enter = enterUntilDurable(recorder, clock, isStopping);
    this.record = recordWith(this.enter);
    this.acceptances = new LateAcceptances(read);
  }

  /** Whether all that a submit carries has been accepted, by another submit. Reads the database for resends only. */
  covers(outgoing: PendingSubmit): boolean {
    return this.acceptances.covers(outgoing);
  }

  /** The end of a submit that is accepted already, or was never written. Resolves once it is durable. */
  skipped(attempt: Attempt): Promise<void> {
    return this.endAttempt(attempt, { kind: "accepted" });
  }

  notWritten(attempt: Attempt): Promise<void> {
    return this.endAttempt(attempt, { kind: "not_written" });
  }

  /**
   * The end of a submit that could not be put on the wire, so that nothing of it left: the message fails when it `never`
   * can be, and is tried again later else.
   */
  faulted(attempt: Attempt, never: boolean): Promise<void> {
    return this.endAttempt(
      attempt,
      never
        ? { kind: "refused", error: { code: "NOT_ENCODABLE", operatorCode: null } }
        : { kind: "retry", keepsPlace: false, operatorCode: null },
    );
  }

  /** The end of an in-flight submit: it was not written after all. Resolves once it is durable. */
  unsent(ref: number): Promise<void> {
    return this.endInFlight(ref, "not_written");
  }

  /** The end of an in-flight submit: no response came. Resolves once it is durable. */
  unanswered(ref: number): Promise<void> {
    const { inFlight } = this.deps;
    const submitted = inFlight.get(ref);
    if (submitted) submitted.session.tally.unanswered += 1;
    inFlight.overdue(ref);
    return this.endInFlight(ref, "unanswered");
  }

  private async endInFlight(ref: number, kind: "not_written" | "unanswered"): Promise<void> {
    const { inFlight } = this.deps;
    const submitted = inFlight.get(ref);
    if (!submitted) return;
    try {
      await this.endAttempt(submitted.attempt, { kind }, kind === "unanswered" ? submitted : null);
    } finally {
      inFlight.end(ref);
    }
  }

  /**
   * A response in time. Its submit is in flight until what it says is durable. Runs as a task of its own, since a response comes
   * with every message.
   */
  answered(response: SubmitResponse): void {
    const { clock, inFlight, work, submitSeconds } = this.deps;
    const { ref, status } = response;
    const submitted = inFlight.get(ref);
    assert(submitted, `submit ${ref} is in flight`);
    const { session, attempt, sentAtMs } = submitted;
    const means = this.classify(submitted, status);
    const { id: messageId } = attempt.candidate.message;
    const nowMs = clock.steadyMs();
    submitSeconds.observe((nowMs - sentAtMs) / 1000);
    session.recordResponse(means, { messageId, sentAtMs, status }, nowMs, clock.nowMs());
    if (means.kind === "accepted" || means.kind === "taken") this.noteCarried(submitted, nowMs);
    if (means.kind === "refused") session.dropFromSendQueue(attempt);
    const attemptEnd = endSubmit(attempt, endOf(means, status));
    const part = firstPart(submitted);
    const apply = (tx: Tx, facts: FactSession): Requeued | null => {
      this.writeAnswer(tx, facts, submitted, { means, response, isLate: false });
      if (!attemptEnd) return null;
      const again = recordAttemptEnd(tx, facts, attempt, attemptEnd, this.rules(), clock.nowMs());
      this.retryUnmatched(tx, facts, submitted, means);
      return again;
    };
    attempt.unwritten.add(part);
    work.begun();
    this.enter(apply, (outcome) => {
      work.ended();
      if (outcome.status === "rejected") {
        const lost = {
          isTaken: means.kind === "accepted" || means.kind === "taken",
          isEnd: attemptEnd !== null,
          error: outcome.reason,
        };
        work.own(this.recordLostResponse(submitted, lost).finally(() => inFlight.end(ref)));
        return;
      }
      try {
        this.written(attempt, part);
        this.requeue(attempt, outcome.value);
      } finally {
        inFlight.end(ref);
      }
    });
  }

  /**
   * Ends a submit whose response could not be written down: the operator may have it, so its outcome is unknown as without a
   * response. What is known to be taken is not sent again for that. At a stop it is left as it is.
   */
  private async recordLostResponse(
    submitted: InFlightSubmit,
    lost: { readonly isTaken: boolean; readonly isEnd: boolean; readonly error: unknown },
  ): Promise<void> {
    const { clock, isStopping } = this.deps;
    const { attempt, session } = submitted;
    const again = await this.untilWritten(attempt, firstPart(submitted), () => {
      if (isStopping()) return Promise.reject(lost.error);
      session.tally.faults += 1;
      attempt.unanswered = true;
      attempt.taken ||= lost.isTaken;
      return this.record((tx, facts) => {
        this.recordUnknownOutcome(tx, facts, submitted);
        return lost.isEnd
          ? recordAttemptEnd(tx, facts, attempt, { kind: "unanswered" }, this.rules(), clock.nowMs())
          : null;
      });
    });
    this.requeue(attempt, again);
  }

  /** A response after its time. An acceptance settles the message; another response ends its own submit only. */
  async answeredLate(response: SubmitResponse): Promise<void> {
    const { inFlight, clock } = this.deps;
    const { ref, status } = response;
    const submitted = inFlight.takeLate(ref);
    if (!submitted) return;
    submitted.session.tally.answeredLate += 1;
    const { attempt, submit, session } = submitted;
    const { id: messageId } = attempt.candidate.message;
    const means = this.classify(submitted, status);
    session.logResponse(means, status);
    const isAccepted = means.kind === "accepted";
    if (isAccepted) this.noteCarried(submitted, clock.steadyMs());
    const isKnown = isAccepted
      ? this.acceptances.note(messageId, {
          parts: submit.parts,
          attempt: attempt.number,
          route: attempt.route,
        })
      : () => {};
    const end = endOf(means, status);
    const again = await this.record((tx, facts) => {
      this.writeAnswer(tx, facts, submitted, { means, response, isLate: true });
      const word = end.kind === "accepted" || end.kind === "taken" ? null : end;
      const { rerouting } = this.deps;
      const again = settleUnknownOutcome(
        tx,
        facts,
        messageId,
        word,
        { attempt: toRoutedAttempt(attempt), rerouting },
        clock.nowMs(),
      );
      this.retryUnmatched(tx, facts, submitted, means);
      return again;
    }).finally(isKnown);
    this.requeue(attempt, again);
  }

  /** A route has accepted a submit. */
  private noteCarried({ attempt, submit, session }: InFlightSubmit, nowMs: number): void {
    const { messageClass } = attempt.candidate.batch;
    this.deps.routes.accepted(session, messageClass, submit.parts.length, nowMs);
  }

  private classify({ attempt, session }: InFlightSubmit, status: number): ResponseMeaning {
    const table = this.deps.table(session.config.route);
    return classifyResponse(status, attempt.candidate.message.operatorCode, table);
  }

  /** Writes what the operator said, for the message and its timeline; how the attempt ends is written beside it. */
  private writeAnswer(
    tx: Tx,
    facts: FactSession,
    submitted: InFlightSubmit,
    { means, response, isLate }: Answer,
  ): void {
    const { code, operator, clock } = this.deps;
    const { status, messageId: remoteId } = response;
    const receipts = bringsReceipts(operator(), submitted.session.config.route);
    const left = toSentSubmit(submitted, code, null);
    const messageId = left.messageId;
    const { url: feed } = submitted.session.config;
    if (means.kind === "taken") {
      movePost(tx, { messageId, feed }, "TAKEN");
      resolveByPartner(tx, messageId, left.sentSegment.attempt);
      return;
    }
    if ("post" in submitted.submit && means.kind === "refused") movePost(tx, { messageId, feed }, "ENDED");
    if (means.kind === "accepted") {
      const cost = this.costOf(submitted, isLate);
      const accepted = { ...left, remoteId: remoteId ?? "", receipts, isLate, cost };
      const applied = recordAccepted(tx, facts, accepted);
      const { isSecond, candidate, route } = submitted.attempt;
      const { messageClass } = candidate.batch;
      if (applied && !isSecond) this.deps.onAccepted(tx, applied, { messageClass, route });
      return;
    }
    const kind = means.kind === "refused" ? "refused" : "postponed";
    recordRefused(tx, left, { kind, commandStatus: status, isLate }, clock.nowMs());
  }

  /** What the segments of a submit cost that is accepted at this moment; null of an operator without routes. */
  private costOf({ attempt, route }: InFlightSubmit, isLate: boolean): AcceptedCost | null {
    const cost = this.deps.costs.now(route);
    if (cost === null) return null;
    const { batch, message } = attempt.candidate;
    const { accountId, messageClass } = batch;
    const mayBeBooked = isLate || message.resends > 0 || attempt.isSecond;
    return { ...cost, accountId, messageClass, mayBeBooked };
  }

  /**
   * Tries unmatched receipts again: the operator did not take a submit, so none that came meanwhile is about that one.
   * To be called once its message has gone on.
   */
  private retryUnmatched(
    tx: Tx,
    facts: FactSession,
    submitted: InFlightSubmit,
    means: ResponseMeaning,
  ): void {
    const { unmatched, code } = this.deps;
    if (means.kind === "accepted" || unmatched.last <= submitted.unmatchedBefore) return;
    const { msisdn } = submitted.attempt.candidate.message;
    applyUnmatchedReceipts(tx, facts, code, { id: "", msisdn });
  }

  /** Notes the end of one submit, writes down that its outcome is unknown, if it is, and the attempt's end if it was the last. */
  private async endAttempt(
    attempt: Attempt,
    submitEnd: SubmitEnd,
    unknown: InFlightSubmit | null = null,
  ): Promise<void> {
    const { clock } = this.deps;
    const attemptEnd = endSubmit(attempt, submitEnd);
    if (attemptEnd === null && unknown === null) return;
    const again = await this.untilWritten(attempt, unknown ? firstPart(unknown) : CLAIM_END, () =>
      this.record((tx, facts) => {
        if (unknown) this.recordUnknownOutcome(tx, facts, unknown);
        return attemptEnd
          ? recordAttemptEnd(tx, facts, attempt, attemptEnd, this.rules(), clock.nowMs())
          : null;
      }),
    );
    this.requeue(attempt, again);
  }

  /**
   * Runs `write` until the end of the submit with this first segment is written. The lease of the message lasts until all that is to be
   * written of its claim is, or cannot be: then nobody looks after it (docs/behaviour.md#nobody-holds-it).
   */
  private async untilWritten<T>(attempt: Attempt, part: number, write: () => Promise<T>): Promise<T> {
    attempt.unwritten.add(part);
    try {
      return await write();
    } catch (error) {
      attempt.lost = true;
      throw error;
    } finally {
      this.written(attempt, part);
    }
  }

  /** The end of the submit with this first segment, which was among the `unwritten`, is written, or cannot be. */
  private written(attempt: Attempt, part: number): void {
    attempt.unwritten.delete(part);
    if (attempt.open === 0 && attempt.unwritten.size === 0) this.deps.onEnded(attempt);
  }

  /** Has the batch looked at again when its message is due, if that is queued. */
  private requeue({ candidate: { batch } }: Attempt, again: Requeued | null): void {
    const { isStopping, onRequeued } = this.deps;
    if (again === null || isStopping()) return;
    const { dueMs, routesTried } = again;
    onRequeued(routesTried === (batch.routesTried ?? 0) ? batch : { ...batch, routesTried }, dueMs);
  }

  /** What decides how messages go on. */
  rules(): AttemptRules {
    const { policy, rerouting } = this.deps;
    return { policy: policy(), rerouting };
  }

  /** Writes that a submit was not answered, or that its response is lost: the operator may have it. */
  private recordUnknownOutcome(tx: Tx, facts: FactSession, submitted: InFlightSubmit): void {
    const { code, clock, costs } = this.deps;
    const left = toSentSubmit(submitted, code, costs.now(submitted.route));
    recordUnanswered(tx, facts, left, submitted.writtenAtMs, clock.nowMs());
  }
}

/** What is reported of submits that are in flight. */
export type InFlightResults = Pick<SubmitResults, "answered" | "answeredLate" | "unanswered" | "unsent">;

/** The results as the events of a connection. */
export function toSubmitEvents(results: InFlightResults, { own }: TaskTracker): SubmitEvents {
  return {
    response: (response) => results.answered(response),
    lateResponse: (response) => own(results.answeredLate(response)),
    unanswered: (refs) => {
      for (const ref of refs) own(results.unanswered(ref));
    },
    unsent: (refs) => {
      for (const ref of refs) own(results.unsent(ref));
    },
  };
}

/** The first segment that an in-flight submit carries. */
function firstPart({ submit }: InFlightSubmit): number {
  return submit.parts[0] ?? 1;
}

/** A submit that left by a session, or is about to. */
type InFlightSubmit = PendingSubmit & {
  readonly session: OperatorSession;
  /** The route that it left by, which its connection may leave meanwhile; "" of an operator without routes. */
  readonly route: string;
  /** On the steady clock, and by the wall. */
  readonly sentAtMs: number;
  readonly writtenAtMs: number;
  /** The highest number of an unmatched receipt when it left. */
  readonly unmatchedBefore: number;
  sequence: number;
};

/** Late responses are recognised for this many submits after they timed out. */
const REMEMBERED_LATE = 10_000;

/** The in-flight submits of one operator, and those whose response did not come in time. */
export class InFlightSubmits {
  private readonly inFlight = new Map<number, InFlightSubmit>();
  private readonly late = new Map<number, InFlightSubmit>();
  private nextRef = 1;

  /** `onFreed` is called when a place in a window is free. */
  constructor(
    private readonly clock: Clock,
    private readonly unmatched: Readonly<UnmatchedWatermark>,
    private readonly onFreed: () => void,
  ) {}

  /** Returns a number for a submit that is about to leave by a session. */
  begin(outgoing: PendingSubmit, session: OperatorSession): number {
    const { clock, unmatched } = this;
    const ref = this.nextRef++;
    const at = { sentAtMs: clock.steadyMs(), writtenAtMs: clock.nowMs(), unmatchedBefore: unmatched.last };
    this.inFlight.set(ref, { ...outgoing, ...at, session, route: session.config.route, sequence: 0 });
    return ref;
  }

  /** It left, as this PDU of its connection. */
  left(ref: number, sequence: number): void {
    const submitted = this.inFlight.get(ref);
    if (submitted) submitted.sequence = sequence;
  }

  /** It did not leave after all. */
  takeBack(ref: number): void {
    this.inFlight.delete(ref);
  }

  get(ref: number): InFlightSubmit | null {
    return this.inFlight.get(ref) ?? null;
  }

  /** What came of it is durable: its place in the window is free. */
  end(ref: number): void {
    const submitted = this.inFlight.get(ref);
    this.inFlight.delete(ref);
    submitted?.session.connection.release(ref);
    this.onFreed();
  }

  /** Its response did not come in time: it is remembered in case the response comes late. */
  overdue(ref: number): void {
    const { late } = this;
    const submitted = this.inFlight.get(ref);
    if (submitted) late.set(ref, submitted);
    for (const oldest of late.keys()) {
      if (late.size <= REMEMBERED_LATE) break;
      late.delete(oldest);
    }
  }

  /** The submit that a late response is about, once. */
  takeLate(ref: number): InFlightSubmit | null {
    const submitted = this.late.get(ref) ?? null;
    this.late.delete(ref);
    return submitted;
  }
}

/** The submit as it is written down once it has ended. */
function toSentSubmit(
  { attempt, submit, session, route, sequence, writtenAtMs, unmatchedBefore }: InFlightSubmit,
  operator: string,
  cost: SegmentCost | null,
): SentSubmit & { readonly sentSegment: SentSegment } {
  const { id: messageId, msisdn } = attempt.candidate.message;
  const pduParameters = "post" in submit ? POST_PARAMETERS : toPduParameters(submit.message);
  const sentSegment = {
    attempt: attempt.number,
    connection: session.number,
    sequence,
    writtenAtMs,
    unmatchedBefore,
    pduParameters,
    account: smscAccount(session.config),
    route,
  };
  return { messageId, msisdn, parts: submit.parts, operator, sentSegment, cost };
}

/**
 * What became of a resend's message while it was about to leave: the response to an earlier submit, or a receipt, may have
 * shown that the operator has it. A long message's resend may wait part by part while a degraded session takes one
 * submit at a time, which is just when late responses come.
 */
export class LateAcceptances {
  private readonly noted = new Map<number, Set<LateAcceptance>>();

  constructor(private readonly read: Reader) {}

  /** Counts segments as accepted late, until the function it returns is called, once that is durable. */
  note(messageId: number, late: LateAcceptance): () => void {
    const { noted } = this;
    const all = noted.get(messageId) ?? new Set();
    noted.set(messageId, all.add(late));
    return () => {
      all.delete(late);
      if (all.size === 0) noted.delete(messageId);
    };
  }

  /**
   * Whether all that a submit carries has been accepted, by another submit of its route, or all of the message by another route. Reads the
   * database for resends only.
   */
  covers({ attempt, submit }: PendingSubmit): boolean {
    const { id, resends, segments } = attempt.candidate.message;
    if (resends === 0) return false;
    const late = [...(this.noted.get(id) ?? [])];
    const own = this.acceptedWith(id, attempt.number);
    for (const { route, parts } of late) if (route === attempt.route) for (const part of parts) own.add(part);
    if (submit.parts.every((part) => own.has(part))) return true;
    return late.some((other) => {
      if (other.route === attempt.route) return false;
      const whole = this.acceptedWith(id, other.attempt);
      for (const { route, parts } of late)
        if (route === other.route) for (const part of parts) whole.add(part);
      return whole.size === segments;
    });
  }

  private acceptedWith(messageId: number, attempt: number): Set<number> {
    try {
      return readPartsWith(this.read, messageId, attempt);
    } catch {
      // It was claimed and is to leave: a failed read is no reason against it, and must not leave it behind.
      return new Set();
    }
  }
}

/** Segments that a late response accepted, of which attempt and by which route; "" where there are none. */
type LateAcceptance = {
  readonly parts: readonly number[];
  readonly attempt: number;
  readonly route: string;
};

/** What accepted segments cost, and for whom they were. */
type AcceptedCost = SegmentCost & {
  readonly accountId: number;
  readonly messageClass: string;
  /** Another submit of the message was unanswered, or this one was: a receipt may have shown an acceptance before. */
  readonly mayBeBooked: boolean;
};

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
  /** Null or absent of an operator without routes. */
  readonly cost?: AcceptedCost | null;
};

/**
 * Writes down that an operator accepted segments, and applies receipts that came before this response. Returns what the last of them did
 * to their message.
 */
export function recordAccepted(tx: Tx, facts: FactSession, accepted: AcceptedSegments): Applied | null {
  const { messageId, operator, remoteId, sentSegment } = accepted;
  const left = sentSegment && { trace: toPartTrace(tx, sentSegment) };
  let applied: Applied | null = null;
  for (const part of accepted.parts) {
    const isMoved = accepted.isLate === true && returnMessageId(tx, accepted, part, left?.trace ?? null);
    applied = facts.apply({
      kind: "part_accepted",
      messageId,
      part,
      operator,
      remoteId,
      remoteKey: keyOf(tx, accepted, part),
      final: !accepted.receipts,
      isMoved,
      ...left,
    });
  }
  if (accepted.isLate && sentSegment) {
    resolveByResponse(tx, messageId, accepted.parts[0] ?? 1, sentSegment.attempt);
  }
  if (accepted.cost && sentSegment) {
    const { accountId, messageClass, mayBeBooked, ...cost } = accepted.cost;
    bookResponse(tx, facts, {
      messageId,
      operator,
      parts: accepted.parts,
      remoteKey: canonicalId(remoteId),
      attempt: sentSegment.attempt,
      accountId,
      messageClass,
      cost,
      mayBeBooked,
    });
  }
  if (hasUnmatchedReceipts(tx, operatorFamily(tx, operator))) {
    applyUnmatchedReceipts(tx, facts, operator, { id: remoteId, msisdn: readRecipient(tx, messageId) });
  }
  return applied;
}

/**
 * The form in which the id of an accepted segment is looked up. Each SMSC account counts its ids for itself: one that another account gave
 * to the same segment, of another attempt, is kept under the name of its own.
 */
function keyOf(tx: Tx, { messageId, remoteId, sentSegment, isLate }: AcceptedSegments, part: number): string {
  const key = canonicalId(remoteId);
  if (!sentSegment || sentSegment.route === "" || (sentSegment.attempt === 1 && !isLate)) return key;
  const known = readAnsweredPart(tx, messageId, part, key);
  const { account } = sentSegment;
  const isAnothers = known !== null && readSentWay(tx, known.pduParametersId).account !== account;
  return isAnothers ? keyOfAccount(key, account) : key;
}

/**
 * Returns an id to the segment it is of: a receipt had brought it before its response, and it was taken for the id of another
 * segment of unknown outcome. The outcome of that one is unknown again, unless it has an id of its own by now. Whether it did.
 */
function returnMessageId(
  tx: Tx,
  { messageId, remoteId }: AcceptedSegments,
  part: number,
  trace: PartTrace | null,
): boolean {
  if (remoteId === "") return false;
  const moved = moveIdentifiedPart(tx, messageId, part, canonicalId(remoteId), trace);
  if (moved === null) return false;
  if (!moved.isFromAccepted) {
    const msisdn = readRecipient(tx, messageId);
    reopenUnknownOutcome(tx, messageId, moved.from, numberKey(msisdn) ?? msisdn);
  }
  return true;
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
  /** Where `sentSegment` is not known: the attempt that it belongs to, from 1. */
  readonly attempt?: number | null;
  /** Where `sentSegment` is not known: the highest number that an unmatched receipt had before it left, if that is known. */
  readonly unmatchedBefore?: number | null;
  /** What its segments cost if it was accepted after all; null or absent of an operator without routes. */
  readonly cost?: SegmentCost | null;
};

/** Writes down a response that was no acceptance, in time or late, for the message's timeline. */
export function recordRefused(
  tx: Tx,
  sent: SentSubmit,
  answer: {
    readonly kind: "refused" | "postponed";
    readonly commandStatus: number;
    readonly isLate: boolean;
  },
  nowMs: number,
): void {
  const { messageId, sentSegment } = sent;
  const { firstPart, lastPart } = ends(sent.parts);
  const { kind, commandStatus } = answer;
  if (answer.isLate && sentSegment) resolveByResponse(tx, messageId, firstPart, sentSegment.attempt);
  const carried = { messageId, firstPart, lastPart, operator: sent.operator };
  recordUnaccepted(tx, { ...carried, sentSegment, end: { kind, commandStatus } }, nowMs);
}

/**
 * Writes down that a submit which left at `writtenAtMs` or later was not answered: the operator may have it. A receipt that
 * came already and can be about no other message settles it, before it is decided whether it is sent again.
 */
export function recordUnanswered(
  tx: Tx,
  facts: FactSession,
  {
    messageId,
    msisdn,
    parts,
    operator,
    attempt = null,
    sentSegment,
    unmatchedBefore = null,
    cost = null,
  }: SentSubmit,
  writtenAtMs: number,
  nowMs: number,
): void {
  // A few countries' numbers have fewer than eight digits: their outcomes are stored, and no receipt is matched with them.
  const recipientKey = numberKey(msisdn) ?? msisdn;
  const end = { kind: "unanswered", writtenAtMs, recipientKey, unmatchedBefore, cost } as const;
  recordUnaccepted(tx, { messageId, ...ends(parts), operator, attempt, sentSegment, end }, nowMs);
  applyUnmatchedReceipts(tx, facts, operator, { id: "", msisdn });
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
  return (tx, facts, message, nowMs) => {
    const { messageId, attempts: attempt, segments, isTaken } = message;
    const cost = costAfterCrash(settings.now(), message.operator, nowMs);
    for (const parts of listMissing(tx, { messageId, attempt, segments }))
      recordUnanswered(
        tx,
        facts,
        { ...message, parts, attempt, sentSegment: null, cost },
        message.claimedAt,
        nowMs,
      );
    const policy = settings.now().delivery.unanswered;
    facts.apply(isTaken ? toWaitFact(messageId, policy, nowMs) : toUnansweredFact(message, policy, nowMs));
  };
}

/**
 * Ends the second SMS that a process which is gone had begun: what of them was not accepted may be with an operator, and is not sent
 * again. Those that another appliance has go on. How many ended.
 */
export async function recoverSeconds(
  { read, write }: Pick<Store, "read" | "write">,
  settings: Pick<Settings, "now">,
  nowMs: number,
): Promise<number> {
  if (listOrphanedSeconds(read).length === 0) return 0;
  return await write((tx) => {
    const facts = openFacts(tx, nowMs);
    const begun = listOrphanedSeconds(tx);
    for (const { messageId, operator, attempt, begunMs, msisdn, segments } of begun) {
      const left = { messageId, msisdn, operator, attempt, sentSegment: null };
      const cost = costAfterCrash(settings.now(), operator, nowMs);
      for (const parts of listMissing(tx, { messageId, attempt, segments }))
        recordUnanswered(tx, facts, { ...left, parts, cost }, begunMs, nowMs);
      recordSecondOver(tx, facts, messageId);
    }
    facts.close();
    return begun.length;
  });
}

function listOrphanedSeconds(read: Reader) {
  return listBegunSeconds(read).filter(({ messageId }) => !isWithPartner(read, messageId));
}

/** The segments of an attempt that were not accepted, nor before by its route, by the submits that they were to leave in. */
function listMissing(
  read: Reader,
  {
    messageId,
    attempt,
    segments,
  }: { readonly messageId: number; readonly attempt: number; readonly segments: number },
): readonly (readonly number[])[] {
  const accepted = readPartsWith(read, messageId, attempt);
  const missing = Array.from({ length: segments }, (_, index) => index + 1).filter(
    (part) => !accepted.has(part),
  );
  const isWhole = segments > 1 && isPayloadClaim(read, { messageId, attempt });
  return isWhole ? adjacent(missing) : missing.map((part) => [part]);
}

/** What a claim that was left behind costs if it left: its route is not known. Null of an operator without routes. */
function costAfterCrash(
  { operators, defaults }: Pick<Config, "operators" | "defaults">,
  operator: string,
  nowMs: number,
): SegmentCost | null {
  const hasRoutes = Object.keys(getOwn(operators, operator)?.routes ?? {}).length > 0;
  return hasRoutes ? { route: "", day: toLocalDate(nowMs, defaults.timezone), costMilli: null } : null;
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
