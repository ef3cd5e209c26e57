/**
 * The worker of one enabled endpoint: which event goes next, how many are in flight at once, and their outcomes. It has no
 * timer of its own and writes nothing: the dispatcher starts attempts, takes the outcomes and writes them.
 */
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import type { Log, TraceLog } from "../core/log.ts";
import { isSandbox } from "../core/sandbox.ts";
import type { Reader } from "../db/reader.ts";
import { eventsAfter } from "../domain/events/outbox.ts";
import { finalsAfter } from "../domain/messages/feed.ts";
import type { HttpsTarget } from "../https/https-request.ts";
import type { Post, PostEnd } from "../https/post.ts";
import type { Phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import {
  ATTEMPTS_KEPT,
  type EndpointAttempt,
  type EndpointOutcome,
  type Retry,
  waitsForRetry,
} from "./attempts.ts";
import type { Endpoint } from "./endpoints.ts";
import { messageEvent, outboxEvent, toSignedHeaders } from "./payload.ts";
import {
  type Delays,
  deriveMaxInFlight,
  deriveNextAttempt,
  type EndpointHealth,
  type HealthAfter,
  healthAfter,
  longestWaitMs,
  type PostVerdict,
  readRetryAfter,
} from "./retry-schedule.ts";
import type { SigningKey } from "./signing.ts";

export type EndpointWorkerDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly delays: () => Delays;
  readonly post: Post;
  /** Ends attempts in flight when the appliance stops. */
  readonly stop: AbortSignal;
  /** Shared by all workers. */
  readonly counts: AttemptCounts;
  /** Called after every attempt, also when its result is ignored. */
  readonly onEnd: () => void;
  /** Called when an event could not be rendered: the worker must be opened again. */
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
  /** The endpoint's public id. */
  readonly webhookId: string;
  readonly accountId: number;
  readonly revision: number;
  /** Notes how far the account's logs go. */
  readonly grow: (ends: LogEnds) => void;
  /** Takes over retries that are due, but for those it has already. */
  readonly due: (retries: readonly Retry[]) => void;
  /** Begins one attempt. "again": what was read held no event, and there is more to read. */
  readonly startOne: () => "started" | "again" | "nothing";
  readonly inFlight: () => number;
  /** Nothing is attempted before, epoch milliseconds. */
  readonly restsUntilMs: () => number;
  /** The outcome of attempts since the last call; null when there is none. */
  readonly takeOutcome: () => EndpointOutcome | null;
  /** Begins no attempt until an outcome is durable, because the last one could not be written. */
  readonly hold: () => void;
  /** Called once an outcome is durable. */
  readonly settled: (outcome: EndpointOutcome) => void;
  /** Ignores the results of attempts in flight: their events are attempted again, at once after the next start. */
  readonly leaveOff: () => void;
  /** Begins no attempt any more, and ignores the results of those in flight. */
  readonly close: () => void;
};

/** Attempts in flight to a healthy endpoint at first; each success allows more. */
const FIRST_WIDTH = 4;
const MAX_WIDTH = 32;

/** An endpoint's health as this process knows it, and how many attempts it may have in flight while it is healthy. */
type Standing = { health: EndpointHealth; width: number };

export function openEndpointWorker(
  workers: EndpointWorkerDeps,
  { endpoint, target, keys }: LaneEndpoint,
): EndpointWorker {
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
      if (isClosed || !book.mayBegin() || inFlight >= deriveMaxInFlight(health, width, nowMs))
        return "nothing";
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

/** Counts for a sandbox, whose attempts are in no figure (docs/behaviour.md#test-keys). */
function nobodysCounts(): AttemptCounts {
  return { delivered: 0, failed: 0, givenUp: 0, disabled: 0, attemptsMs: 0 };
}

/** Ends a rest that is longer than any delay: it was dated by a clock that was set back since. */
function endRestBeyond(standing: Standing, nowMs: number, delays: () => Delays): void {
  const restMs = standing.health.notBeforeMs - nowMs;
  if (restMs <= 0 || restMs <= longestWaitMs(delays())) return;
  standing.health = { ...standing.health, notBeforeMs: 0, askedUntilMs: 0 };
}

function healthOf({ consecutiveFailures, notBefore }: Endpoint): EndpointHealth {
  return { consecutiveFailures, round: 0, notBeforeMs: notBefore, askedUntilMs: 0 };
}

/** Draws the conclusions of an attempt's end: for the endpoint's health, for the event, and in the log. */
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
    failed(waiting, body, error, deriveNextAttempt(waiting.attempts + 1, verdict, nowMs, delays(), chance));
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

/** Logs an attempt in the trace of every followed message that its body names. */
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

/** The attempts of a worker that are in flight. */
type InFlight = {
  readonly began: (waiting: WaitingEvent, body: string) => void;
  /** Notes an attempt's end; false when its result is to be ignored. */
  readonly ended: (waiting: WaitingEvent) => boolean;
  /**
   * Ignores every end from now on. Events without a row get one, as attempted and due at `nowMs`: so they hold up no cursor, and
   * what was delivered behind them need not be delivered again.
   */
  readonly leaveOff: (nowMs: number) => void;
};

function underWay(book: OutcomeBook): InFlight {
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

/** Gathers the outcomes of attempts to one endpoint until they are taken to be written. */
type OutcomeBook = {
  readonly attempted: (attempt: EndpointAttempt) => void;
  /** Sets the endpoint's health after an attempt. */
  readonly standing: (health: EndpointHealth, after: Pick<HealthAfter, "isBack" | "isOver">) => void;
  readonly retry: (retry: Retry) => void;
  /** Notes a retry that no longer needs its row. */
  readonly finished: (eventId: string) => void;
  /** Whether an attempt may begin: the endpoint is not to be disabled, and no outcome waits for a failed write. */
  readonly mayBegin: () => boolean;
  /** Notes that the outcome taken last could not be written yet. */
  readonly hold: () => void;
  readonly written: () => void;
  /** Takes what is new, the cursors included; null when nothing is. */
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

/** The events to deliver to one endpoint: retries that are due, and what is new in the logs. */
type EndpointQueue = {
  /** Notes how far the account's logs go. */
  readonly grow: (ends: LogEnds) => void;
  /** Takes over retries that are due, but for those it has already. */
  readonly due: (retries: readonly Retry[]) => void;
  /** The next event: a failing endpoint is probed with one it has not seen; a healthy one gets the oldest first. */
  readonly takeNext: (isFailing: boolean) => WaitingEvent | null;
  /** Whether there may be more to read. */
  readonly hasMore: () => boolean;
  /** Notes an outcome that is taken to be written: its retries may be read back before `settled` is called. */
  readonly leaving: (outcome: EndpointOutcome | null) => EndpointOutcome | null;
  /** Called once an outcome is durable. */
  readonly settled: (outcome: EndpointOutcome) => void;
  /** Where the cursors may stand. */
  readonly cursors: () => { readonly feedUs: number; readonly eventId: number };
};

export function createEndpointQueue(read: Reader, clock: Clock, endpoint: Endpoint): EndpointQueue {
  const source = fanOut(read, clock, endpoint);
  const fresh: WaitingEvent[] = [];
  const retries: WaitingEvent[] = [];
  // Retries taken over whose row is unchanged since, and those that are being written.
  const held = new Set<string>();
  return {
    grow: source.grow,
    hasMore: source.hasMore,
    cursors: source.cursors,
    due: (rows) => {
      for (const { body, ...row } of rows) {
        if (held.has(row.eventId)) continue;
        held.add(row.eventId);
        retries.push({ ...row, body: () => body, leave: null });
      }
    },
    takeNext: (isFailing) => {
      if (fresh.length === 0) fresh.push(...source.read());
      const [first, second] = isFailing ? [fresh, retries] : [retries, fresh];
      return first.shift() ?? second.shift() ?? null;
    },
    leaving: (outcome) => {
      for (const { eventId } of outcome?.retries ?? []) held.add(eventId);
      return outcome;
    },
    settled: ({ finished, retries: rows }) => {
      for (const eventId of finished) held.delete(eventId);
      for (const { eventId } of rows) held.delete(eventId);
    },
  };
}

// Reads the events not yet delivered to one endpoint: the account's final messages and the events of the outbox behind
// the endpoint's two cursors. Fanning out writes nothing; an endpoint that is away for hours costs nothing but its
// cursors.

/** An event that may be attempted. */
type WaitingEvent = {
  readonly eventId: string;
  readonly type: string;
  /** Attempts made before. */
  readonly attempts: number;
  readonly body: () => string | Promise<string>;
  /** Called when it need no longer hold back the cursor; null for an event that has a row of its own. */
  readonly leave: (() => void) | null;
};

/** How far the logs of an account are known to go. */
type LogEnds = { readonly feedUs: number; readonly eventId: number };

type FanOut = {
  /** Notes that the logs have grown. */
  readonly grow: (ends: LogEnds) => void;
  /** The next events, oldest first; empty when there is none, or when `read` must be called again. */
  readonly read: () => WaitingEvent[];
  /** Whether there may be more to read. */
  readonly hasMore: () => boolean;
  /** Where the cursors may stand. */
  readonly cursors: () => { readonly feedUs: number; readonly eventId: number };
};

/** What is read in one go: of the feed, and rows of the outbox. */
const FEED_STEP = { changes: 1000, finals: 100 };
const EVENT_STEP = 50;

/**
 * Behind a cursor that one event held back there may be others that failed before the worker was opened anew: they are
 * skipped, since their rows have them attempted again.
 */
function fanOut(read: Reader, clock: Clock, endpoint: Endpoint): FanOut {
  const { id: endpointId, accountId, accountUlid } = endpoint;
  const whose = { accountUlid, isSandbox: isSandbox(accountId) };
  const wanted = new Set<string>(endpoint.events);
  const feed = createAckWatermark(endpoint.feedCursorUs);
  const events = createAckWatermark(endpoint.eventCursor);
  let ends: LogEnds = { feedUs: 0, eventId: 0 };
  // Events after this have no row yet.
  let endsWhenOpened: LogEnds | null = null;

  const isBehind = (log: AckWatermark, end: number): boolean => log.passed() < end;

  const nextMessages = (): WaitingEvent[] => {
    if (!wanted.has("MESSAGE_TERMINAL")) {
      feed.pass(ends.feedUs);
      return [];
    }
    const mayHaveRows = feed.passed() < (endsWhenOpened?.feedUs ?? 0);
    const page = finalsAfter(read, accountId, feed.passed(), FEED_STEP);
    const waiting = page.messages.flatMap((row) => {
      const told = messageEvent(whose, row);
      if (mayHaveRows && waitsForRetry(read, endpointId, told.eventId)) return [];
      feed.begin(row.stamp_us);
      return { ...told, attempts: 0, leave: () => feed.end(row.stamp_us) };
    });
    feed.pass(page.hasMore ? page.scannedToUs : Math.max(page.scannedToUs, ends.feedUs));
    return waiting;
  };

  const nextEvents = (): WaitingEvent[] => {
    const mayHaveRows = events.passed() < (endsWhenOpened?.eventId ?? 0);
    const rows = eventsAfter(read, accountId, events.passed(), EVENT_STEP);
    const waiting: WaitingEvent[] = [];
    for (const row of rows) {
      const told = wanted.has(row.type) ? outboxEvent(read, clock, whose, row) : null;
      events.pass(row.id);
      if (!told || (mayHaveRows && waitsForRetry(read, endpointId, told.eventId))) continue;
      events.begin(row.id);
      waiting.push({ ...told, attempts: 0, leave: () => events.end(row.id) });
    }
    if (rows.length < EVENT_STEP) events.pass(ends.eventId);
    return waiting;
  };

  return {
    grow: (known) => {
      endsWhenOpened ??= known;
      ends = known;
    },
    hasMore: () => isBehind(feed, ends.feedUs) || isBehind(events, ends.eventId),
    read: () => [
      ...(isBehind(feed, ends.feedUs) ? nextMessages() : []),
      ...(isBehind(events, ends.eventId) ? nextEvents() : []),
    ],
    cursors: () => ({ feedUs: feed.mark(), eventId: events.mark() }),
  };
}

/**
 * How far a cursor may move while things above it end in any order: up to just below the first that has not ended. Pure
 * bookkeeping of whole positions that rise.
 */
type AckWatermark = {
  /** Notes a position that has begun and must end; higher than every one before. */
  readonly begin: (position: number) => void;
  /** Notes that everything up to here was looked at: positions that have not begun never will. */
  readonly pass: (position: number) => void;
  readonly end: (position: number) => void;
  /** The position up to which everything has ended. */
  readonly mark: () => number;
  /** The position up to which everything was looked at. */
  readonly passed: () => number;
};

export function createAckWatermark(startsAt: number): AckWatermark {
  // In order of position, which is the order of insertion.
  const open = new Set<number>();
  let passed = startsAt;
  return {
    begin: (position) => {
      open.add(position);
    },
    pass: (position) => {
      passed = Math.max(passed, position);
    },
    end: (position) => {
      open.delete(position);
    },
    mark: () => {
      for (const first of open) return first - 1;
      return passed;
    },
    passed: () => passed,
  };
}
