import {
  accepted,
  type CodeOfCase,
  type Outcome,
  type Refusal,
  type RefusalCase,
  refusalOf,
} from "../base/failures.ts";
import type { ParamsOf } from "../i18n/phrase.ts";
import type { IntakeRefusalCode } from "../intake/refusals.ts";

/** Why an administrative operation was not done. Scripts rely on these codes. */
export type AdminCode =
  /** What a client is told of a submission, an administrator is told too. */
  | IntakeRefusalCode
  | "IDEMPOTENCY_KEY_REUSED"
  | "REQUEST_IN_PROGRESS"
  | "ACCOUNT_NOT_FOUND"
  | "NO_ROOM"
  | "NOT_INSTALLED"
  | "ACCOUNT_AMBIGUOUS"
  | "ACCOUNT_CLOSED"
  | "ACCOUNT_NOT_SETTLED"
  | "ACCOUNT_IN_DEBT"
  | "NAME_TAKEN"
  | "INVALID_SHORT_NAME"
  | "KEY_NOT_FOUND"
  | "USER_NOT_FOUND"
  | "USER_DISABLED"
  | "LAST_OWNER"
  | "LOGIN_TAKEN"
  | "INVALID_LOGIN"
  | "INVALID_ROLE"
  | "INVALID_LANGUAGE"
  | "SENDER_NOT_FOUND"
  | "BATCH_NOT_FOUND"
  | "MESSAGE_NOT_FOUND"
  | "FILE_NOT_FOUND"
  | "PRICE_NOT_FOUND"
  | "WEBHOOK_NOT_FOUND"
  | "OPERATOR_UNKNOWN"
  | "RULE_UNKNOWN"
  | "NO_CHANNEL"
  | "ALARM_NOT_TOLD"
  | "CORRECTED_SINCE"
  | "TOO_MANY_CORRECTIONS"
  | "OPERATOR_CONFIGURED"
  | "OPERATOR_PAUSED"
  | "OPERATOR_DOWN"
  | "TOO_MANY_TESTS"
  /** The number is of another operator, by its prefix. */
  | "NUMBER_OF_ANOTHER"
  /** Nothing leaves at this moment. */
  | "NOT_NOW"
  | "CONNECTION_UNKNOWN"
  | "INVALID_TEXT"
  | "INVALID_NAME"
  | "INVALID_REASON"
  | "INVALID_REFERENCE"
  | "INVALID_AMOUNT"
  | "INVALID_NUMBER"
  | "INVALID_TIME"
  | "INVALID_TIMEZONE"
  | "INVALID_STATUS"
  | "INVALID_KEY"
  | "INVALID_SCOPE"
  | "INVALID_MODE"
  | "NO_SANDBOX"
  | "INVALID_CLASS"
  | "INVALID_SOURCE"
  | "INVALID_SENDER"
  | "INVALID_HOURS"
  | "INVALID_MSISDN"
  | "INVALID_NOTE"
  | "INVALID_FILE"
  | "INVALID_URL"
  | "INVALID_EVENT"
  | "CREDIT_LIMIT_NOT_ALLOWED"
  | "REFERENCE_REUSED"
  | "NOTHING_TO_CHANGE"
  /** Something of it may still happen. */
  | "NOT_FINAL"
  | "ERASURE_KEY_MISSING"
  | "BATCH_NOT_CANCELLABLE"
  | "WEBHOOK_DISABLED"
  | "SECRET_UNREADABLE"
  | "LEDGER_DIFFERENCES"
  | "BACKUP_NOT_FOUND"
  | "BACKUP_UNSOUND"
  | "BACKUP_FAILED"
  | "RESTORE_FAILED"
  | "DATA_PRESENT"
  | "SERVER_RUNNING"
  | "NOTHING_RESTORED"
  /** The disk would have less left than its reserve. */
  | "DISK_RESERVE"
  | "TOO_MANY_ENTRIES"
  /** The command line and the server do not agree on what commands there are. */
  | "COMMAND_UNKNOWN"
  | "CONFIG_INVALID"
  | "FILE_UNREADABLE"
  | "FILE_UNWRITABLE"
  /** The server stops: the command was not begun, or cut off. */
  | "STOPPING"
  | "STORE_BUSY"
  | "STORE_UNAVAILABLE"
  | "SERVER_LOST"
  | "SERVER_NOT_RUNNING"
  | "INTERNAL_ERROR";

/** A "no" to an administrator, in words that say what to do instead. Never holds a secret. */
export type AdminRefusal = Refusal<AdminCode>;

export type AdminOutcome<T> = Outcome<T, AdminCode>;

export const done = accepted;

type No<Code extends string> = { readonly ok: false; readonly refusal: Refusal<Code> };

/** The answer of a case that the catalogue words: `refuse("KEY_NOT_FOUND", { id })`, `refuse("INVALID_TIME.past", { time })`. */
export function refuse<Case extends RefusalCase>(
  name: Case,
  ...params: ParamsOf<`refusal.${Case}`>
): No<CodeOfCase<Case>> {
  return { ok: false, refusal: refusalOf(name, ...params) };
}

/** The answer to a command that only a running server can do. */
export function serverNotRunning(directory: string) {
  return refuse("SERVER_NOT_RUNNING", { directory });
}
