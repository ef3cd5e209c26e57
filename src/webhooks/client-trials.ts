/** Tests of endpoints that clients ask for (docs/behaviour.md#tests-of-endpoints). */
import { accepted, type Outcome, type Refusal, toRefusal } from "../core/failures.ts";
import { errorFields, type Log } from "../core/log.ts";
import { slidingWindow } from "../core/moving-window.ts";
import type { Store } from "../db/store.ts";
import { phrase } from "../i18n/phrase.ts";
import { type Endpoint, endpointByUlid } from "./endpoints.ts";
import { recordTestEvent, type TestEventDeps, type TestEventView, toTestEventView, sendTestEvent } from "./trial.ts";

export type ClientTestEvents = {
  /** Posts a test event to an endpoint of the account and tells what came of it, be it ever so bad. */
  readonly test: (accountId: number, webhookId: string) => Promise<TestEventOutcome>;
  /** Waits for no answer any more. */
  readonly breakOff: () => void;
};

/** A refusal for now says in how many whole seconds a test is possible again. */
export type TestEventOutcome =
  | Outcome<TestEventView, "NOT_FOUND">
  | {
      readonly ok: false;
      readonly refusal: Refusal<"RATE_LIMITED">;
      readonly retrySeconds: number;
    };

/** Tests of one endpoint within any minute: enough to mend it by, too few to trouble whoever is there. */
export const MAX_TESTS = 6;
export const MINUTE_MS = 60_000;
export const TESTED_TOO_OFTEN = toRefusal("RATE_LIMITED.webhook_tests", { most: MAX_TESTS });

const NOT_FOUND = toRefusal("NOT_FOUND");
const UNSIGNED = phrase("webhook.unsigned");

type Deps = Omit<TestEventDeps, "read" | "post"> & {
  readonly store: Pick<Store, "read" | "write">;
  readonly log: Log;
  /** The way to endpoints that is in force. */
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
