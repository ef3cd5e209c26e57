/**
 * One attempt of a message, from its claim to its end (`Attempt`, `endSubmit`): it has a submit for each part, and ends with the
 * last of them. Also how long a message waits before the next attempt, and whether one without an answer is sent again. Pure.
 */
import type { Config } from "../config/config.ts";
import { assert } from "../core/assert.ts";
import type { MessageClass } from "../domain/accounts/message-class.ts";
import type { Fact } from "../domain/messages/facts.ts";
import type { MessageError } from "../domain/messages/message-status.ts";
import type { Candidate } from "./batch-scheduler.ts";

/** One claim of a message: what of it is under way, and what came of the rest. */
export type Attempt = {
  readonly candidate: Candidate;
  /** The route that it leaves by; "" where there are none. */
  readonly route: string;
  /** This claim's number, from 1. */
  readonly number: number;
  /** No claim: a message that was SENT leaves once more, and stays SENT whatever comes of it. */
  readonly isSecond: boolean;
  /** Submits that are neither answered nor given up. */
  open: number;
  /** The first segment of each submit whose end is being written, and `CLAIM_END` while only the claim's end is. */
  readonly unwritten: Set<number>;
  /** The result of a submit could not be written, for a reason that will not pass: how the claim ended cannot be said. */
  lost: boolean;
  /** The operator accepted a submit, which could not be written: it is not sent again for want of an answer. */
  taken: boolean;
  refused: MessageError | null;
  retry: Later | null;
  unanswered: boolean;
  notWritten: boolean;
};

/**
 * It is to be tried later. `keepsPlace`: not because of this message, which goes first when the session may go on.
 * `operatorCode`: the operator's own, null where it was not the operator who asked for it.
 */
type Later = { readonly keepsPlace: boolean; readonly operatorCode: string | null };

/** What a submit came to. */
export type SubmitEnd =
  | { readonly kind: "accepted" }
  | ({ readonly kind: "retry" } & Later)
  | { readonly kind: "refused"; readonly error: MessageError }
  /** Another appliance has all of it, and tells later what becomes of it. */
  | { readonly kind: "taken" }
  /** Written, or perhaps written, and no answer came. */
  | { readonly kind: "unanswered" }
  /** No byte of it was written. */
  | { readonly kind: "not_written" };

/** How a claim ended: the worst that happened to its submits. */
export type AttemptEnd = SubmitEnd;

/** In place of a segment: no submit. */
export const CLAIM_END = 0;

export function beginAttempt(candidate: Candidate, submits: number, route = "", isSecond = false): Attempt {
  return {
    candidate,
    route,
    number: candidate.message.attempts + 1,
    isSecond,
    open: submits,
    unwritten: new Set(),
    lost: false,
    taken: false,
    refused: null,
    retry: null,
    unanswered: false,
    notWritten: false,
  };
}

/** Notes the end of one submit; the end of the attempt once it was the last. */
export function endSubmit(attempt: Attempt, end: SubmitEnd): AttemptEnd | null {
  assert(attempt.open > 0, "a submit ends once");
  attempt.open -= 1;
  switch (end.kind) {
    case "accepted":
      break;
    case "taken":
      return end;
    case "retry":
      attempt.retry = {
        operatorCode: end.operatorCode,
        keepsPlace: end.keepsPlace && (attempt.retry?.keepsPlace ?? true),
      };
      break;
    case "refused":
      attempt.refused ??= end.error;
      break;
    case "unanswered":
      attempt.unanswered = true;
      break;
    case "not_written":
      attempt.notWritten = true;
      break;
  }
  if (attempt.open > 0) return null;
  if (attempt.refused) return { kind: "refused", error: attempt.refused };
  if (attempt.unanswered) return { kind: "unanswered" };
  if (attempt.retry) return { ...attempt.retry, kind: "retry" };
  return { kind: attempt.notWritten ? "not_written" : "accepted" };
}

const FIRST_BACKOFF_MS = 1000;
export const MAX_BACKOFF_MS = 30_000;

/** How long a message waits after a temporary answer to its `attempts`-th claim: 1 s doubling to 30 s. */
export function backoffMs(attempts: number): number {
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(16, Math.max(0, attempts - 1)));
}

/** How often a message is sent again for want of an answer (docs/behaviour.md#unanswered-submits). */
export const MAX_RESENDS = 3;

type UnansweredMessage = {
  readonly messageId: number;
  readonly messageClass: MessageClass;
  readonly resends: number;
  readonly expiresAt: number;
};

/** Whether a message whose outcome is unknown is sent again: its class is, up to 3 times, and it is still worth sending. Pure. */
export function shouldResend(
  { messageClass, resends, expiresAt }: Omit<UnansweredMessage, "messageId">,
  policy: Config["delivery"]["unanswered"],
  nowMs: number,
): boolean {
  return policy[messageClass] === "resend" && resends < MAX_RESENDS && nowMs < expiresAt;
}

/** A message whose outcome is unknown waits for a late answer or a receipt, from now on. */
export function toWaitFact(messageId: number, policy: Config["delivery"]["unanswered"], nowMs: number): Fact {
  return { kind: "unanswered", messageId, next: "wait", untilMs: nowMs + policy.wait_hours * 3_600_000 };
}

/**
 * What becomes of an unanswered submit, which the operator may have or not. Classes that are resent are, ahead of their class, up
 * to 3 times within validity; the others wait for a late answer or receipt. Pure.
 */
export function toUnansweredFact(
  message: UnansweredMessage,
  policy: Config["delivery"]["unanswered"],
  nowMs: number,
): Fact {
  const { messageId } = message;
  return shouldResend(message, policy, nowMs)
    ? { kind: "unanswered", messageId, next: "resend" }
    : toWaitFact(messageId, policy, nowMs);
}
