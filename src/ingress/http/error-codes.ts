/** Every error code of the HTTP interfaces with its status, and how loudly it is logged (docs/behaviour.md#error-body). */
import type { LogLevel } from "../../core/log.ts";

type Entry = {
  /** HTTP status (docs/public-api.md section 7). */
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  readonly level: LogLevel;
  /** Whole seconds of `Retry-After`, where the place that refuses gives none of its own. */
  readonly retryAfterSeconds?: number;
};

/** Every error that clients can get, once: code, status, public words, whether a retry may help, level of the log. */
export const FAILURES = {
  VALIDATION_FAILED: { status: 422, title: "Validation failed", retryable: false, level: "info" },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 422,
    title: "Idempotency key required",
    retryable: false,
    level: "info",
  },
  BATCH_EMPTY: { status: 422, title: "Batch is empty", retryable: false, level: "info" },
  BATCH_BODY_EMPTY: { status: 422, title: "Batch body is empty", retryable: false, level: "info" },
  SCHEDULE_INVALID: { status: 422, title: "Schedule is invalid", retryable: false, level: "info" },
  SENDER_NOT_APPROVED: { status: 422, title: "Sender is not approved", retryable: false, level: "info" },
  TOO_MANY_HOPS: { status: 422, title: "Too many hops", retryable: false, level: "warn" },
  REQUEST_IN_PROGRESS: {
    status: 409,
    title: "Request in progress",
    retryable: true,
    level: "info",
    retryAfterSeconds: 1,
  },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: "Idempotency key reused", retryable: false, level: "info" },
  BATCH_ENDED: { status: 409, title: "Batch ended", retryable: false, level: "info" },
  INSUFFICIENT_FUNDS: { status: 402, title: "Insufficient funds", retryable: true, level: "info" },
  CREDIT_LIMIT_EXCEEDED: { status: 402, title: "Credit limit exceeded", retryable: true, level: "info" },
  WALLET_IN_DEBIT: { status: 402, title: "Wallet is in debit", retryable: true, level: "info" },
  UNAUTHORIZED: { status: 401, title: "Unauthorized", retryable: false, level: "info" },
  INSUFFICIENT_SCOPE: { status: 403, title: "Insufficient scope", retryable: false, level: "info" },
  ACCOUNT_SUSPENDED: { status: 403, title: "Account suspended", retryable: false, level: "info" },
  NOT_FOUND: { status: 404, title: "Not found", retryable: false, level: "debug" },
  UNSUPPORTED_VERSION: { status: 400, title: "Unsupported version", retryable: false, level: "info" },
  RATE_LIMITED: { status: 429, title: "Too many requests", retryable: true, level: "info" },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: "Service unavailable",
    retryable: true,
    level: "warn",
    retryAfterSeconds: 5,
  },
  STORAGE_FULL: {
    status: 503,
    title: "Storage full",
    retryable: true,
    level: "warn",
    retryAfterSeconds: 30,
  },
  RESTORING: { status: 503, title: "Restoring", retryable: true, level: "warn", retryAfterSeconds: 60 },
  CONFIGURATION_ERROR: { status: 500, title: "Service not configured", retryable: true, level: "error" },
  INTERNAL_ERROR: { status: 500, title: "Internal error", retryable: true, level: "error" },
} as const satisfies Record<string, Entry>;

/** The `Retry-After` a code has by itself, whole seconds; null where it has none, or one that only its cause knows. */
export function retryAfterSeconds(code: FailureCode): number | null {
  const entry: Entry = FAILURES[code];
  return entry.retryAfterSeconds ?? null;
}

export type FailureCode = keyof typeof FAILURES;
