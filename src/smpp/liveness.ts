/**
 * How a session judges the other end: whether it is there and answers (`Liveness`), and by which time it is judged while our own
 * side does not read (`SessionTimer`).
 */
import type { Cancel, Clock } from "../core/clock.ts";

/**
 * Whether the other end is there, and whether it answers submits: two questions, because an SMSC may keep its connections up
 * while its message store is down. Any PDU at all is a sign of life. Nothing here acts; the session does.
 *
 * - Silence is followed by an enquire_link, sooner while submits wait, and silence after that makes the session dead. Some SMSCs
 *   never answer one: as long as this one has not, a whole enquire_link interval of silence is needed as well. A dead session
 *   takes no more submits, and is cut only when none waits for a response any more: until then a response may still come, and one
 *   that came after the cut would be lost and its message sent twice.
 * - Submits that time out while not one is answered make the session degraded. Then one submit at a time is risked, and only once
 *   a sign of life was seen; a single answer, a late one too, ends that. A risked submit without an answer asks for a new
 *   session, which begins degraded.
 */
export type Liveness = {
  responseTimeoutMs: number;
  enquireLinkMs: number;
  /** It answered an enquire_link, in this session or one before. */
  answersEnquiries: boolean;
  /** When the last PDU came. */
  heardAtMs: number;
  /** When the enquire_link that waits for a sign of life must have seen one; Infinity when none waits. */
  enquiryDeadlineMs: number;
  /** That time has come, without a sign of life. */
  isDead: boolean;
  /** When a submit was last answered, and how many timed out since without an answer to anyone while they waited. */
  answeredAtMs: number;
  timeoutsInRow: number;
  /** A sign of life came after the last of those timed out. */
  heardSince: boolean;
  /** The submit that was risked while degraded, and that it timed out. */
  trialRef: number | null;
  trialFailed: boolean;
};

const NEVER = Number.POSITIVE_INFINITY;
/** Single responses do get lost; so many in a row mean something. */
const DEGRADED_AFTER_TIMEOUTS = 3;

/** What one session learns for the next. */
export type SessionHistory = { readonly degraded: boolean; readonly answersEnquiries: boolean };

/** Nothing is known yet. */
export const NO_HISTORY: SessionHistory = { degraded: false, answersEnquiries: false };

export function toHistory(life: Liveness): SessionHistory {
  return { degraded: isDegraded(life), answersEnquiries: life.answersEnquiries };
}

export function createLiveness(
  responseTimeoutMs: number,
  enquireLinkMs: number,
  { degraded, answersEnquiries }: SessionHistory,
): Liveness {
  return {
    responseTimeoutMs,
    enquireLinkMs,
    answersEnquiries,
    heardAtMs: 0,
    enquiryDeadlineMs: NEVER,
    isDead: false,
    answeredAtMs: Number.NEGATIVE_INFINITY,
    timeoutsInRow: degraded ? DEGRADED_AFTER_TIMEOUTS : 0,
    heardSince: true,
    trialRef: null,
    trialFailed: false,
  };
}

export function isDegraded(life: Liveness): boolean {
  return life.timeoutsInRow >= DEGRADED_AFTER_TIMEOUTS;
}

/** How many submits may wait for their responses at once, out of a window of this size. */
export function maxOutstanding(life: Liveness, window: number): number {
  if (life.isDead) return 0;
  if (!isDegraded(life)) return window;
  return life.heardSince ? 1 : 0;
}

/** A PDU came in. */
export function heard(life: Liveness, nowMs: number): void {
  life.heardAtMs = nowMs;
  life.enquiryDeadlineMs = NEVER;
  life.isDead = false;
  life.heardSince = true;
}

/** A submit leaves. */
export function submitted(life: Liveness, ref: number): void {
  if (isDegraded(life)) life.trialRef = ref;
}

/** A submit was answered, in time or late, whatever the answer. */
export function noteSubmitAnswer(life: Liveness, nowMs: number): void {
  life.answeredAtMs = nowMs;
  life.timeoutsInRow = 0;
  life.trialRef = null;
  life.trialFailed = false;
}

/** Submits had no response in time. */
export function noteSubmitTimeouts(life: Liveness, refs: readonly number[], nowMs: number): void {
  const othersAnswered = life.answeredAtMs > nowMs - life.responseTimeoutMs;
  life.timeoutsInRow = othersAnswered ? 0 : life.timeoutsInRow + refs.length;
  life.heardSince = false;
  life.trialFailed ||= life.trialRef !== null && refs.includes(life.trialRef);
}

/**
 * When an enquire_link is due, or the one under way has waited long enough. `oldestSentMs` is when the oldest submit
 * without a response left, Infinity for none: half a response time of silence after it is worth asking about.
 */
export function enquiryAtMs(life: Liveness, oldestSentMs: number): number {
  if (life.isDead) return NEVER;
  if (life.enquiryDeadlineMs !== NEVER) return life.enquiryDeadlineMs;
  const whileWaitingMs = Math.max(life.heardAtMs, oldestSentMs) + life.responseTimeoutMs / 2;
  return Math.min(life.heardAtMs + life.enquireLinkMs, whileWaitingMs);
}

/** An enquire_link leaves. */
export function noteEnquiry(life: Liveness, nowMs: number): void {
  const sinceMs = life.answersEnquiries ? nowMs : Math.max(nowMs, life.heardAtMs + life.enquireLinkMs);
  life.enquiryDeadlineMs = sinceMs + life.responseTimeoutMs;
}

/**
 * The time by which the other end of a session is judged, in milliseconds that never run backwards. While the socket is not read,
 * an answer may be here and not seen: then time passes ten times slower, so that nobody is taken for silent because of us, and
 * whatever waits still has an end.
 */
export type SessionTimer = {
  readonly nowMs: () => number;
  readonly slow: () => void;
  readonly normal: () => void;
  /** Calls `due` at this time at the latest; Infinity asks for nothing. */
  readonly wakeBy: (atMs: number) => void;
  /** Makes no more calls. */
  readonly stop: () => void;
};

const SLOWER = 10;

/** `due` may be called early: it finds nothing due, and asks again. So a later deadline need not move the timer. */
export function createSessionTimer(clock: Clock, due: () => void): SessionTimer {
  /** Time that the slow stretches so far took away. */
  let lostMs = 0;
  let slowSinceMs: number | null = null;
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let cancel: Cancel = () => {};

  const lostNowMs = (): number =>
    slowSinceMs === null ? 0 : (clock.steadyMs() - slowSinceMs) * (1 - 1 / SLOWER);
  const nowMs = (): number => clock.steadyMs() - lostMs - lostNowMs();

  return {
    nowMs,
    slow: () => {
      slowSinceMs ??= clock.steadyMs();
    },
    normal: () => {
      lostMs += lostNowMs();
      slowSinceMs = null;
    },
    wakeBy: (atMs) => {
      if (atMs >= wakesAtMs) return;
      cancel();
      wakesAtMs = atMs;
      cancel = clock.after(Math.max(1, atMs - nowMs()), () => {
        wakesAtMs = Number.POSITIVE_INFINITY;
        due();
      });
    },
    stop: () => cancel(),
  };
}
