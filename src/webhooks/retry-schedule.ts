/**
 * When an event is attempted again, and what an endpoint's failures lead to (docs/behaviour.md#attempts,
 * #failing-endpoints). Pure: the time and the chance are arguments.
 */
import { type Chance, jitter } from "../core/chance.ts";

/** The delays of the table `[webhooks]` of the configuration. */
export type Delays = {
  readonly retry_seconds: readonly number[];
  readonly probe_seconds: readonly number[];
};

/** How one attempt ended. */
export type PostVerdict =
  | { readonly kind: "delivered" }
  | {
      readonly kind: "failed";
      /** HTTP status; null when there was no answer. */
      readonly status: number | null;
      /** What `Retry-After` asked for; null when it asked for nothing. */
      readonly retryAfterMs: number | null;
    };

type Failure = Extract<PostVerdict, { kind: "failed" }>;

const RETRY_JITTER = 0.2;
/** `Retry-After` is honoured up to this. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const GONE = 410;
/** The statuses whose `Retry-After` speaks of the receiver and not of one request (RFC 6585 section 4, RFC 9110 section 15.6.4). */
const RECEIVER_WIDE: readonly (number | null)[] = [429, 503];

/**
 * When an event whose attempt number `attempts` (from 1) has failed is due again, epoch milliseconds; null when it is
 * given up: after the last delay, or because the receiver says it is gone for good.
 */
export function deriveNextAttempt(
  attempts: number,
  failure: Failure,
  nowMs: number,
  delays: Delays,
  chance: Chance,
): number | null {
  const seconds = delays.retry_seconds[attempts - 1];
  if (seconds === undefined || failure.status === GONE) return null;
  const scheduledMs = Math.round(jitter(chance, seconds * 1000, RETRY_JITTER));
  return nowMs + Math.max(scheduledMs, heldMs(failure));
}

/** The longest that an event waits for its next attempt, or an endpoint rests. */
export function longestWaitMs({ retry_seconds, probe_seconds }: Delays): number {
  const retryMs = retry_seconds.map((seconds) => seconds * 1000 * (1 + RETRY_JITTER));
  return Math.max(MAX_RETRY_AFTER_MS, ...retryMs, ...probe_seconds.map((seconds) => seconds * 1000));
}

/**
 * Failures in a row after which an endpoint is only probed, and after which it is disabled (docs/public-api.md section
 * 8).
 */
export const FAILURES_TO_PROBE = 3;
export const FAILURES_TO_DISABLE = 20;

/** The health of an endpoint. */
export type EndpointHealth = {
  readonly consecutiveFailures: number;
  /** Rises with every failure that counted: an attempt that began in an earlier round failed together with it. */
  readonly round: number;
  /** Nothing is attempted before, epoch milliseconds. */
  readonly notBeforeMs: number;
  /** The part of that rest that the receiver asked for itself, which the success of an attempt in flight does not end. */
  readonly askedUntilMs: number;
};

export type HealthAfter = {
  readonly health: EndpointHealth;
  /** The endpoint answers again after it was only probed: its waiting events may go at once. */
  readonly isBack: boolean;
  /** It has failed for the last time: it is disabled. */
  readonly isOver: boolean;
};

/**
 * What the end of an attempt that began in `round` says about its endpoint. Attempts that were in flight when a failure
 * was counted count with it as one, so that an outage of seconds under load does not use up twenty.
 */
export function healthAfter(
  before: EndpointHealth,
  round: number,
  end: PostVerdict,
  nowMs: number,
  delays: Delays,
): HealthAfter {
  if (end.kind === "delivered") {
    return {
      health: { ...before, consecutiveFailures: 0, notBeforeMs: before.askedUntilMs },
      isBack: before.consecutiveFailures >= FAILURES_TO_PROBE,
      isOver: false,
    };
  }
  const askedMs = RECEIVER_WIDE.includes(end.status) && end.retryAfterMs !== null ? nowMs + heldMs(end) : 0;
  const askedUntilMs = Math.max(before.askedUntilMs, askedMs);
  if (round !== before.round) {
    const notBeforeMs = Math.max(before.notBeforeMs, askedUntilMs);
    return { health: { ...before, notBeforeMs, askedUntilMs }, isBack: false, isOver: false };
  }
  const consecutiveFailures = before.consecutiveFailures + 1;
  const health = {
    consecutiveFailures,
    round: before.round + 1,
    notBeforeMs: Math.max(before.notBeforeMs, askedUntilMs, probeAtMs(consecutiveFailures, nowMs, delays)),
    askedUntilMs,
  };
  return { health, isBack: false, isOver: consecutiveFailures >= FAILURES_TO_DISABLE };
}

/**
 * How many attempts may be in flight at once to an endpoint that may have up to `width` while it is well: one since its
 * first failure, and none before its time.
 */
export function deriveMaxInFlight(health: EndpointHealth, width: number, nowMs: number): number {
  if (nowMs < health.notBeforeMs) return 0;
  return health.consecutiveFailures === 0 ? width : 1;
}

/** After the third failure the endpoint rests between attempts, longer each time. */
function probeAtMs(failures: number, nowMs: number, delays: Delays): number {
  if (failures < FAILURES_TO_PROBE) return 0;
  const step = Math.min(failures - FAILURES_TO_PROBE, delays.probe_seconds.length - 1);
  return nowMs + (delays.probe_seconds[step] ?? 0) * 1000;
}

function heldMs({ retryAfterMs }: Failure): number {
  return Math.min(Math.max(0, retryAfterMs ?? 0), MAX_RETRY_AFTER_MS);
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Reads `Retry-After`: seconds or an HTTP date (RFC 9110 section 10.2.3), as milliseconds from now; null when neither. */
export function readRetryAfter(text: string | null, nowMs: number): number | null {
  const plain = text?.trim() ?? "";
  if (/^\d{1,10}$/.test(plain)) return Number(plain) * 1000;
  if (!IMF_FIXDATE.test(plain)) return null;
  const atMs = Date.parse(plain);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
