/** The states of a message, the moves between them, and the errors that it can end with. */
import { type CaseOf, type Phrase, phrase, said } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";

/** Why a message did not arrive, for clients (docs/behaviour.md#error-codes-of-messages). */
export const MESSAGE_ERRORS = {
  NO_ROUTE: { isPermanent: false },
  SENDER_NOT_REGISTERED: { isPermanent: true },
  INVALID_DESTINATION: { isPermanent: true },
  OPERATOR_REJECTED: { isPermanent: true },
  OPERATOR_THROTTLED: { isPermanent: false },
  NOT_ENCODABLE: { isPermanent: true },
  SUBMIT_OUTCOME_UNKNOWN: { isPermanent: false },
  EXPIRED_IN_QUEUE: { isPermanent: false },
  CANCELLED: { isPermanent: true },
  SCHEDULE_TOO_LATE: { isPermanent: true },
  SUPPRESSED: { isPermanent: true },
  ABSENT_SUBSCRIBER: { isPermanent: false },
  UNKNOWN_SUBSCRIBER: { isPermanent: true },
  HANDSET_ERROR: { isPermanent: false },
  NETWORK_ERROR: { isPermanent: false },
  EXPIRED_AT_OPERATOR: { isPermanent: false },
  DELETED_AT_OPERATOR: { isPermanent: true },
  REJECTED_AT_OPERATOR: { isPermanent: true },
  UNDELIVERABLE: { isPermanent: false },
  RECEIPT_NOT_RECEIVED: { isPermanent: false },
  RESTORE_GIVEN_UP: { isPermanent: false },
  WINDOW_CLOSED: { isPermanent: false },
  CHANNEL_LIMIT: { isPermanent: false },
  RECIPIENT_OPTED_OUT: { isPermanent: true },
  PARAMETER_REFUSED: { isPermanent: true },
  TEMPLATE_UNAVAILABLE: { isPermanent: true },
} as const satisfies Record<CaseOf<"message.error">, { isPermanent: boolean }>;

export type MessageErrorCode = keyof typeof MESSAGE_ERRORS;

export function isMessageErrorCode(name: string): name is MessageErrorCode {
  return Object.hasOwn(MESSAGE_ERRORS, name);
}

/**
 * What the guide says "later" or "if it still matters" of: the text was not delivered, and another try may be. Not those of which nobody
 * knows whether they arrived.
 */
const PASSING: ReadonlySet<string> = new Set<MessageErrorCode>([
  ...([
    "ABSENT_SUBSCRIBER",
    "HANDSET_ERROR",
    "NETWORK_ERROR",
    "EXPIRED_AT_OPERATOR",
    "UNDELIVERABLE",
  ] as const),
  ...(["OPERATOR_THROTTLED", "NO_ROUTE", "EXPIRED_IN_QUEUE", "SCHEDULE_TOO_LATE", "CHANNEL_LIMIT"] as const),
]);

/** Whether a text that failed for this may be delivered by another try. */
export function isPassing(code: string): boolean {
  return PASSING.has(code);
}

/** Reasons to give up a waiting message that are ours: its operator had no say in them. */
const OUR_OWN: ReadonlySet<string> = new Set<MessageErrorCode>([
  ...(["NO_ROUTE", "SENDER_NOT_REGISTERED", "NOT_ENCODABLE", "EXPIRED_IN_QUEUE"] as const),
  ...(["SCHEDULE_TOO_LATE", "SUPPRESSED", "RESTORE_GIVEN_UP"] as const),
]);

/** Whether a message that was given up for this says nothing of its operator. */
export function isOurOwn(code: string): boolean {
  return OUR_OWN.has(code);
}

/** What a message row keeps of an error; `operatorCode` is the operator's own, raw. */
export type MessageError = {
  readonly code: MessageErrorCode;
  readonly operatorCode: string | null;
};

/** Why a message did not arrive. A code unknown to this executable is shown as it is. */
export function errorPhrase(code: string): Phrase {
  return isMessageErrorCode(code) ? phrase(`message.error.${code}`) : said(code);
}

/** As clients are told, in English; rendered once. */
const DETAILS: ReadonlyMap<string, string> = new Map(
  Object.keys(MESSAGE_ERRORS).map((code) => [code, english(errorPhrase(code))]),
);

/** The public error object of a message, or null. */
export function errorObject(code: string | null, operatorCode: string | null) {
  if (code === null) return null;
  return {
    code,
    detail: DETAILS.get(code) ?? code,
    is_permanent: isMessageErrorCode(code) && MESSAGE_ERRORS[code].isPermanent,
    operator_code: operatorCode,
  };
}

/** The states of a message (docs/behaviour.md#states-of-a-message). */
export const STATUSES = ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"] as const;

export type Status = (typeof STATUSES)[number];

/**
 * Every move there is; what is not here can't happen. `decide` looks each move up here, the database CHECKs
 * what follows from it, and a test walks every pair.
 *
 * SUBMITTED is committed before the first byte leaves, so a message there may be with the operator. It goes back
 * to QUEUED only when it is known not to be (not written, or the operator asked for later), or when its class is
 * resent for want of an answer. From QUEUED straight to SENT goes a message that waits to be resent when the
 * answer to an earlier attempt comes late after all, and through SENT to its end one that its channel had taken back and has delivered
 * all the same. From SENT to QUEUED goes a message of a channel that accepts, and then says that it has not sent it and may be asked
 * again.
 */
export const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  QUEUED: ["SUBMITTED", "SENT", "FAILED", "CANCELLED"],
  SUBMITTED: ["QUEUED", "SENT", "FAILED"],
  SENT: ["QUEUED", "DELIVERED", "FAILED"],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
};
