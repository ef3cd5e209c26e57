/**
 * Delivers events to clients' webhook endpoints: endpoints, secrets, signatures, retries.
 *
 * Two logs are read with two cursors for each endpoint: the feed of final messages, and `events`. An endpoint worker
 * (`endpoint-worker`) reads what comes next for one endpoint and holds what is in flight to it; `dispatcher` gives workers their turns;
 * `retry-schedule` (pure) decides when an event is attempted again and when an endpoint has failed for the last time. Requests leave
 * through `https`. All of that runs in a thread (`delivery-worker`); `delivery-bridge` is the appliance's side, which writes the outcomes.
 * The room changes no message and no money, and knows nothing of operators.
 */

import type { Config } from "../config/config.ts";
import { deriveCached, type Settings } from "../config/live-config.ts";
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { StartThread } from "../core/thread.ts";
import type { TrustedClock } from "../core/trusted-clock.ts";
import type { Store } from "../db/store.ts";
import type { HttpsNetwork } from "../https/resolve.ts";
import { startDeliveryBridge } from "./delivery-bridge.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { createEndpointClient, wayRules } from "./endpoint-client.ts";
import { type Registration, registration } from "./registration.ts";
import { openSecretSeal } from "./signing.ts";
import { type ClientTestEvents, createClientTestEvents } from "./test-events.ts";

type WebhooksDeps = {
  readonly settings: Settings<Pick<Config, "webhooks">>;
  readonly store: Store;
  readonly clock: Clock;
  readonly watchClock: TrustedClock["watch"];
  readonly chance: Chance;
  readonly newId: NewId;
  readonly log: Log;
  readonly machine: { readonly https: HttpsNetwork; readonly startThread: StartThread };
};

export type Webhooks = {
  readonly registration: Registration;
  readonly dispatcher: Dispatcher;
  readonly testWebhook: ClientTestEvents["test"];
  /** Breaks off tests that clients asked for, and ends delivery as the dispatcher does. */
  readonly stop: Dispatcher["stop"];
};

/** Builds the room and starts delivering events to endpoints. Settings that loosen its rules are logged. */
export function startWebhooks(deps: WebhooksDeps): Webhooks {
  const { settings, store, clock, watchClock, chance, newId, log } = deps;
  const table = () => settings.now().webhooks;
  const way = deriveCached(
    () => wayRules(settings),
    (webhooks) => {
      sayWhatLoosens(webhooks, log);
      return createEndpointClient(webhooks, clock, deps.machine.https);
    },
  );
  const seal = openSecretSeal(store.directory, chance);
  const rules = { ...way(), allowPrivate: () => table().allow_private_targets };
  const { startThread } = deps.machine;
  const dispatcher = startDeliveryBridge({ settings, store, clock, watchClock, log, startThread });
  const registered = registration({ ...rules, store, chance, newId, seal });
  const trials = createClientTestEvents({ store, clock, newId, log, seal, post: () => way().post });
  return {
    registration: wakingOn(registered, dispatcher.wake),
    dispatcher,
    testWebhook: trials.test,
    stop: (graceMs) => {
      trials.breakOff();
      return dispatcher.stop(graceMs);
    },
  };
}

/** The same registration, which also wakes delivery when an endpoint is created or enabled. */
function wakingOn(registered: Registration, wake: () => void): Registration {
  return {
    ...registered,
    create: async (...asked) => {
      const created = await registered.create(...asked);
      wake();
      return created;
    },
    enable: async (...asked) => {
      const enabled = await registered.enable(...asked);
      wake();
      return enabled;
    },
  };
}

function sayWhatLoosens({ allow_private_targets, ca_file }: Config["webhooks"], log: Log): void {
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
}
