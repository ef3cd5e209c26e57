/**
 * Everything in flight to one enabled endpoint: which event goes next, how many at once, and what came of them. It keeps
 * no time of its own and writes nothing: the dispatcher starts attempts and takes the outcome away.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Post, PostEnd } from "../https/post.ts";
import type { HttpsTarget } from "../https/target.ts";
import type { Reader } from "../store/read.ts";
import type { Endpoint } from "./endpoints.ts";
import { fanOut, type LogEnds, type WaitingEvent } from "./fan-out.ts";
import { messageHeaders } from "./message-headers.ts";
import { outcomeBook } from "./outcome-book.ts";
import type { EndpointOutcome, Retry } from "./outcomes.ts";
import {
  type Delays,
  type EndpointHealth,
  healthAfter,
  longestWaitMs,
  mostInFlight,
  nextAttemptAt,
  type PostVerdict,
  readRetryAfter,
} from "./schedule.ts";
import type { SigningKey } from "./secrets.ts";

export type LaneDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly delays: Delays;
  readonly post: Post;
  /** Ends attempts under way when the appliance stops. */
  readonly stop: AbortSignal;
  /** Shared by all lanes. */
  readonly counts: AttemptCounts;
  /** Told after every attempt, also when nobody takes notice of it any more. */
  readonly onEnd: () => void;
  /** Told when an event could not be made: the lane is to be opened anew. */
  readonly onBroken: (error: unknown) => void;
};

export type AttemptCounts = {
  delivered: number;
  failed: number;
  givenUp: number;
  disabled: number;
  attemptsMs: number;
};

export type LaneEndpoint = {
  readonly endpoint: Endpoint;
  readonly target: HttpsTarget;
  readonly keys: readonly SigningKey[];
};

export type EndpointLane = {
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
  /** Called once an outcome is durable. */
  readonly settled: (outcome: EndpointOutcome) => void;
  /** Begins no attempt any more, and takes no notice of those under way. */
  readonly close: () => void;
};

/** Attempts in flight to an endpoint that is well: few at first, more with every success. */
const FIRST_WIDTH = 4;
const MOST_WIDTH = 32;

export function openLane(deps: LaneDeps, { endpoint, target, keys }: LaneEndpoint): EndpointLane {
  const { clock, counts, delays } = deps;
  const longestMs = longestWaitMs(delays);
  const log = deps.log.with({ webhook_id: endpoint.ulid });
  const source = fanOut(deps.read, clock, endpoint);
  const book = outcomeBook(endpoint);
  const fresh: WaitingEvent[] = [];
  const retries: WaitingEvent[] = [];
  // Retries taken over whose row still says what it said then.
  const held = new Set<string>();
  let health: EndpointHealth = {
    consecutiveFailures: endpoint.consecutiveFailures,
    round: 0,
    notBeforeMs: endpoint.notBefore,
    askedUntilMs: 0,
  };
  let width = FIRST_WIDTH;
  let inFlight = 0;
  let isClosed = false;

  /** One that fails is probed with an event it has not seen; one that is well gets the oldest first. */
  const takeNext = (): WaitingEvent | null => {
    if (fresh.length === 0) fresh.push(...source.read());
    const [first, second] = health.consecutiveFailures > 0 ? [fresh, retries] : [retries, fresh];
    return first.shift() ?? second.shift() ?? null;
  };

  const attempt = async (waiting: WaitingEvent): Promise<void> => {
    const { round } = health;
    const atMs = clock.nowMs();
    const beganMs = clock.steadyMs();
    const body = await waiting.body();
    const headers = messageHeaders(keys, waiting.eventId, body, atMs);
    const end = await deps.post(target, headers, body, deps.stop);
    if (isClosed) return;
    const durationMs = Math.round(clock.steadyMs() - beganMs);
    counts.attemptsMs += durationMs;
    book.attempted({
      eventId: waiting.eventId,
      type: waiting.type,
      at: atMs,
      durationMs,
      status: end.status,
      error: end.error,
    });
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

  const conclude = (waiting: WaitingEvent, body: string, round: number, end: PostEnd): void => {
    const nowMs = clock.nowMs();
    const verdict = verdictOf(end, nowMs);
    const after = healthAfter(health, round, verdict, nowMs, delays);
    const counted = after.health.consecutiveFailures > health.consecutiveFailures;
    health = after.health;
    book.standing(health, after);
    width = verdict.kind === "delivered" ? Math.min(MOST_WIDTH, width + 1) : FIRST_WIDTH;
    if (verdict.kind === "delivered") {
      counts.delivered += 1;
      leave(waiting);
      return;
    }
    counts.failed += 1;
    const { eventId, type } = waiting;
    const attempts = waiting.attempts + 1;
    const dueAt = nextAttemptAt(attempts, verdict, nowMs, delays, deps.chance);
    if (counted) {
      const failures = health.consecutiveFailures;
      log.info("webhook attempt failed", { event_id: eventId, error: end.error, failures });
    }
    if (dueAt === null) {
      counts.givenUp += 1;
      log.warn("webhook event given up", { event_id: eventId, type, attempts, error: end.error });
      leave(waiting);
    } else {
      book.retry({ eventId, type, body, attempts, dueAt });
      waiting.leave?.();
    }
    if (after.isOver) {
      counts.disabled += 1;
      log.warn("webhook disabled after failures", { failures: health.consecutiveFailures, error: end.error });
    }
  };

  const leave = ({ eventId, leave: fromLog }: WaitingEvent): void => {
    if (fromLog) fromLog();
    else book.finished(eventId);
  };

  return {
    endpointId: endpoint.id,
    webhookId: endpoint.ulid,
    accountId: endpoint.accountId,
    revision: endpoint.revision,
    grow: source.grow,
    due: (rows) => {
      for (const { body, ...row } of rows) {
        if (held.has(row.eventId)) continue;
        held.add(row.eventId);
        retries.push({ ...row, body: () => body, leave: null });
      }
    },
    startOne: () => {
      // A clock that was set back since dated it.
      if (health.notBeforeMs > clock.nowMs() + longestMs)
        health = { ...health, notBeforeMs: 0, askedUntilMs: 0 };
      if (isClosed || book.isOver() || inFlight >= mostInFlight(health, width, clock.nowMs()))
        return "nothing";
      const next = takeNext();
      if (!next) return source.hasMore() ? "again" : "nothing";
      begin(next);
      return "started";
    },
    inFlight: () => inFlight,
    restsUntilMs: () => health.notBeforeMs,
    takeOutcome: () => (isClosed ? null : book.take(source.cursors())),
    settled: ({ finished, retries: rows }) => {
      for (const eventId of finished) held.delete(eventId);
      for (const { eventId } of rows) held.delete(eventId);
    },
    close: () => {
      isClosed = true;
    },
  };
}

function verdictOf({ status, retryAfter, error }: PostEnd, nowMs: number): PostVerdict {
  if (error === null) return { kind: "delivered" };
  return { kind: "failed", status, retryAfterMs: readRetryAfter(retryAfter, nowMs) };
}
