/** Why a message did not arrive, for clients (docs/behaviour.md#error-codes-of-messages). */
export const MESSAGE_ERRORS = {
  NO_ROUTE: { detail: "The operator was retired before the message could leave.", isPermanent: false },
  SENDER_NOT_REGISTERED: {
    detail: "The sender is not registered with the recipient's operator.",
    isPermanent: true,
  },
  INVALID_DESTINATION: { detail: "The operator does not accept the number.", isPermanent: true },
  OPERATOR_REJECTED: { detail: "The operator refused the message.", isPermanent: true },
  OPERATOR_THROTTLED: {
    detail: "The operator asked to try later until the message's validity or its tries were over.",
    isPermanent: false,
  },
  NOT_ENCODABLE: {
    detail: "The message cannot be written in the operator's protocol.",
    isPermanent: true,
  },
  SUBMIT_OUTCOME_UNKNOWN: {
    detail: "The operator never said whether it accepted the message.",
    isPermanent: false,
  },
  EXPIRED_IN_QUEUE: { detail: "The message's validity was over before it could leave.", isPermanent: false },
  CANCELLED: { detail: "The batch was cancelled.", isPermanent: true },
  SCHEDULE_TOO_LATE: { detail: "The batch would have left more than 30 minutes late.", isPermanent: true },
  SUPPRESSED: { detail: "The recipient has opted out since the batch was accepted.", isPermanent: true },
  ABSENT_SUBSCRIBER: { detail: "The phone could not be reached.", isPermanent: false },
  UNKNOWN_SUBSCRIBER: { detail: "The number is not in service.", isPermanent: true },
  HANDSET_ERROR: { detail: "The phone could not take the message.", isPermanent: false },
  NETWORK_ERROR: { detail: "The operator's network could not deliver the message.", isPermanent: false },
  EXPIRED_AT_OPERATOR: {
    detail: "The operator gave up: its validity period was over.",
    isPermanent: false,
  },
  DELETED_AT_OPERATOR: { detail: "The operator deleted the message.", isPermanent: true },
  REJECTED_AT_OPERATOR: {
    detail: "The operator rejected the message after accepting it.",
    isPermanent: true,
  },
  UNDELIVERABLE: { detail: "The operator could not deliver the message.", isPermanent: false },
  RECEIPT_NOT_RECEIVED: {
    detail: "The operator accepted the message and never reported what became of it.",
    isPermanent: false,
  },
  RESTORE_GIVEN_UP: {
    detail:
      "The service was restored from a backup; whether the message had left before was not known, and it was given up.",
    isPermanent: false,
  },
  WINDOW_CLOSED: {
    detail: "The recipient has not written in the last 24 hours, and free text needs that.",
    isPermanent: false,
  },
  CHANNEL_LIMIT: {
    detail: "WhatsApp limits what this recipient gets, and did not deliver the message.",
    isPermanent: false,
  },
  RECIPIENT_OPTED_OUT: {
    detail: "The recipient has stopped marketing messages of this sender in WhatsApp.",
    isPermanent: true,
  },
  PARAMETER_REFUSED: { detail: "WhatsApp refused a value of the message.", isPermanent: true },
  TEMPLATE_UNAVAILABLE: {
    detail: "The template cannot be used: it is gone, stopped or of another category.",
    isPermanent: true,
  },
} as const satisfies Record<string, { detail: string; isPermanent: boolean }>;

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

/** Why a message is given up that waits, where its operator had no say in it. */
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

/** The public error object of a message, or null. A code unknown to this executable is shown as it is. */
export function errorObject(code: string | null, operatorCode: string | null) {
  if (code === null) return null;
  const known = Object.hasOwn(MESSAGE_ERRORS, code) ? MESSAGE_ERRORS[code as MessageErrorCode] : null;
  return {
    code,
    detail: known?.detail ?? code,
    is_permanent: known?.isPermanent ?? false,
    operator_code: operatorCode,
  };
}
