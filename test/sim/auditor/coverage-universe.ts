/** What there is to reach, by the specification: what no run reaches is told as missing. */
import { SMPP_NAMES } from "./smpp-coverage.ts";

const REASONS = [
  "INVALID_MSISDN",
  "DUPLICATE_IN_BATCH",
  "UNROUTABLE_PREFIX",
  "RENDERED_BODY_EMPTY",
  "TOO_MANY_SEGMENTS",
  "SUPPRESSED",
  "QUIET_HOURS",
  "FREQUENCY_CAP_DAILY",
  "FREQUENCY_CAP_WEEKLY",
  "DUPLICATE_RECENT_BODY",
  "RATE_LIMIT_PER_DAY",
  "RATE_LIMIT_PER_MINUTE",
];

const ERRORS = [
  "VALIDATION_FAILED",
  "IDEMPOTENCY_KEY_REQUIRED",
  "BATCH_EMPTY",
  "BATCH_BODY_EMPTY",
  "SCHEDULE_INVALID",
  "SENDER_NOT_APPROVED",
  "REQUEST_IN_PROGRESS",
  "IDEMPOTENCY_KEY_REUSED",
  "INSUFFICIENT_FUNDS",
  "CREDIT_LIMIT_EXCEEDED",
  "WALLET_IN_DEBIT",
  "UNAUTHORIZED",
  "INSUFFICIENT_SCOPE",
  "ACCOUNT_SUSPENDED",
  "NOT_FOUND",
  "UNSUPPORTED_VERSION",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "CONFIGURATION_ERROR",
];

/** NOT_ENCODABLE is not among them: what no connection can carry, no configuration lets through, and a test alone brings it about. */
const MESSAGE_CODES = [
  "NO_ROUTE",
  "SENDER_NOT_REGISTERED",
  "INVALID_DESTINATION",
  "OPERATOR_REJECTED",
  "OPERATOR_THROTTLED",
  "SUBMIT_OUTCOME_UNKNOWN",
  "EXPIRED_IN_QUEUE",
  "CANCELLED",
  "SCHEDULE_TOO_LATE",
  "SUPPRESSED",
  "ABSENT_SUBSCRIBER",
  "UNKNOWN_SUBSCRIBER",
  "HANDSET_ERROR",
  "NETWORK_ERROR",
  "EXPIRED_AT_OPERATOR",
  "DELETED_AT_OPERATOR",
  "REJECTED_AT_OPERATOR",
  "UNDELIVERABLE",
  "RECEIPT_NOT_RECEIVED",
];

const EVENTS = [
  "MESSAGE_TERMINAL",
  "BATCH_SETTLED",
  "BATCH_ACCEPTED",
  "BATCH_REJECTED",
  "BATCH_FAILED",
  "BATCH_CANCELLED",
  "WALLET_LOW",
  "WEBHOOK_TEST",
];

const MOVES = [
  "QUEUED → FAILED SENDER_NOT_REGISTERED",
  "QUEUED → FAILED NO_ROUTE",
  "QUEUED → FAILED EXPIRED_IN_QUEUE",
  "QUEUED → CANCELLED CANCELLED",
  "QUEUED → CANCELLED SCHEDULE_TOO_LATE",
  "QUEUED → CANCELLED SUPPRESSED",
  "accepted whole, ended DELIVERED",
  "accepted whole, ended FAILED UNDELIVERABLE",
  "accepted whole, ended SENT",
  "accepted whole, ended SENT RECEIPT_NOT_RECEIVED",
  "accepted in part, ended FAILED OPERATOR_REJECTED",
  "accepted in part, ended FAILED SUBMIT_OUTCOME_UNKNOWN",
  "not accepted, ended FAILED OPERATOR_REJECTED",
  "not accepted, ended FAILED SUBMIT_OUTCOME_UNKNOWN",
  "not accepted, ended FAILED EXPIRED_IN_QUEUE",
  "not accepted, ended CANCELLED CANCELLED",
  "settled by a receipt alone, ended DELIVERED",
  "settled by a receipt alone, ended FAILED",
  "lost on its way, sent again",
  "refused, sent again",
  "unanswered, sent again",
  "unanswered, waits",
  "late answer after it was sent again",
  "sent again by the next life",
];

const COMMANDS = [
  "account create",
  "account set",
  "account suspend",
  ...(["operator pause", "operator resume", "operator reconnect"] as const),
  "account resume",
  "key create",
  "key revoke",
  "wallet topup",
  "wallet adjust",
  "wallet statement",
  "wallet invoice",
  "sender register",
  "sender unregister",
  "suppression add",
  "suppression remove",
  "price set",
  "price unset",
  "batch cancel",
  "batch list",
  "message trace",
  "operator unanswered",
  "operator receipts",
  "operator rename",
  "operator retire",
  "inbound list",
  "webhook update",
  "webhook enable",
  "webhook disable",
  "webhook replay",
  "webhook test",
  "ledger check",
  "backup create",
  "backup drill",
  "clock accept",
  "broken off",
];

/** What the world does, by the kinds of a plan's steps. */
export const FAULTS: readonly string[] = [
  "kill",
  "stop",
  "sync fails",
  "habits",
  "cloud habits",
  "template",
  "template moves",
  "template notice",
  "template quality",
  "whatsapp text",
  "whatsapp preference",
  "drop",
  "smpp drop",
  "half open",
  "slow link",
  "stall",
  "unreachable",
  "unbind",
  "garbage",
  "mo",
  "receiver habits",
  "disk",
  "clock",
  "busy",
  "rename operator",
  "retire operator",
];

const DEATHS = ["before", "inside", "after", "in a checkpoint", "between two commits", "at rest"];
const PARTS = ["while it starts", "while it runs", "while it stops"];

const RECEIPTS = ["DELIVRD", "EXPIRED", "DELETED", "UNDELIV", "REJECTD", "ENROUTE", "ACCEPTD", "UNKNOWN"];
const ANSWERS = ["0x00", "0x08", "0x0A", "0x0B", "0x14", "0x45", "0x58", "0x64", "0xFF"];

/** Meta's codes as answers to posts. */
const CODES = [
  ...[130429, 131056, 80007, 4, 131026, 131049, 132000, 100, 139999, 131057, 190, 131042, 1, 131000],
  139200,
];
const ENDS_BY_WHATSAPP = [
  "DELIVERED",
  "SENT RECEIPT_NOT_RECEIVED",
  "CANCELLED CANCELLED",
  "FAILED UNKNOWN_SUBSCRIBER",
  "FAILED CHANNEL_LIMIT",
  "FAILED RECIPIENT_OPTED_OUT",
  "FAILED PARAMETER_REFUSED",
  "FAILED TEMPLATE_UNAVAILABLE",
  "FAILED WINDOW_CLOSED",
  "FAILED OPERATOR_REJECTED",
  "FAILED OPERATOR_THROTTLED",
  "FAILED SUBMIT_OUTCOME_UNKNOWN",
  "FAILED EXPIRED_IN_QUEUE",
];

/** What becomes of messages to operators that several routes lead to. */
const ROUTES = [
  ...["took over", "went back to the better", "accepted by two", "by another, and by the first again"],
  ...["refused, by another", "put off, by another", "not answered, by another", "answered late, by another"],
  ...["refused a part, and kept the rest", "each refused, ended FAILED OPERATOR_REJECTED"],
  ...["each refused, ended DELIVERED", "delivered by two, a part each"],
  ...["paused, and others carry", "a sender of one alone", "several at one pace"],
  ...["once more, since nothing was heard", "ill by its deliveries", "ill by its take-overs"],
];

/** Every name that a run may reach and should, some time. */
export const UNIVERSE: readonly string[] = [
  ...named("rejection", REASONS),
  ...named("error", ERRORS),
  ...named("answer", ["200", "201", "202", "none", "replayed"]),
  ...named("message", ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"]),
  ...named("message code", MESSAGE_CODES),
  ...named("move", MOVES),
  ...named("batch", [
    "VALIDATING",
    "SCHEDULED",
    "QUEUED",
    "SENDING",
    "SETTLED",
    "REJECTED",
    "FAILED",
    "CANCELLED",
  ]),
  ...named("endpoint", ["ENABLED", "DISABLED_BY_USER", "DISABLED_AFTER_FAILURES"]),
  ...named("event", EVENTS),
  ...named("event answer", ["200", "410", "500", "broken", "silent"]),
  ...named("command", COMMANDS),
  ...named("life", ["starting", "ready", "stopping", "stopped", "killed", "power lost", "failed"]),
  ...[...DEATHS, ...PARTS].flatMap((where) => named("death", [`process, ${where}`, `power, ${where}`])),
  ...named("disk", ["full", "read only", "reserved", "spent", "well"]),
  ...named("clock", ["set forward", "set back"]),
  ...named("wire", [
    "data_coding 0",
    "data_coding 8",
    "user data header",
    "SAR parameters",
    "message_payload",
  ]),
  ...named("centre", [...ANSWERS.map((code) => `answered ${code}`), "no answer", "several answers"]),
  ...named("deliver", [
    ...RECEIPTS.map((state) => `receipt ${state}`),
    "receipt DELIVRD, not marked",
    "receipt in message_payload",
    "receipt in a data_sm",
    "a subscriber's text",
  ]),
  ...named("post", ["200", "broken", "silent", "500", ...CODES.map((code) => `code ${code}`)]),
  ...named("status", ["sent", "delivered", "read", "failed"]),
  ...named("call", ["forged", "answered 200", "answered 401", "answered never"]),
  ...named(
    "by whatsapp",
    ENDS_BY_WHATSAPP.map((end) => `ended ${end}`),
  ),
  ...named("user", ["a text", "STOP", "stop", "resume"]),
  ...named("news", [
    ...["status PAUSED", "status DISABLED", "status APPROVED", "moved MARKETING", "moved UTILITY"],
    ...["announced MARKETING", "announced UTILITY", "quality RED", "quality GREEN"],
  ]),
  ...named("fallback", [
    ...[
      "DELIVERED by WhatsApp",
      "DELIVERED by SMS",
      "DELIVERED by WhatsApp again",
      "FAILED by SMS",
      "SENT by SMS",
    ].map((end) => `ended ${end}`),
    ...["silence", "UNKNOWN_SUBSCRIBER", "CHANNEL_LIMIT", "PARAMETER_REFUSED", "WINDOW_CLOSED"].map(
      (why) => `after ${why}`,
    ),
    "arrived by both",
  ]),
  ...named("route", ROUTES),
  ...named("smpp", SMPP_NAMES),
  ...named("fault", FAULTS),
  ...pairsOf(FAULTS).map((pair) => `faults: ${pair}`),
];

function named(kind: string, names: readonly string[]): string[] {
  return names.map((name) => `${kind}: ${name}`);
}

function pairsOf(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  return sorted.flatMap((one, index) => sorted.slice(index + 1).map((other) => `${one} + ${other}`));
}
