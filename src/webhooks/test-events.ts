/**
 * Test events to a webhook endpoint on request, signed like real ones; those of clients are limited to six a minute per
 * endpoint.
 */
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import { errorFields, type Log } from "../core/log.ts";
import { accepted, type Outcome, type Refusal, toRefusal } from "../core/refusals.ts";
import { isSandbox } from "../core/sandbox.ts";
import { slidingWindow } from "../core/sliding-window.ts";
import type { Seal } from "../db/data-keys.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import type { Post } from "../https/post.ts";
import { phrase } from "../i18n/phrase.ts";
import { attemptOutcome, type EndpointAttempt, saveAttempts } from "./attempts.ts";
import { readEndpointUrl } from "./endpoint-request.ts";
import { type Endpoint, endpointById, endpointByUlid } from "./endpoints.ts";
import { renderEventBody, toSignedHeaders } from "./payload.ts";
import { readSigningKeys } from "./signing.ts";

type TestEventDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly seal: Seal;
  readonly post: Post;
};

/** The type of test events: no change makes one; it goes to one endpoint because somebody asked for it. */
const TRIAL_TYPE = "WEBHOOK_TEST";

/**
 * Posts a test event to an endpoint, whatever its status and whatever it is subscribed to, signed like any other. It
 * counts neither for nor against the endpoint. Null when its secrets cannot be opened.
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  endpoint: Endpoint,
  stop?: AbortSignal,
): Promise<EndpointAttempt | null> {
  const { clock } = deps;
  const keys = readSigningKeys(deps.read, deps.seal, endpoint);
  const url = readEndpointUrl(endpoint.url);
  if (keys === null || "fault" in url) return null;
  const eventId = deps.newId();
  const at = clock.nowMs();
  const began = clock.steadyMs();
  const envelope = {
    type: TRIAL_TYPE,
    atMs: at,
    eventId,
    accountUlid: endpoint.accountUlid,
    isSandbox: isSandbox(endpoint.accountId),
  };
  const body = renderEventBody(envelope, { webhook_id: endpoint.ulid });
  const end = await deps.post(url.target, toSignedHeaders(keys, eventId, body, at), body, stop);
  const durationMs = Math.round(clock.steadyMs() - began);
  return { eventId, type: TRIAL_TYPE, at, durationMs, status: end.status, error: end.error };
}

/** Notes a test among the endpoint's last attempts, if it is still there. */
export function recordTestEvent(
  { write }: Pick<Store, "write">,
  { id }: Endpoint,
  attempt: EndpointAttempt,
): Promise<void> {
  return write((tx) => {
    if (endpointById(tx, id)) saveAttempts(tx, id, [attempt]);
  });
}

/** The outcome of a test as views show it. */
export function toTestEventView({ ulid, accountId }: Endpoint, attempt: EndpointAttempt) {
  const { eventId, error, status, durationMs } = attempt;
  return {
    webhook_id: ulid,
    event_id: eventId,
    delivered: error === null,
    outcome: attemptOutcome(attempt),
    status,
    duration_ms: durationMs,
    is_sandbox: isSandbox(accountId),
  };
}

type TestEventView = ReturnType<typeof toTestEventView>;

// Tests of endpoints that clients ask for (docs/behaviour.md#tests-of-endpoints).

export type ClientTestEvents = {
  /** Posts a test event to an endpoint of the account and returns the outcome, also when the endpoint failed. */
  readonly test: (accountId: number, webhookId: string) => Promise<TestEventOutcome>;
  /** Breaks off tests that still wait for an answer. */
  readonly breakOff: () => void;
};

/** A refusal by the limit says in how many whole seconds a test is possible again. */
type TestEventOutcome =
  | Outcome<TestEventView, "NOT_FOUND">
  | {
      readonly ok: false;
      readonly refusal: Refusal<"RATE_LIMITED">;
      readonly retrySeconds: number;
    };

/** Tests of one endpoint within any minute: enough to repair it, too few to burden its server. */
export const MAX_TESTS = 6;
export const MINUTE_MS = 60_000;
export const TESTED_TOO_OFTEN = toRefusal("RATE_LIMITED.webhook_tests", { most: MAX_TESTS });

const NOT_FOUND = toRefusal("NOT_FOUND");
const UNSIGNED = phrase("webhook.unsigned");

type Deps = Omit<TestEventDeps, "read" | "post"> & {
  readonly store: Pick<Store, "read" | "write">;
  readonly log: Log;
  /** The client for posts to endpoints that is in force. */
  readonly post: () => TestEventDeps["post"];
};

export function createClientTestEvents(deps: Deps): ClientTestEvents {
  const { store, clock, log } = deps;
  const window = slidingWindow(MAX_TESTS, MINUTE_MS);
  const stopping = new AbortController();

  const tried = async (endpoint: Endpoint): Promise<TestEventView> => {
    const ways = { ...deps, read: store.read, post: deps.post() };
    const attempt = await sendTestEvent(ways, endpoint, stopping.signal);
    if (!attempt) {
      const nothing = { type: "", at: 0, durationMs: 0, status: null, error: UNSIGNED };
      return toTestEventView(endpoint, { eventId: deps.newId(), ...nothing });
    }
    await recordTestEvent(store, endpoint, attempt).catch((error: unknown) => {
      log.warn("a webhook test could not be noted", { webhook_id: endpoint.ulid, ...errorFields(error) });
    });
    return toTestEventView(endpoint, attempt);
  };

  return {
    test: async (accountId, webhookId) => {
      const endpoint = endpointByUlid(store.read, webhookId);
      if (endpoint?.accountId !== accountId) return { ok: false, refusal: NOT_FOUND };
      const waitMs = window.take(endpoint.id, clock.steadyMs());
      if (waitMs === null) return accepted(await tried(endpoint));
      return {
        ok: false,
        refusal: TESTED_TOO_OFTEN,
        retrySeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      };
    },
    breakOff: () => stopping.abort(),
  };
}
