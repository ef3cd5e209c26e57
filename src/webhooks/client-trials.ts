/** Tests of endpoints that clients ask for (docs/behaviour.md#tests-of-endpoints). */
import { accepted, type Outcome, type Refusal, refusalOf } from "../core/failures.ts";
import { errorFields, type Log } from "../core/log.ts";
import { movingWindow } from "../core/moving-window.ts";
import type { Store } from "../db/store.ts";
import { phrase } from "../i18n/phrase.ts";
import { type Endpoint, endpointByUlid } from "./endpoints.ts";
import { keepTrial, type TrialDeps, type TrialView, trialView, tryEndpoint } from "./trial.ts";

export type ClientTrials = {
  /** Posts a test event to an endpoint of the account and tells what came of it, be it ever so bad. */
  readonly test: (accountId: number, webhookId: string) => Promise<TrialOutcome>;
  /** Waits for no answer any more. */
  readonly breakOff: () => void;
};

/** A refusal for now says in how many whole seconds a test is possible again. */
export type TrialOutcome =
  | Outcome<TrialView, "NOT_FOUND">
  | {
      readonly ok: false;
      readonly refusal: Refusal<"RATE_LIMITED">;
      readonly retrySeconds: number;
    };

/** Tests of one endpoint within any minute: enough to mend it by, too few to trouble whoever is there. */
export const MAX_TESTS = 6;
export const MINUTE_MS = 60_000;
export const TESTED_TOO_OFTEN = refusalOf("RATE_LIMITED.webhook_tests", { most: MAX_TESTS });

const NOT_FOUND = refusalOf("NOT_FOUND");
const UNSIGNED = phrase("webhook.unsigned");

type Deps = Omit<TrialDeps, "read" | "post"> & {
  readonly store: Pick<Store, "read" | "write">;
  readonly log: Log;
  /** The way to endpoints that is in force. */
  readonly post: () => TrialDeps["post"];
};

export function clientTrials(deps: Deps): ClientTrials {
  const { store, clock, log } = deps;
  const window = movingWindow(MAX_TESTS, MINUTE_MS);
  const stopping = new AbortController();

  const tried = async (endpoint: Endpoint): Promise<TrialView> => {
    const ways = { ...deps, read: store.read, post: deps.post() };
    const attempt = await tryEndpoint(ways, endpoint, stopping.signal);
    if (!attempt) {
      const nothing = { type: "", at: 0, durationMs: 0, status: null, error: UNSIGNED };
      return trialView(endpoint, { eventId: deps.newId(), ...nothing });
    }
    await keepTrial(store, endpoint, attempt).catch((error: unknown) => {
      log.warn("a webhook test could not be noted", { webhook_id: endpoint.ulid, ...errorFields(error) });
    });
    return trialView(endpoint, attempt);
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
