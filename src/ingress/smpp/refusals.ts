/**
 * Why a customer's PDU is refused, and with which command_status: the one table, which the guide has as well
 * (docs/guide/en/smpp.md). A reason keeps its status for ever: clients act on it.
 */
import { unreachable } from "../../core/assert.ts";
import type { RejectionReason } from "../../domain/submission/rejections.ts";
import type { IntakeRefusal } from "../../domain/submission/request.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";
import { STATUS } from "../../smpp/status.ts";

/**
 * The command_status of each reason (SMPP 3.4 section 5.1.3), in the order in which they are looked at down to the times; what
 * follows is looked at by the intake in its own order.
 */
export const REFUSALS = {
  WINDOW_EXCEEDED: STATUS.RMSGQFUL,
  TOO_MANY_PARTS: STATUS.RMSGQFUL,
  STORAGE_FULL: STATUS.RMSGQFUL,
  RESTORING: STATUS.RMSGQFUL,
  STOPPING: STATUS.RMSGQFUL,
  THROUGHPUT_EXCEEDED: STATUS.RTHROTTLED,
  RATE_LIMIT_PER_MINUTE: STATUS.RTHROTTLED,
  TEXT_EMPTY: STATUS.RINVMSGLEN,
  TEXT_TOO_LONG: STATUS.RINVMSGLEN,
  TEXT_TWICE: STATUS.RINVMSGLEN,
  UNSUPPORTED_UDH: STATUS.RINVESMCLASS,
  UNSUPPORTED_MODE: STATUS.RINVESMCLASS,
  UNSUPPORTED_CODING: STATUS.RSUBMITFAIL,
  UNDECODABLE_TEXT: STATUS.RSUBMITFAIL,
  UNSUPPORTED_PROTOCOL: STATUS.RSUBMITFAIL,
  REPLACE_UNSUPPORTED: STATUS.RINVREPFLAG,
  DEFAULT_MESSAGE_UNSUPPORTED: STATUS.RINVDFTMSGID,
  SCHEDULE_INVALID: STATUS.RINVSCHED,
  VALIDITY_INVALID: STATUS.RINVEXPIRY,
  SERVICE_TYPE_INVALID: STATUS.RINVSERTYP,
  CLIENT_REFERENCE_INVALID: STATUS.RINVOPTPARAMVAL,
  SENDER_NOT_APPROVED: STATUS.RINVSRCADR,
  INVALID_MSISDN: STATUS.RINVDSTADR,
  UNROUTABLE_PREFIX: STATUS.RINVDSTADR,
  SUPPRESSED: STATUS.RSUBMITFAIL,
  QUIET_HOURS: STATUS.RSUBMITFAIL,
  FREQUENCY_CAP_DAILY: STATUS.RSUBMITFAIL,
  FREQUENCY_CAP_WEEKLY: STATUS.RSUBMITFAIL,
  RATE_LIMIT_PER_DAY: STATUS.RSUBMITFAIL,
  DUPLICATE_RECENT_BODY: STATUS.RSUBMITFAIL,
  NOT_GSM7: STATUS.RSUBMITFAIL,
  TOO_MANY_SEGMENTS: STATUS.RSUBMITFAIL,
  CLASS_NOT_ALLOWED: STATUS.RSUBMITFAIL,
  INSUFFICIENT_FUNDS: STATUS.RSUBMITFAIL,
  CREDIT_LIMIT_EXCEEDED: STATUS.RSUBMITFAIL,
  WALLET_IN_DEBIT: STATUS.RSUBMITFAIL,
  ACCOUNT_SUSPENDED: STATUS.RSUBMITFAIL,
  CONFIGURATION_ERROR: STATUS.RSYSERR,
  INTERNAL_ERROR: STATUS.RSYSERR,
  MESSAGE_NOT_FOUND: STATUS.RQUERYFAIL,
  NOT_CANCELLABLE: STATUS.RCANCELFAIL,
} as const;

export type SmppRefusal = keyof typeof REFUSALS;

export function isSmppRefusal(text: string): text is SmppRefusal {
  return Object.hasOwn(REFUSALS, text);
}

/** What a reason means, in English, as clients that read it are told. */
export function toSentence(reason: SmppRefusal): string {
  return english(phrase(`smpp.refused.${reason}`));
}

const FOR_NOW: ReadonlySet<number> = new Set([STATUS.RSYSERR, STATUS.RMSGQFUL, STATUS.RTHROTTLED]);

/** Whether what was refused may be taken later: parts that came before wait on. */
export function isForNow(reason: SmppRefusal): boolean {
  return FOR_NOW.has(REFUSALS[reason]);
}

/** The reason of a recipient that the intake dropped. */
export function toRejectionRefusal(reason: RejectionReason): SmppRefusal {
  switch (reason) {
    case "RENDERED_BODY_TOO_LONG":
      return "TEXT_TOO_LONG";
    case "RENDERED_BODY_EMPTY":
    case "RENDERED_VALUE_EMPTY":
      return "TEXT_EMPTY";
    // One recipient, whose text has no tags.
    case "DUPLICATE_IN_BATCH":
    case "MISSING_ATTRIBUTE":
      return "INTERNAL_ERROR";
    case "INVALID_MSISDN":
    case "UNROUTABLE_PREFIX":
    case "NOT_GSM7":
    case "TOO_MANY_SEGMENTS":
    case "SUPPRESSED":
    case "QUIET_HOURS":
    case "FREQUENCY_CAP_DAILY":
    case "FREQUENCY_CAP_WEEKLY":
    case "DUPLICATE_RECENT_BODY":
    case "RATE_LIMIT_PER_DAY":
    case "RATE_LIMIT_PER_MINUTE":
      return reason;
    default:
      return unreachable(reason, "reason of a rejection");
  }
}

/** The reason of a submission that the intake refused as a whole. */
export function toIntakeRefusal({ code, faults }: IntakeRefusal, isStopping: boolean): SmppRefusal {
  switch (code) {
    case "VALIDATION_FAILED": {
      const path = faults?.[0]?.path ?? "";
      if (path === "/message_class") return "CLASS_NOT_ALLOWED";
      if (path === "/sender") return "SENDER_NOT_APPROVED";
      if (path === "/client_reference") return "CLIENT_REFERENCE_INVALID";
      if (path === "/body") return "TEXT_TOO_LONG";
      return path.startsWith("/recipients") ? "INVALID_MSISDN" : "INTERNAL_ERROR";
    }
    case "BATCH_BODY_EMPTY":
      return "TEXT_EMPTY";
    case "BATCH_EMPTY":
      return "INVALID_MSISDN";
    // Too many recipients of the account were rejected today.
    case "RATE_LIMITED":
      return "RATE_LIMIT_PER_DAY";
    case "SERVICE_UNAVAILABLE":
      return isStopping ? "STOPPING" : "INTERNAL_ERROR";
    case "SCHEDULE_INVALID":
    case "SENDER_NOT_APPROVED":
    case "ACCOUNT_SUSPENDED":
    case "CONFIGURATION_ERROR":
    case "STORAGE_FULL":
    case "RESTORING":
    case "INSUFFICIENT_FUNDS":
    case "CREDIT_LIMIT_EXCEEDED":
    case "WALLET_IN_DEBIT":
      return code;
    default:
      return unreachable(code, "refusal of a submission");
  }
}
