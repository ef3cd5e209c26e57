/**
 * State of one SMPP session to an operator: send queue, pause, pace, counters, throttling responses, and how many more
 * segments it can take.
 */
import type { ConnectionConfig } from "../../config/config.ts";
import type { RateLimitedLog } from "../../core/log.ts";
import { type Attempt, endSubmit } from "../../dispatch/attempt.ts";
import type { Pace } from "../../dispatch/pace.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { Connection, ConnectionStatus } from "../../smpp/connection.ts";
import { statusLabel, statusMeaning, statusPhrase } from "../../smpp/status.ts";
import { MAX_OF_INTEREST, type ResponseMeaning } from "./attempt-result.ts";
import type { ReceiptOutcome } from "./delivery-receipts.ts";
import type { PduTrace } from "./pdu-trace.ts";
import type { SubmitSm } from "./submit-sm.ts";

/** One `submit_sm` of an attempt that waits to be written. */
export type PendingSubmit = { readonly attempt: Attempt; readonly submit: SubmitSm };

/** The session of one connection, with what is about to leave by it. */
export type OperatorSession = {
  /** The connection's name, whatever its place (config/connection-names). */
  readonly name: string;
  /** Its place in the operator's list of connections, from 1. */
  number: number;
  config: ConnectionConfig;
  readonly connection: Connection;
  /** Why nothing may leave by it until it is resumed; null where it may. */
  pause: Pause | null;
  readonly pace: Pace;
  /** Claimed and committed, not yet written, in order; the parts of a message stand together. */
  readonly sendQueue: PendingSubmit[];
  /** Segments of messages whose claim is being committed. */
  claiming: number;
  isBound: boolean;
  /** The configuration no longer has it: nothing is sent, and it ends once the responses that are due have come. */
  isLeaving: boolean;
  /** Messages that were to be tried later, since the last other response; no more than MAX_OF_INTEREST. */
  readonly putOff: Set<number>;
  /** Responses in a row that took no message; null where the last one took its message. */
  refusing: ThrottledState | null;
  readonly tally: SessionCounters;
  /** The rate-limited log, for what may happen with every PDU. */
  readonly rateLimited: RateLimitedLog;
  /** The trace of its PDUs; null where none is written. */
  readonly steps: PduTrace | null;
};

/** What an operator answers while it takes nothing. */
type ThrottledState = {
  /** How many responses in a row, since when, epoch milliseconds. */
  readonly answers: number;
  readonly sinceMs: number;
  /** The last one's command_status, and when it came. */
  readonly status: number;
  readonly atMs: number;
};

/** Counters of one connection since the server started, for `operator status`. Whoever learns of an event counts it. */
export type SessionCounters = {
  /** Submits by their end. */
  accepted: number;
  refused: number;
  /** Put off by the operator: the session slowed down for it, or only the message waits. */
  throttled: number;
  postponed: number;
  unanswered: number;
  /** Responses that came after their time; such a submit counts as unanswered too. */
  answeredLate: number;
  /** Messages that could not be put on the wire, and responses that could not be written down: errors of our own. */
  faults: number;
  /** Receipts that found their message, and those that did not, at least not at once. */
  receiptsMatched: number;
  receiptsUnmatched: number;
  /** Of the latter, those that were not stored, because the cap was reached. */
  receiptsRefused: number;
};

export function newSessionCounters(): SessionCounters {
  return {
    accepted: 0,
    refused: 0,
    throttled: 0,
    postponed: 0,
    unanswered: 0,
    answeredLate: 0,
    faults: 0,
    receiptsMatched: 0,
    receiptsUnmatched: 0,
    receiptsRefused: 0,
  };
}

/** Counts what became of a receipt. */
export function countReceipt(tally: SessionCounters, outcome: ReceiptOutcome): void {
  if (outcome === "matched") tally.receiptsMatched += 1;
  else tally.receiptsUnmatched += 1;
  if (outcome === "refused") tally.receiptsRefused += 1;
}

/** A session as it stands, with its counters and its pace in `submit_sm` a second. */
export type SessionStatus = ConnectionStatus & {
  readonly tally: Readonly<SessionCounters>;
  readonly paused: Pause | null;
  /** The response while it takes nothing: the last status as manuals write it and in words. */
  readonly refusing: (ThrottledState & { readonly code: string; readonly answer: Phrase }) | null;
  /** What the configuration allows, what is granted after the operator's complaints, and what left in the last second. */
  readonly throughput: number;
  readonly granted: number;
  readonly lastSecond: number;
};

export function statusOf(link: OperatorSession, steadyMs: number): SessionStatus {
  return {
    ...link.connection.status(),
    tally: link.tally,
    paused: link.pause,
    refusing: link.refusing && {
      ...link.refusing,
      code: statusLabel(link.refusing.status),
      answer: statusMeaning(link.refusing.status).words,
    },
    throughput: link.config.throughput,
    granted: link.pace.grantedPerSecond(steadyMs),
    lastSecond: link.pace.lastSecond(steadyMs),
  };
}

/**
 * Applies a response to its session: counts it, and slows the pace where it asks for that. The submit left
 * at `sentAtMs`, on the steady clock like now; `atMs` is now by the wall clock.
 */
export function recordResponse(
  link: OperatorSession,
  means: ResponseMeaning,
  submit: { readonly messageId: number; readonly sentAtMs: number; readonly status: number },
  nowMs: number,
  atMs: number,
): void {
  const { tally, pace, putOff } = link;
  logResponse(link, means, submit.status);
  link.refusing = means.kind === "accepted" ? null : nextThrottledState(link.refusing, submit.status, atMs);
  if (means.kind !== "retry") {
    putOff.clear();
    tally[means.kind] += 1;
    return;
  }
  if (putOff.size < MAX_OF_INTEREST) putOff.add(submit.messageId);
  const slows = putOff.size >= means.slowsAfter;
  tally[slows ? "throttled" : "postponed"] += 1;
  if (slows) pace.throttled(nowMs, submit.sentAtMs);
}

function nextThrottledState(before: ThrottledState | null, status: number, atMs: number): ThrottledState {
  return { answers: (before?.answers ?? 0) + 1, sinceMs: before?.sinceMs ?? atMs, status, atMs };
}

/** Logs a response, in time or late, that is no acceptance: rate-limited by what it says and what comes of it. */
export function logResponse({ rateLimited }: OperatorSession, means: ResponseMeaning, status: number): void {
  if (means.kind === "accepted") return;
  const what =
    means.kind === "refused"
      ? "the operator refuses messages"
      : "the operator asks for messages to be sent again later";
  rateLimited.note("warn", `${means.kind} ${status}`, what, { status: english(statusPhrase(status)) });
}

/** Drops a refused message's other segments from the send queue. */
export function dropFromSendQueue({ sendQueue }: OperatorSession, refused: Attempt): void {
  const kept = sendQueue.filter(({ attempt }) => attempt !== refused);
  const dropped = sendQueue.length - kept.length;
  sendQueue.splice(0, Number.POSITIVE_INFINITY, ...kept);
  for (let each = 0; each < dropped; each++) endSubmit(refused, { kind: "not_written" });
}

/** Whether messages may leave by it at this moment, window and pace apart. */
export function canSendOn({ isBound, isLeaving, pause }: OperatorSession): boolean {
  return isBound && !isLeaving && pause === null;
}

/**
 * How many more segments may be claimed for a session: what window and pace leave, less what is on its way there. `kept` places of the
 * window are to stay free.
 */
export function countFreeSlots(link: OperatorSession, nowMs: number, kept = 0): number {
  if (!canSendOn(link)) return 0;
  const free = Math.min(link.connection.freeSlots() - kept, link.pace.available(nowMs));
  return free - link.sendQueue.length - link.claiming;
}
