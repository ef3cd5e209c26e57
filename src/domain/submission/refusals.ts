import type { Outcome, Refusal } from "../../core/refusals.ts";
import type { PaymentRefusalCode } from "../ledger/reservations.ts";

/** Why a submission is refused (docs/public-api.md section 7). Every caller has words for each. */
export type IntakeRefusalCode =
  | "VALIDATION_FAILED"
  | "BATCH_EMPTY"
  | "BATCH_BODY_EMPTY"
  | "SCHEDULE_INVALID"
  | "SENDER_NOT_APPROVED"
  | "ACCOUNT_SUSPENDED"
  | "CONFIGURATION_ERROR"
  | "SERVICE_UNAVAILABLE"
  | "STORAGE_FULL"
  | "RESTORING"
  | "RATE_LIMITED"
  | PaymentRefusalCode;

export type IntakeRefusal = Refusal<IntakeRefusalCode>;

export type IntakeOutcome<T> = Outcome<T, IntakeRefusalCode>;
