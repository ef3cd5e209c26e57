import type { Endpoint } from "./endpoints.ts";
import { ATTEMPTS_KEPT, type EndpointAttempt, type EndpointOutcome, type Retry } from "./outcomes.ts";
import type { EndpointHealth, HealthAfter } from "./schedule.ts";

/** Gathers what the attempts to one endpoint come to until it is taken away to be written. */
export type OutcomeBook = {
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

export function outcomeBook(endpoint: Endpoint): OutcomeBook {
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
