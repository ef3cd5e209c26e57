/** What whoever sends may do for somebody who still has nothing, by why that is. Pure. */
import { isPassing } from "../../domain/messages/message-error.ts";

/** `ASK`: nobody knows whether it arrived. */
export type Remediation = "AGAIN" | "REGISTER" | "NUMBER" | "ROW" | "TEXT" | "LATER" | "ASK" | "NONE";

/** Of what is neither here nor passing nothing helps. */
const HELPS: Readonly<Record<string, Remediation>> = {
  SENDER_NOT_REGISTERED: "REGISTER",
  CANCELLED: "AGAIN",
  WINDOW_CLOSED: "LATER",
  INVALID_DESTINATION: "NUMBER",
  UNKNOWN_SUBSCRIBER: "NUMBER",
  NOT_ENCODABLE: "TEXT",
  PARAMETER_REFUSED: "ROW",
  TEMPLATE_UNAVAILABLE: "TEXT",
  SUBMIT_OUTCOME_UNKNOWN: "ASK",
  RESTORE_GIVEN_UP: "ASK",
  UNREADABLE_ROW: "NUMBER",
  INVALID_MSISDN: "NUMBER",
  UNROUTABLE_PREFIX: "NUMBER",
  NO_NUMBER: "NUMBER",
  NUMBER_SHORTENED: "NUMBER",
  NUMBER_WITH_DECIMALS: "NUMBER",
  DIGIT_MISSING: "NUMBER",
  WRONG_DIGITS: "NUMBER",
  NOT_A_NUMBER: "NUMBER",
  SAID: "NUMBER",
  TOO_MANY_CELLS: "ROW",
  FORMULA_FAILED: "ROW",
  CELL_DAMAGED: "ROW",
  CELL_TOO_LONG: "ROW",
  CHARACTER_LOST: "ROW",
  CHARACTER_NOT_SENDABLE: "ROW",
  REFERENCE_REFUSED: "ROW",
  MISSING_ATTRIBUTE: "ROW",
  RENDERED_VALUE_EMPTY: "ROW",
  RENDERED_BODY_EMPTY: "ROW",
  RENDERED_BODY_TOO_LONG: "TEXT",
  NOT_GSM7: "TEXT",
  TOO_MANY_SEGMENTS: "TEXT",
  QUIET_HOURS: "LATER",
  FREQUENCY_CAP_DAILY: "LATER",
  FREQUENCY_CAP_WEEKLY: "LATER",
  RATE_LIMIT_PER_DAY: "LATER",
  RATE_LIMIT_PER_MINUTE: "LATER",
};

export function chooseRemediation(code: string): Remediation {
  return isPassing(code) ? "AGAIN" : (HELPS[code] ?? "NONE");
}
