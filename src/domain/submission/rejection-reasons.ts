/**
 * Why a recipient was dropped (docs/public-api.md section 2.3, docs/behaviour.md#reasons-of-rejection), in the order in
 * which they are looked at.
 */
export const REJECTION_REASONS = [
  "INVALID_MSISDN",
  "DUPLICATE_IN_BATCH",
  "UNROUTABLE_PREFIX",
  "MISSING_ATTRIBUTE",
  "RENDERED_VALUE_EMPTY",
  "RENDERED_BODY_TOO_LONG",
  "RENDERED_BODY_EMPTY",
  "NOT_GSM7",
  "TOO_MANY_SEGMENTS",
  "SUPPRESSED",
  "QUIET_HOURS",
  "FREQUENCY_CAP_DAILY",
  "FREQUENCY_CAP_WEEKLY",
  "DUPLICATE_RECENT_BODY",
  "RATE_LIMIT_PER_DAY",
  "RATE_LIMIT_PER_MINUTE",
] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];
