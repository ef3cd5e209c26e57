/**
 * What another Bendre says of a message, as numbers beside those of command_status: above all of them, so that what is kept and decided
 * of submits is the same for both. The list only grows at its end, since rows hold its places.
 */
import type { MessageErrorCode } from "../../domain/messages/message-status.ts";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";
import { statusCode, statusLabel, statusMeaning, statusPhrase } from "../../smpp/status.ts";

/** Above every command_status, which has four octets (SMPP 3.4 section 3.2). */
const ABOVE_STATUS = 2 ** 32;

/** The message is with it: what becomes of it comes by the feed. */
export const PARTNER_TAKEN = ABOVE_STATUS;

const REASONS = [
  // Of an error that this executable does not know.
  "OTHER",
  // Of a recipient (docs/public-api.md section 2.3).
  ...(["INVALID_MSISDN", "DUPLICATE_IN_BATCH", "UNROUTABLE_PREFIX", "MISSING_ATTRIBUTE"] as const),
  ...(["RENDERED_VALUE_EMPTY", "RENDERED_BODY_TOO_LONG", "RENDERED_BODY_EMPTY", "NOT_GSM7"] as const),
  ...(["TOO_MANY_SEGMENTS", "SUPPRESSED", "QUIET_HOURS", "FREQUENCY_CAP_DAILY"] as const),
  ...([
    "FREQUENCY_CAP_WEEKLY",
    "DUPLICATE_RECENT_BODY",
    "RATE_LIMIT_PER_DAY",
    "RATE_LIMIT_PER_MINUTE",
  ] as const),
  // Of a request (docs/public-api.md section 7).
  ...(["VALIDATION_FAILED", "IDEMPOTENCY_KEY_REQUIRED", "BATCH_EMPTY", "BATCH_BODY_EMPTY"] as const),
  ...(["SCHEDULE_INVALID", "SENDER_NOT_APPROVED", "REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const),
  ...([
    "BATCH_ENDED",
    "INSUFFICIENT_FUNDS",
    "CREDIT_LIMIT_EXCEEDED",
    "WALLET_IN_DEBIT",
    "UNAUTHORIZED",
  ] as const),
  ...([
    "INSUFFICIENT_SCOPE",
    "ACCOUNT_SUSPENDED",
    "NOT_FOUND",
    "UNSUPPORTED_VERSION",
    "RATE_LIMITED",
  ] as const),
  ...(["SERVICE_UNAVAILABLE", "STORAGE_FULL", "RESTORING", "TOO_MANY_HOPS", "REDIRECTED"] as const),
  // Of a message that it took and did not send (docs/behaviour.md#error-codes-of-messages).
  ...(["NO_ROUTE", "SENDER_NOT_REGISTERED", "INVALID_DESTINATION", "OPERATOR_REJECTED"] as const),
  ...(["OPERATOR_THROTTLED", "NOT_ENCODABLE", "EXPIRED_IN_QUEUE", "CANCELLED", "SCHEDULE_TOO_LATE"] as const),
  "RESTORE_GIVEN_UP",
] as const;

type Reason = (typeof REASONS)[number];

/** It takes nothing of ours now, and none of the others either. */
const AWAY: ReadonlySet<string> = new Set<Reason>([
  ...(["INSUFFICIENT_FUNDS", "CREDIT_LIMIT_EXCEEDED", "WALLET_IN_DEBIT"] as const),
  ...(["UNAUTHORIZED", "INSUFFICIENT_SCOPE", "ACCOUNT_SUSPENDED"] as const),
]);
const LATER: ReadonlySet<string> = new Set<Reason>([
  ...(["REQUEST_IN_PROGRESS", "RATE_LIMITED", "SERVICE_UNAVAILABLE", "STORAGE_FULL", "RESTORING"] as const),
]);

/** The number of a reason, by its name. */
export function reasonNumber(name: string): number {
  const at = REASONS.indexOf(name as Reason);
  return ABOVE_STATUS + 1 + Math.max(0, at);
}

/** The name of a reason's number; null of a command_status. */
export function reasonName(status: number): string | null {
  return REASONS[status - ABOVE_STATUS - 1] ?? null;
}

/** Whether a reason of another Bendre is about this moment, and not about the message. */
export function isForLater(name: string): boolean {
  return AWAY.has(name) || LATER.has(name);
}

/** As it is told where operators have codes: a command_status as manuals write it, or the name of a reason. */
export function answerCode(status: number): string {
  return reasonName(status) ?? statusCode(status);
}

/** The number behind such a code. */
export function parseAnswerCode(code: string): number {
  return code.startsWith("0x") ? Number(code) : reasonNumber(code);
}

/** What clients may read of it: no word of another Bendre. */
export function codeForClients(code: string | null): string | null {
  return code?.startsWith("0x") ? code : null;
}

export function answerLabel(status: number): string {
  return reasonName(status) ?? statusLabel(status);
}

/** What an answer means, in words. */
export function answerMeaning(status: number): Phrase {
  const name = reasonName(status);
  return name === null ? statusMeaning(status).words : phrase("message.answer.of_bendre", { reason: name });
}

export function answerPhrase(status: number): Phrase {
  const name = reasonName(status);
  return name === null ? statusPhrase(status) : said(name);
}

/** The error that our clients read where another Bendre refuses a message for a reason. */
export function errorOfReason(name: string): MessageErrorCode {
  switch (name) {
    case "SENDER_NOT_APPROVED":
    case "SENDER_NOT_REGISTERED":
      return "SENDER_NOT_REGISTERED";
    case "INVALID_MSISDN":
    case "INVALID_DESTINATION":
    case "UNROUTABLE_PREFIX":
      return "INVALID_DESTINATION";
    case "OPERATOR_THROTTLED":
    case "NOT_ENCODABLE":
      return name;
    case "EXPIRED_IN_QUEUE":
    case "SCHEDULE_TOO_LATE":
      return "EXPIRED_AT_OPERATOR";
    case "CANCELLED":
    case "RESTORE_GIVEN_UP":
      return "DELETED_AT_OPERATOR";
    default:
      return "OPERATOR_REJECTED";
  }
}
