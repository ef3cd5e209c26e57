/**
 * What becomes of a message when an attempt has ended, and when a response came late. A response that is no acceptance
 * ends its own submit only: as long as the operator may have another, the outcome of the message is unknown. When none is
 * open, the last response decides (docs/behaviour.md#the-last-answer-decides).
 */
import type { Config, ResponseAction } from "../../config/config.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type Attempt,
  type AttemptEnd,
  backoffMs,
  CLAIM_END,
  MAX_RESENDS,
  type SubmitEnd,
  shouldResend,
  toWaitFact,
} from "../../dispatch/attempt.ts";
import { TooEarly } from "../../dispatch/recorder.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import type { Applied, FactSession } from "../../domain/messages/apply-facts.ts";
import { findUnknownOutcome } from "../../domain/messages/awaiting-outcome.ts";
import type { Fact } from "../../domain/messages/facts.ts";
import type { MessageError } from "../../domain/messages/message-status.ts";
import { awaitSecondAgain, endSecond } from "../../domain/messages/second-sms.ts";
import { readPartsWith } from "../../domain/messages/segments.ts";
import { STATUS, statusCode, statusMeaning } from "../../smpp/status.ts";
import {
  answerCode,
  codeForClients,
  errorOfReason,
  isForLater,
  PARTNER_TAKEN,
  parseAnswerCode,
  reasonName,
} from "./partner-reasons.ts";
import { type Rerouted, type Rerouting, type RoutedAttempt, toRoutedAttempt } from "./route-marks.ts";
import { hasUnknownOutcome, lastRefusal, listUnacceptedSegments } from "./sent-segments.ts";

type Policy = Config["delivery"]["unanswered"];
type Refused = Extract<AttemptEnd, { kind: "refused" }>;
type RetryEnd = Extract<AttemptEnd, { kind: "retry" }>;
/** The last that is known of a message none of whose submits has an unknown outcome. */
type LastOutcome = Refused | RetryEnd | { readonly kind: "not_written" };

/** A message that is back in the queue: when it is to be looked at again, and the routes that are marked for it from now on. */
export type Requeued = { readonly dueMs: number; readonly routesTried: number };

/**
 * Writes down how an attempt ended; returns null if its message is not queued. Where the result of one of its submits is lost, the
 * message is left to lease recovery. A second SMS ends in its own way (`recordSecondEnd`): its message was sent already.
 */
export function recordAttemptEnd(
  tx: Tx,
  facts: FactSession,
  attempt: Attempt,
  end: AttemptEnd,
  { policy, rerouting }: AttemptRules,
  nowMs: number,
): Requeued | null {
  const { message, batch } = attempt.candidate;
  const { routesTried = 0 } = batch;
  const inPlace = (dueMs: number | null): Requeued | null => (dueMs === null ? null : { dueMs, routesTried });
  const { steps } = tx;
  if (steps) {
    const fields = { message: message.id, attempt: attempt.number, end: end.kind };
    tx.afterCommit(() => steps.tell("sms", "attempt ended", fields));
  }
  if (attempt.isSecond) {
    if (!attempt.lost) recordSecondEnd(tx, facts, attempt, end, nowMs);
    return null;
  }
  const tried = { messageId: message.id, attempts: attempt.number, resends: message.resends };
  if (end.kind === "accepted" || attempt.lost) return null;
  mustBeWritten(tx, attempt);
  switch (end.kind) {
    case "taken":
      facts.apply(toTakenFact(message.id, policy, nowMs));
      return null;
    case "not_written":
      return inPlace(follow(facts, tried, { kind: "not_written" }, nowMs));
    case "refused":
    case "retry":
    case "unanswered": {
      const wasUnknown = attempt.unanswered || message.resends > 0;
      if (wasUnknown && hasUnknownOutcome(tx, message.id))
        return inPlace(keepOutcomeUnknown(facts, attempt, end, policy, nowMs));
      const decided =
        end.kind === "unanswered" ? null : reroute(tx, toRoutedAttempt(attempt), end, rerouting, nowMs);
      if (decided?.kind === "rerouted") return goByAnother(facts, decided, nowMs);
      const outcome = decided ?? (end.kind === "unanswered" ? readLastOutcome(tx, message.id) : end);
      return inPlace(follow(facts, { ...tried, wasUnknown }, outcome, nowMs));
    }
  }
}

/**
 * The end of a second SMS. What was not accepted moved nothing; it is due still where not an octet of it left, and is under way while
 * another appliance has it.
 */
function recordSecondEnd(tx: Tx, facts: FactSession, attempt: Attempt, end: AttemptEnd, nowMs: number): void {
  const { id } = attempt.candidate.message;
  if (end.kind === "taken") return;
  mustBeWritten(tx, attempt);
  if (end.kind === "not_written" && readPartsWith(tx, id, attempt.number).size === 0)
    awaitSecondAgain(tx, id, nowMs);
  else recordSecondOver(tx, facts, id);
}

/** Nothing more comes of a second SMS than what was accepted of it by now. */
export function recordSecondOver(tx: Tx, facts: FactSession, messageId: number): void {
  endSecond(tx, messageId);
  facts.apply({ kind: "second_over", messageId });
}

/** However long another appliance may try to send a message. */
const MIN_TAKEN_WAIT_HOURS = 72;

/** A message that another appliance has waits for what that says of it. */
function toTakenFact(messageId: number, policy: Policy, nowMs: number): Fact {
  const wait_hours = Math.max(policy.wait_hours, MIN_TAKEN_WAIT_HOURS);
  return toWaitFact(messageId, { ...policy, wait_hours }, nowMs);
}

/** Called in the transaction of an acceptance with what it did to its message, of a class, by a route. */
export type OnAccepted = (
  tx: Tx,
  applied: Applied,
  by: { readonly messageClass: MessageClass; readonly route: string },
) => void;

/** What decides beside the answers: the class's policy, and the routes. */
export type AttemptRules = { readonly policy: Policy; readonly rerouting: Rerouting };

/** Whether another route is to carry it, or, where each has refused, by which refusal it ends; null where its own answer decides. */
function reroute(
  tx: Tx,
  attempt: RoutedAttempt,
  end: Refused | RetryEnd,
  rerouting: Rerouting,
  nowMs: number,
): Rerouted | Refused | null {
  if (attempt.route === "") return null;
  if (end.kind === "retry") {
    return end.operatorCode === null
      ? null
      : rerouting.afterLater(tx, attempt, codeForClients(end.operatorCode), nowMs);
  }
  const { operatorCode } = end.error;
  if (operatorCode === null) return null;
  const next = rerouting.afterRefusal(tx, attempt, parseAnswerCode(operatorCode), nowMs);
  return next?.kind === "exhausted" ? { kind: "refused", error: toRefusalError(next.commandStatus) } : next;
}

/** Lets another route carry a message. */
function goByAnother(facts: FactSession, rerouted: Rerouted, nowMs: number): Requeued {
  facts.apply(rerouted);
  return { dueMs: Math.max(rerouted.notBeforeMs, nowMs), routesTried: rerouted.routesTried };
}

/**
 * The end of an attempt is decided by what is written of all of its submits: the disk may take the last of them before the
 * others, and what the operator accepted would be sent again. @throws TooEarly as long as something is missing.
 */
function mustBeWritten(read: Reader, { candidate, number, unwritten }: Attempt): void {
  if (unwritten.size < 2) return;
  const { id } = candidate.message;
  const written = new Set([...readPartsWith(read, id, number), ...listUnacceptedSegments(read, id, number)]);
  if ([...unwritten].some((part) => part !== CLAIM_END && !written.has(part)))
    throw new TooEarly("what came of another segment is not written yet");
}

/**
 * Lets a message go on after the last of its unknown outcomes was settled, if no attempt is in progress: by the response that
 * came, or, where that accepted a segment (null), by what was said of the other submits. Returns when it is to be looked at
 * again, or null if it is not queued. `late`: the attempt that a response came for; null where a receipt settled it.
 */
export function settleUnknownOutcome(
  tx: Tx,
  facts: FactSession,
  messageId: number,
  answer: Refused | RetryEnd | null,
  late: { readonly attempt: RoutedAttempt; readonly rerouting: Rerouting } | null,
  nowMs: number,
): Requeued | null {
  const found = findUnknownOutcome(tx, messageId);
  if (!found) return null;
  if (found.status === "QUEUED" && found.attempts > 0) {
    // It is about to be sent again, for which a refusal leaves no reason.
    if (answer?.kind !== "refused" || hasUnknownOutcome(tx, messageId)) return null;
    // But of the route alone: then another may carry it.
    if (late?.rerouting.isOfRoute(late.attempt.route, answer.error.operatorCode)) return null;
    facts.apply(toRefusedFact(messageId, answer.error));
    return null;
  }
  if (!found.isWaiting || hasUnknownOutcome(tx, messageId)) return null;
  // The marks that this attempt knows are those of the message while it is the last.
  const decided =
    answer !== null && late !== null && found.attempts === late.attempt.number
      ? reroute(tx, late.attempt, answer, late.rerouting, nowMs)
      : null;
  if (decided?.kind === "rerouted") return goByAnother(facts, decided, nowMs);
  const dueMs = follow(
    facts,
    { messageId, attempts: found.attempts, resends: found.resends, wasUnknown: true },
    decided ?? answer ?? readLastOutcome(tx, messageId),
    nowMs,
  );
  return dueMs === null ? null : { dueMs, routesTried: found.routesTried };
}

/** The operator may have an earlier submit, or another one of this attempt. What was refused for good is not sent again. */
function keepOutcomeUnknown(
  facts: FactSession,
  { candidate, number, taken }: Attempt,
  end: Refused | RetryEnd | { readonly kind: "unanswered" },
  policy: Policy,
  nowMs: number,
): number | null {
  const { batch, message } = candidate;
  const messageId = message.id;
  const { messageClass, expiresAt } = batch;
  const isAgain =
    !taken && shouldResend({ messageClass, resends: message.resends, expiresAt }, policy, nowMs);
  if (end.kind === "refused" || !isAgain) {
    facts.apply(toWaitFact(messageId, policy, nowMs));
    return null;
  }
  if (end.kind !== "retry") {
    facts.apply({ kind: "unanswered", messageId, next: "resend" });
    return nowMs;
  }
  return postpone(facts, { messageId, attempts: number, isResend: true }, end, nowMs);
}

/** A message whose attempt has ended. `wasUnknown`: the outcome of one of its submits was unknown before. */
type TriedMessage = {
  readonly messageId: number;
  readonly attempts: number;
  readonly resends: number;
  readonly wasUnknown?: boolean;
};

/** Applies the last that is known of a message; returns when it is to be looked at again, or null if it is not queued. */
function follow(
  facts: FactSession,
  message: TriedMessage,
  outcome: LastOutcome,
  nowMs: number,
): number | null {
  const { messageId, wasUnknown = false } = message;
  switch (outcome.kind) {
    case "refused":
      facts.apply(toRefusedFact(messageId, outcome.error));
      return null;
    case "not_written":
      facts.apply({ kind: "not_written", messageId });
      return nowMs;
    case "retry": {
      const isResend = wasUnknown && outcome.operatorCode !== null;
      if (!isResend || message.resends < MAX_RESENDS)
        return postpone(facts, { ...message, isResend }, outcome, nowMs);
      const error = { code: "OPERATOR_THROTTLED", operatorCode: outcome.operatorCode } as const;
      facts.apply(toRefusedFact(messageId, error));
      return null;
    }
  }
}

function postpone(
  facts: FactSession,
  { messageId, attempts, isResend }: { messageId: number; attempts: number; isResend: boolean },
  { keepsPlace, operatorCode }: RetryEnd,
  nowMs: number,
): number {
  const notBeforeMs = keepsPlace ? 0 : nowMs + backoffMs(attempts);
  facts.apply({
    kind: "postponed",
    messageId,
    notBeforeMs,
    operatorCode: codeForClients(operatorCode),
    ...(isResend && { isResend: true as const }),
  });
  return Math.max(notBeforeMs, nowMs);
}

/** The end of a message by a refusal: clients read codes of operators, and no reason of another Bendre. */
function toRefusedFact(messageId: number, { code, operatorCode }: MessageError): Fact {
  return { kind: "refused", messageId, error: { code, operatorCode: codeForClients(operatorCode) } };
}

function readLastOutcome(read: Reader, messageId: number): LastOutcome {
  const said = lastRefusal(read, messageId);
  if (!said) return { kind: "not_written" };
  return said.outcome === "REFUSED"
    ? { kind: "refused", error: toRefusalError(said.commandStatus) }
    : { kind: "retry", keepsPlace: false, operatorCode: answerCode(said.commandStatus) };
}

/**
 * Try again later. The session slows down once `slowsAfter` messages in a row were answered so. `keepsPlace`: the message was not
 * the reason, and may go first.
 */
type RetryMeaning = { readonly kind: "retry"; readonly slowsAfter: number; readonly keepsPlace: boolean };

/** What a response to a `submit_sm` means for its message and its session. */
export type ResponseMeaning =
  | { readonly kind: "accepted" }
  /** Another Bendre has it, and tells later what becomes of it. */
  | { readonly kind: "taken" }
  | RetryMeaning
  | { readonly kind: "refused"; readonly error: MessageError };

/**
 * Reads a command_status: the operator's own table first, then docs/behaviour.md#answers-of-the-operator. `lastCode` is
 * the operator's temporary answer to the attempt before this one, or null. Pure.
 *
 * "Throttled" is about the session. "Queue full" may be about the whole SMSC or about one recipient, who must not slow
 * down everybody: said of several messages in a row, it is the SMSC. So is any other temporary error, after more of them.
 * What the operator's table calls a pause is believed at once, but not of the same message again.
 */
export function classifyResponse(
  status: number,
  lastCode: string | null,
  table: ReadonlyMap<number, ResponseAction>,
): ResponseMeaning {
  if (status === STATUS.ROK) return { kind: "accepted" };
  if (status === PARTNER_TAKEN) return { kind: "taken" };
  const reason = reasonName(status);
  if (reason !== null) return isForLater(reason) ? AT_ONCE : refusal(status);
  const isRepeated = lastCode === statusCode(status);
  switch (table.get(status)) {
    case "retry":
      return later(DEGRADED_AFTER_MESSAGES);
    case "pause":
      return isRepeated ? later(FULL_AFTER_MESSAGES) : AT_ONCE;
    case "fail":
      return refusal(status);
    case undefined:
      break;
  }
  const { class: kind } = statusMeaning(status);
  const temporary = kind === "retry" || (kind === "retry_once" && !isRepeated);
  if (!temporary) return refusal(status);
  if (status === STATUS.RTHROTTLED) return { ...AT_ONCE, keepsPlace: !isRepeated };
  return later(status === STATUS.RMSGQFUL ? FULL_AFTER_MESSAGES : DEGRADED_AFTER_MESSAGES);
}

/** Messages in a row, with none accepted or refused in between, after which the SMSC itself counts as full, or as degraded. */
const FULL_AFTER_MESSAGES = 3;
const DEGRADED_AFTER_MESSAGES = 10;
/** No rule looks at more messages in a row than this. */
export const MAX_OF_INTEREST = DEGRADED_AFTER_MESSAGES;
const AT_ONCE: RetryMeaning = { kind: "retry", slowsAfter: 1, keepsPlace: true };

function later(slowsAfter: number): RetryMeaning {
  return { kind: "retry", slowsAfter, keepsPlace: false };
}

/** How a submit ended, by its response. Pure. */
export function endOf(
  means: ResponseMeaning,
  status: number,
): Extract<SubmitEnd, { kind: "accepted" | "taken" | "retry" | "refused" }> {
  if (means.kind !== "retry") return means;
  return { kind: "retry", keepsPlace: means.keepsPlace, operatorCode: answerCode(status) };
}

const INVALID_SOURCE = 0x0a;
const INVALID_DESTINATION = 0x0b;

function refusal(status: number): ResponseMeaning {
  return { kind: "refused", error: toRefusalError(status) };
}

/** The error that clients read for a command_status that refuses for good. */
function toRefusalError(status: number): MessageError {
  const reason = reasonName(status);
  if (reason !== null) return { code: errorOfReason(reason), operatorCode: reason };
  const code =
    status === INVALID_SOURCE
      ? "SENDER_NOT_REGISTERED"
      : status === INVALID_DESTINATION
        ? "INVALID_DESTINATION"
        : "OPERATOR_REJECTED";
  return { code, operatorCode: statusCode(status) };
}
