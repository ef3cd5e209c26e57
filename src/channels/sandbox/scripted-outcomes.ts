/**
 * What the simulated operator does with a message of a sandbox: the last two digits of its number choose (docs/behaviour.md#endings).
 * Messages that are rejected at once never come here (domain/submission/screen-recipients.ts). Pure.
 */
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import type { MessageError, MessageErrorCode } from "../../domain/messages/message-status.ts";

/** A later step of a message; the table of steps stores it by its name. */
export type SandboxStep =
  | { readonly kind: "DELIVERED" }
  | { readonly kind: "FAILED"; readonly code: MessageErrorCode }
  | { readonly kind: "NO_RECEIPT" }
  | { readonly kind: "LATE_ANSWER" }
  | { readonly kind: "NO_ANSWER" };

/** The result of one attempt to send. Times are milliseconds. */
export type ScriptedMove =
  | { readonly kind: "accepted"; readonly next: SandboxStep; readonly afterMs: number }
  | { readonly kind: "refused"; readonly error: MessageError }
  /** It never leaves. */
  | { readonly kind: "given up"; readonly error: MessageError }
  | { readonly kind: "throttled"; readonly againMs: number }
  | { readonly kind: "resent" }
  /** No answer comes for at least this long; `next` after `afterMs`. */
  | {
      readonly kind: "unanswered";
      readonly waitMs: number;
      readonly next: SandboxStep;
      readonly afterMs: number;
    };

export const SECOND_MS = 1000;
const LONG_MS = 60 * SECOND_MS;
/** How long after the wait was given up a late answer comes. */
const LATE_MS = 2 * SECOND_MS;

const FAILURES: Readonly<Record<string, MessageErrorCode>> = {
  "81": "UNKNOWN_SUBSCRIBER",
  "82": "ABSENT_SUBSCRIBER",
  "83": "HANDSET_ERROR",
  "84": "NETWORK_ERROR",
  "85": "EXPIRED_AT_OPERATOR",
  "86": "REJECTED_AT_OPERATOR",
};

/** How many times the operator says that it is too busy. */
const THROTTLED_TIMES = 2;

type Attempted = {
  /** The channel never sends a message a second time. */
  readonly isOnce?: boolean;
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  /** Attempts and resends before this one. */
  readonly attempts: number;
  readonly resends: number;
};

/** Chooses the result of the next attempt to send a message. */
export function chooseMove({
  msisdn,
  messageClass,
  attempts,
  resends,
  isOnce = false,
}: Attempted): ScriptedMove {
  const ending = msisdn.slice(-2);
  const code = FAILURES[ending];
  if (code) return acceptedThen({ kind: "FAILED", code });
  switch (ending) {
    case "80":
      return acceptedThen({ kind: "DELIVERED" }, LONG_MS);
    case "87":
      return { kind: "refused", error: { code: "OPERATOR_REJECTED", operatorCode: "87" } };
    case "88":
      return attempts < THROTTLED_TIMES ? { kind: "throttled", againMs: SECOND_MS } : ARRIVES;
    case "89":
      return { kind: "given up", error: { code: "SENDER_NOT_REGISTERED", operatorCode: null } };
    case "90":
      return acceptedThen({ kind: "NO_RECEIPT" }, LONG_MS);
    case "91":
      if (messageClass === "MARKETING" || isOnce)
        return { kind: "unanswered", waitMs: LONG_MS, next: { kind: "LATE_ANSWER" }, afterMs: LATE_MS };
      return resends === 0 ? { kind: "resent" } : ARRIVES;
    case "92": {
      const waitMs = LONG_MS - SECOND_MS;
      return { kind: "unanswered", waitMs, next: { kind: "NO_ANSWER" }, afterMs: waitMs };
    }
    default:
      return ARRIVES;
  }
}

function acceptedThen(next: SandboxStep, afterMs = SECOND_MS): ScriptedMove {
  return { kind: "accepted", next, afterMs };
}

export const ARRIVES: ScriptedMove = acceptedThen({ kind: "DELIVERED" });
