/**
 * Telling clients what happened: endpoints, secrets, signatures, retries.
 *
 * Two logs are read with two cursors for each endpoint: the feed of final messages, and `events`. `fan-out` says what comes next,
 * `lane` holds what is in flight to one endpoint, `dispatcher` gives lanes their turns and writes down what came of it, `schedule`
 * (pure) decides when an event is tried again, and when an endpoint has failed for the last time. Requests leave through the room `https`.
 * It changes no message and no money, and knows nothing of operators.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import type { NewId } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Resolve } from "../https/resolve.ts";
import type { Store } from "../store/store.ts";
import { type Dispatcher, startDispatcher } from "./dispatcher.ts";
import { outbound } from "./outbound.ts";
import { type Registration, registration } from "./registration.ts";
import { sealIn } from "./sealing.ts";

export type WebhooksDeps = {
  readonly config: Pick<Config, "webhooks">;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId: NewId;
  readonly log: Log;
  /** The system's unless a test brings its own. */
  readonly resolve?: Resolve;
};

export type Webhooks = { readonly registration: Registration; readonly dispatcher: Dispatcher };

/** Builds the room and starts telling endpoints what happens. What loosens its rules is said in the log. */
export function startWebhooks(deps: WebhooksDeps): Webhooks {
  const { config, store, clock, chance, log } = deps;
  const { allow_private_targets, ca_file } = config.webhooks;
  if (allow_private_targets) {
    log.warn("webhooks may go to private, loopback and link-local addresses", {
      setting: "webhooks.allow_private_targets",
    });
  }
  if (ca_file !== "") {
    log.warn("webhooks trust additional certificate authorities", {
      setting: "webhooks.ca_file",
      file: ca_file,
    });
  }
  const seal = sealIn(store.directory, chance);
  const way = outbound(config, clock, deps.resolve);
  return {
    registration: registration({ ...way, store, chance, newId: deps.newId, seal }),
    dispatcher: startDispatcher({ store, clock, chance, log, seal, delays: config.webhooks, post: way.post }),
  };
}
