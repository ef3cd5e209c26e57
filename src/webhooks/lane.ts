/**
 * Everything in flight to one enabled endpoint: which event goes next, how many at once, and what came of them. It keeps
 * no time of its own and writes nothing: the dispatcher starts attempts and takes the outcome away.
 */
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { TraceLog } from "../core/steps.ts";
import type { Reader } from "../db/read.ts";
import type { Post, PostEnd } from "../https/post.ts";
import type { HttpsTarget } from "../https/target.ts";
import type { Phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { Endpoint } from "./endpoints.ts";
import type { LogEnds, WaitingEvent } from "./fan-out.ts";
import { createEndpointQueue } from "./lane-queue.ts";
import { ATTEMPTS_KEPT, type EndpointAttempt, type EndpointOutcome, type Retry } from "./outcomes.ts";
import {
  type Delays,
  type EndpointHealth,
  type HealthAfter,
  healthAfter,
  longestWaitMs,
  deriveMaxInFlight,
  nextAttemptAt,
  type PostVerdict,
  readRetryAfter,
} from "./schedule.ts";
import type { SigningKey } from "./secrets.ts";
import { toSignedHeaders } from "./signature.ts";

export type EndpointWorkerDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly delays: () => Delays;
  readonly post: Post;
  /** Ends attempts under way when the appliance stops. */
  readonly stop: AbortSignal;
  /** Shared by all lanes. */
  readonly counts: AttemptCounts;
  /** Told after every attempt, also when nobody takes notice of it any more. */
  readonly onEnd: () => void;
  /** Told when an event could not be made: the lane is to be opened again. */
  readonly onBroken: (error: unknown) => void;
};

type AttemptCounts = {
  delivered: number;
  failed: number;
  givenUp: number;
  disabled: number;
  attemptsMs: number;
};

type LaneEndpoint = {
  readonly endpoint: Endpoint;
  readonly target: HttpsTarget;
  readonly keys: readonly SigningKey[];
};

export type EndpointWorker = {
  readonly endpointId: number;
  /** The endpoint's id as people see it. */
  readonly webhookId: string;
  readonly accountId: number;
  readonly revision: number;
  /** Notes how far the account's logs go. */
  readonly grow: (ends: LogEnds) => void;
  /** Takes over retries that are due, but for those it has already. */
  readonly due: (retries: readonly Retry[]) => void;
  /** Begins one attempt. "again": there was nothing in what was read, and there is more to read. */
  readonly startOne: () => "started" | "again" | "nothing";
  readonly inFlight: () => number;
  /** Nothing is attempted before, epoch milliseconds. */
  readonly restsUntilMs: () => number;
  /** What came of attempts since the last time; null when nothing did. */
  readonly takeOutcome: () => EndpointOutcome | null;
  /** Begins no attempt until an outcome is durable: the last one could not be written yet. */
  readonly hold: () => void;
  /** Called once an outcome is durable. */
  readonly settled: (outcome: EndpointOutcome) => void;
  /** Takes no notice any more of attempts under way: their events are tried again, at once after the next start. */
  readonly leaveOff: () => void;
  /** Begins no attempt any more, and takes no notice of those under way. */
  readonly close: () => void;
};

/** Attempts in flight to an endpoint that is well: few at first, more with every success. */
const FIRST_WIDTH = 4;
const MAX_WIDTH = 32;

/** How an endpoint is doing as this process knows it, and how many attempts it may have in flight while it is well. */
type Standing = { health: EndpointHealth; width: number };

export function openEndpointWorker(workers: EndpointWorkerDeps, { endpoint, target, keys }: LaneEndpoint): EndpointWorker {
  const deps = isSandbox(endpoint.accountId) ? { ...workers, counts: nobodysCounts() } : workers;
  const { clock, delays } = deps;
  const queue = createEndpointQueue(deps.read, clock, endpoint);
  const book = outcomeBook(endpoint);
  const standing: Standing = { health: healthOf(endpoint), width: FIRST_WIDTH };
  const conclude = conclusions(deps, endpoint.ulid, book, standing);
  const under = underWay(book);
  let inFlight = 0;
  let isClosed = false;

  const attempt = async (waiting: WaitingEvent): Promise<void> => {
    const { round } = standing.health;
    const [atMs, beganMs] = [clock.nowMs(), clock.steadyMs()];
    const body = await waiting.body();
    const headers = toSignedHeaders(keys, waiting.eventId, body, atMs);
    under.began(waiting, body);
    const end = await deps.post(target, headers, body, deps.stop);
    if (!under.ended(waiting) || isClosed) return;
    const durationMs = Math.round(clock.steadyMs() - beganMs);
    deps.counts.attemptsMs += durationMs;
    const { eventId, type } = waiting;
    book.attempted({ eventId, type, at: atMs, durationMs, status: end.status, error: end.error });
    const { steps } = deps.log;
    if (steps) tellAttempt(steps, endpoint.ulid, waiting, body, { ...end, durationMs });
    conclude(waiting, body, round, end);
  };

  const begin = (waiting: WaitingEvent): void => {
    inFlight += 1;
    attempt(waiting)
      .catch(deps.onBroken)
      .finally(() => {
        inFlight -= 1;
        deps.onEnd();
      });
  };

  return {
    endpointId: endpoint.id,
    webhookId: endpoint.ulid,
    accountId: endpoint.accountId,
    revision: endpoint.revision,
    grow: queue.grow,
    due: queue.due,
    startOne: () => {
      const nowMs = clock.nowMs();
      endRestBeyond(standing, nowMs, delays);
      const { health, width } = standing;
      if (isClosed || !book.mayBegin() || inFlight >= deriveMaxInFlight(health, width, nowMs)) return "nothing";
      const next = queue.takeNext(health.consecutiveFailures > 0);
      if (!next) return queue.hasMore() ? "again" : "nothing";
      begin(next);
      return "started";
    },
    inFlight: () => inFlight,
    restsUntilMs: () => standing.health.notBeforeMs,
    takeOutcome: () => (isClosed ? null : queue.leaving(book.take(queue.cursors()))),
    hold: book.hold,
    settled: (outcome) => {
      book.written();
      queue.settled(outcome);
    },
    leaveOff: () => under.leaveOff(clock.nowMs()),
    close: () => {
      isClosed = true;
    },
  };
}

/** Attempts of a sandbox are in no figure (docs/behaviour.md#test-keys). */
function nobodysCounts(): AttemptCounts {
  return { delivered: 0, failed: 0, givenUp: 0, disabled: 0, attemptsMs: 0 };
}

/** Ends a rest that is longer than any: a clock that was set back since dated it. */
function endRestBeyond(standing: Standing, nowMs: number, delays: () => Delays): void {
  const restMs = standing.health.notBeforeMs - nowMs;
  if (restMs <= 0 || restMs <= longestWaitMs(delays())) return;
  standing.health = { ...standing.health, notBeforeMs: 0, askedUntilMs: 0 };
}

function healthOf({ consecutiveFailures, notBefore }: Endpoint): EndpointHealth {
  return { consecutiveFailures, round: 0, notBeforeMs: notBefore, askedUntilMs: 0 };
}

/** What the end of an attempt comes to: for the endpoint's standing, for the event, and in the log. */
function conclusions(
  { clock, counts, delays, chance, log: general }: EndpointWorkerDeps,
  webhookId: string,
  book: OutcomeBook,
  standing: Standing,
) {
  const log = general.with({ webhook_id: webhookId });
  const leave = ({ eventId, leave: fromLog }: WaitingEvent): void => {
    if (fromLog) fromLog();
    else book.finished(eventId);
  };
  const delivered = (waiting: WaitingEvent): void => {
    standing.width = Math.min(MAX_WIDTH, standing.width + 1);
    counts.delivered += 1;
    leave(waiting);
  };
  const failed = (waiting: WaitingEvent, body: string, error: Phrase, dueAt: number | null): void => {
    standing.width = FIRST_WIDTH;
    counts.failed += 1;
    const { eventId, type } = waiting;
    const attempts = waiting.attempts + 1;
    if (dueAt === null) {
      counts.givenUp += 1;
      log.warn("webhook event given up", { event_id: eventId, type, attempts, error: english(error) });
      leave(waiting);
    } else {
      book.retry({ eventId, type, body, attempts, dueAt });
      waiting.leave?.();
    }
  };
  /** `round`: of the endpoint's health when the attempt began. */
  return (waiting: WaitingEvent, body: string, round: number, end: PostEnd): void => {
    const nowMs = clock.nowMs();
    const verdict = verdictOf(end, nowMs);
    const after = healthAfter(standing.health, round, verdict, nowMs, delays());
    const failures = after.health.consecutiveFailures;
    const isCounted = failures > standing.health.consecutiveFailures;
    standing.health = after.health;
    book.standing(after.health, after);
    const { error } = end;
    if (verdict.kind === "delivered" || error === null) {
      delivered(waiting);
      return;
    }
    if (isCounted)
      log.info("webhook attempt failed", { event_id: waiting.eventId, error: english(error), failures });
    failed(waiting, body, error, nextAttemptAt(waiting.attempts + 1, verdict, nowMs, delays(), chance));
    if (after.isOver) {
      counts.disabled += 1;
      log.warn("webhook disabled after failures", { failures, error: english(error) });
    }
  };
}

function verdictOf({ status, retryAfter, error }: PostEnd, nowMs: number): PostVerdict {
  if (error === null) return { kind: "delivered" };
  return { kind: "failed", status, retryAfterMs: readRetryAfter(retryAfter, nowMs) };
}

/** Tells an attempt: as a step of every followed message that its body names. */
function tellAttempt(
  steps: TraceLog,
  webhookId: string,
  { eventId, type, attempts }: WaitingEvent,
  body: string,
  { status, error, durationMs }: PostEnd & { readonly durationMs: number },
): void {
  const of = { webhook_id: webhookId, event_id: eventId, type };
  const told = { ...of, attempt: attempts + 1, status, error: error && english(error), ms: durationMs };
  const named = [...steps.followed].filter(([, { messageId }]) => body.includes(messageId));
  for (const [message] of named) steps.tell("webhooks", "webhook attempt", { message, ...told });
  if (named.length === 0) steps.tell("webhooks", "webhook attempt", told);
}

/** The attempts of a lane that have no end yet. */
type UnderWay = {
  readonly began: (waiting: WaitingEvent, body: string) => void;
  /** Whether notice is taken of its end. */
  readonly ended: (waiting: WaitingEvent) => boolean;
  /**
   * No notice is taken of an end any more. Events without a row get one, as tried and due at `nowMs`: so they hold up no cursor, and
   * what was told behind them need not be told again.
   */
  readonly leaveOff: (nowMs: number) => void;
};

function underWay(book: OutcomeBook): UnderWay {
  const rowless = new Map<WaitingEvent, string>();
  let takesNotice = true;
  return {
    began: (waiting, body) => {
      if (waiting.leave) rowless.set(waiting, body);
    },
    ended: (waiting) => {
      rowless.delete(waiting);
      return takesNotice;
    },
    leaveOff: (nowMs) => {
      takesNotice = false;
      for (const [{ eventId, type, attempts, leave }, body] of rowless) {
        book.retry({ eventId, type, body, attempts: attempts + 1, dueAt: nowMs });
        leave?.();
      }
    },
  };
}

/** Gathers what the attempts to one endpoint come to until it is taken away to be written. */
type OutcomeBook = {
  readonly attempted: (attempt: EndpointAttempt) => void;
  /** How the endpoint is doing after an attempt. */
  readonly standing: (health: EndpointHealth, after: Pick<HealthAfter, "isBack" | "isOver">) => void;
  readonly retry: (retry: Retry) => void;
  /** A retry that needs its row no more. */
  readonly finished: (eventId: string) => void;
  /** Whether the endpoint has not failed for the last time, and what was taken away is not kept waiting. */
  readonly mayBegin: () => boolean;
  /** What was taken away could not be written yet. */
  readonly hold: () => void;
  readonly written: () => void;
  /** What is new, the cursors included; null when nothing is. */
  readonly take: (cursors: { readonly feedUs: number; readonly eventId: number }) => EndpointOutcome | null;
};

type Page = {
  attempts: EndpointAttempt[];
  retries: Retry[];
  finished: string[];
  isBack: boolean;
};

const blank = (): Page => ({ attempts: [], retries: [], finished: [], isBack: false });

function outcomeBook(endpoint: Endpoint): OutcomeBook {
  let page = blank();
  let { consecutiveFailures, notBefore } = endpoint;
  let lastSuccessAt: number | null = null;
  let lastFailureAt: number | null = null;
  let isOver = false;
  let isHeld = false;
  let written = { feedUs: endpoint.feedCursorUs, eventId: endpoint.eventCursor };
  return {
    attempted: (attempt) => {
      page.attempts.push(attempt);
      if (page.attempts.length > 2 * ATTEMPTS_KEPT) page.attempts = page.attempts.slice(-ATTEMPTS_KEPT);
      const endedAt = attempt.at + attempt.durationMs;
      if (attempt.error === null) lastSuccessAt = endedAt;
      else lastFailureAt = endedAt;
    },
    standing: (health, after) => {
      consecutiveFailures = health.consecutiveFailures;
      notBefore = health.notBeforeMs;
      page.isBack ||= after.isBack;
      isOver ||= after.isOver;
    },
    retry: (retry) => {
      page.retries.push(retry);
    },
    finished: (eventId) => {
      page.finished.push(eventId);
    },
    mayBegin: () => !isOver && !isHeld,
    hold: () => {
      isHeld = true;
    },
    written: () => {
      isHeld = false;
    },
    take: (cursors) => {
      const hasMoved = cursors.feedUs !== written.feedUs || cursors.eventId !== written.eventId;
      if (page.attempts.length === 0 && !hasMoved) return null;
      const { attempts, ...rest } = page;
      page = blank();
      written = cursors;
      return {
        ...rest,
        attempts: attempts.slice(-ATTEMPTS_KEPT),
        endpointId: endpoint.id,
        revision: endpoint.revision,
        feedCursorUs: cursors.feedUs,
        eventCursor: cursors.eventId,
        consecutiveFailures,
        notBefore,
        lastSuccessAt,
        lastFailureAt,
        isOver,
      };
    },
  };
}
