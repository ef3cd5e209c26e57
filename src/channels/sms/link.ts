import type { ConnectionConfig } from "../../config/config.ts";
import type { GatheredLog } from "../../core/gathered-log.ts";
import { type Attempt, endSubmit } from "../../dispatch/attempt.ts";
import type { Pace } from "../../dispatch/pace.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import type { Connection } from "../../smpp/connection.ts";
import type { ConnectionStatus } from "../../smpp/connection-status.ts";
import { statusLabel, statusMeaning, statusPhrase } from "../../smpp/status.ts";
import { type AnswerMeaning, MAX_OF_INTEREST } from "./answer.ts";
import type { LinkSteps } from "./link-steps.ts";
import type { ReceiptOutcome } from "./receipts.ts";
import type { SubmitSm } from "./submit-sm.ts";

/** One `submit_sm` of an attempt. */
export type Outgoing = { readonly attempt: Attempt; readonly submit: SubmitSm };

/** A connection that messages leave by, with what is about to leave. */
export type Link = {
  /** What it is known by whatever its place (config/connection-names). */
  readonly name: string;
  /** Its place in the operator's list of connections, from 1. */
  number: number;
  config: ConnectionConfig;
  readonly connection: Connection;
  /** Why nothing may leave by it until it is resumed; null where it may. */
  pause: Pause | null;
  readonly pace: Pace;
  /** Claimed and committed, not yet written, in order; the parts of a message stand together. */
  readonly outbox: Outgoing[];
  /** Segments of messages whose claim is being committed. */
  claiming: number;
  isBound: boolean;
  /** The configuration has it no more: nothing is sent, and it ends once the answers that are due have come. */
  isLeaving: boolean;
  /** Messages that were to be tried later, since the last other answer; no more than are of interest. */
  readonly putOff: Set<number>;
  /** Answers in a row that took no message; null where the last one took its. */
  refusing: Refusing | null;
  readonly tally: LinkTally;
  /** For what may happen on it with every PDU. */
  readonly gathered: GatheredLog;
  /** Where its PDUs are told; null where nobody looks. */
  readonly steps: LinkSteps | null;
};

/** What an operator answers while it takes nothing. */
export type Refusing = {
  /** How many answers in a row, since when, epoch milliseconds. */
  readonly answers: number;
  readonly sinceMs: number;
  /** The last one's command_status, and when it came. */
  readonly status: number;
  readonly atMs: number;
};

/** What happened on one connection since the server started, for `operator status`. Whoever learns of it counts it. */
export type LinkTally = {
  /** Submits by what came of them. */
  accepted: number;
  refused: number;
  /** Asked for later: the link slowed down for it, or only the message waits. */
  throttled: number;
  postponed: number;
  unanswered: number;
  /** Answers that came after their time; such a submit counts as unanswered too. */
  answeredLate: number;
  /** Messages that could not be put on the wire, and answers that could not be written down: errors of our own. */
  faults: number;
  /** Receipts that found their message, and those that did not, at least not at once. */
  receiptsMatched: number;
  receiptsUnmatched: number;
  /** Of the latter, those that were not kept, because as many were as may be. */
  receiptsRefused: number;
};

export function newTally(): LinkTally {
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
export function countReceipt(tally: LinkTally, outcome: ReceiptOutcome): void {
  if (outcome === "matched") tally.receiptsMatched += 1;
  else tally.receiptsUnmatched += 1;
  if (outcome === "refused") tally.receiptsRefused += 1;
}

/** A connection as it stands, with what happened on it and its pace in `submit_sm` a second. */
export type LinkStatus = ConnectionStatus & {
  readonly tally: Readonly<LinkTally>;
  readonly paused: Pause | null;
  /** What it answers while it takes nothing, the last answer as manuals write it and in words. */
  readonly refusing: (Refusing & { readonly code: string; readonly answer: Phrase }) | null;
  /** What the configuration allows, what is granted after the operator's complaints, and what left in the last second. */
  readonly throughput: number;
  readonly granted: number;
  readonly lastSecond: number;
};

export function statusOf(link: Link, steadyMs: number): LinkStatus {
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
 * What an answer to a submit means for its link: counted, and the pace slowed where it asks for that. The submit left
 * at `sentAtMs`, on the steady clock like now; `atMs` is now for people.
 */
export function noteAnswer(
  link: Link,
  means: AnswerMeaning,
  submit: { readonly messageId: number; readonly sentAtMs: number; readonly status: number },
  nowMs: number,
  atMs: number,
): void {
  const { tally, pace, putOff } = link;
  logAnswer(link, means, submit.status);
  link.refusing = means.kind === "accepted" ? null : refusingAfter(link.refusing, submit.status, atMs);
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

function refusingAfter(before: Refusing | null, status: number, atMs: number): Refusing {
  return { answers: (before?.answers ?? 0) + 1, sinceMs: before?.sinceMs ?? atMs, status, atMs };
}

/** Tells of an answer, in time or late, that is no acceptance: gathered by what it says and what comes of it. */
export function logAnswer({ gathered }: Link, means: AnswerMeaning, status: number): void {
  if (means.kind === "accepted") return;
  const what =
    means.kind === "refused"
      ? "the operator refuses messages"
      : "the operator asks for messages to be sent again later";
  gathered.note("warn", `${means.kind} ${status}`, what, { status: english(statusPhrase(status)) });
}

/** A refused message's other segments are not sent any more. */
export function dropFromOutbox({ outbox }: Link, refused: Attempt): void {
  const kept = outbox.filter(({ attempt }) => attempt !== refused);
  const dropped = outbox.length - kept.length;
  outbox.splice(0, Number.POSITIVE_INFINITY, ...kept);
  for (let each = 0; each < dropped; each++) endSubmit(refused, { kind: "not_written" });
}

/** Whether messages may leave by it at this moment, window and pace apart. */
export function mayCarry({ isBound, isLeaving, pause }: Link): boolean {
  return isBound && !isLeaving && pause === null;
}

/**
 * How many more segments may be claimed for a link: what window and pace leave, less what is on its way there. `kept` places of the
 * window are to stay free.
 */
export function roomOf(link: Link, nowMs: number, kept = 0): number {
  if (!mayCarry(link)) return 0;
  const free = Math.min(link.connection.freeSlots() - kept, link.pace.available(nowMs));
  return free - link.outbox.length - link.claiming;
}
