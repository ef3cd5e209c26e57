/**
 * Delivers events to clients' webhook endpoints: endpoints, secrets, signatures, retries.
 *
 * Two logs are read with two cursors for each endpoint: the feed of final messages, and `events`. An endpoint worker
 * (`endpoint-worker`) reads what comes next for one endpoint and holds what is in flight to it; `dispatcher` gives workers their turns;
 * `retry-schedule` (pure) decides when an event is attempted again and when an endpoint has failed for the last time. Requests leave
 * through `https`. All of that runs in a thread (`delivery-worker`); the appliance's side of it (below) writes the outcomes.
 * The room changes no message and no money, and knows nothing of operators.
 */
import type { Config } from "../config/config.ts";
import { deriveCached, type Settings } from "../config/live-config.ts";
import { unreachable } from "../core/assert.ts";
import type { Chance } from "../core/chance.ts";
import type { Cancel, Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import { settleWithin } from "../core/shutdown-plan.ts";
import type { StartThread } from "../core/thread.ts";
import type { TrustedClock } from "../core/trusted-clock.ts";
import type { Store } from "../db/store.ts";
import type { HttpsNetwork } from "../https/address-guard.ts";
import { outcomesInto } from "./attempts.ts";
import type { Dispatcher, DispatchFigures } from "./dispatcher.ts";
import { createEndpointClient, readEndpointRules } from "./endpoint-client.ts";
import { isAnyEnabled } from "./endpoints.ts";
import { type Registration, registration } from "./registration.ts";
import { openSecretSeal } from "./signing.ts";
import { type ClientTestEvents, createClientTestEvents } from "./test-events.ts";
import {
  type DeliveryWorkerStart,
  type FromThread,
  NO_FIGURES,
  sampleClock,
  type ToThread,
} from "./worker-protocol.ts";

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
    () => readEndpointRules(settings),
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

// The appliance's side of the delivery thread, which runs while there is an enabled endpoint: writes the outcomes of
// the thread's attempts to the database and its lines to the log, and sends it the state of the clock and the settings.

type DeliveryBridgeDeps = {
  readonly settings: Settings<Pick<Config, "webhooks">>;
  readonly store: Pick<Store, "directory" | "read" | "write">;
  readonly clock: Clock;
  /** Watches when the clock becomes untrusted, or trusted again. */
  readonly watchClock: TrustedClock["watch"];
  readonly log: Log;
  readonly startThread: StartThread;
};

/** How often the thread is told whether the clock is trusted, beside every change: the times it dates depend on that. */
const TIME_MS = 1000;
/** Delay before a failed thread is started again. */
const AGAIN_MS = 1000;
/** What a stopping thread needs beside its grace: time to write its outcomes. */
const STOPPING_MS = 2000;

/** A running thread. */
type Link = {
  readonly ask: (asked: ToThread) => void;
  /** Resolves once it has stopped or died. */
  readonly stopped: Promise<void>;
  readonly end: () => void;
};

/** Starts delivery to endpoints, as soon as one is enabled. */
export function startDeliveryBridge(deps: DeliveryBridgeDeps): Dispatcher {
  const { settings, store, clock, log } = deps;
  let link: Link | null = null;
  let isStopping = false;
  let figures = NO_FIGURES;
  let cancelTimer: Cancel = () => {};
  const unfollow = settings.onChange(() =>
    link?.ask({ kind: "settings", webhooks: readEndpointRules(settings) }),
  );

  const begin = (): void => {
    if (link !== null || isStopping || !isAnyEnabled(store.read)) return;
    cancelTimer();
    const onFigures = (told: DispatchFigures): void => {
      figures = told;
    };
    link = startBridge(deps, onFigures, (why) => {
      link = null;
      cancelTimer();
      log.error("the thread that tells endpoints failed", { error: why });
      cancelTimer = clock.after(AGAIN_MS, begin);
    });
    link.ask({ kind: "begin", beginning: beginningOf(deps) });
    cancelTimer = clock.after(TIME_MS, keepTime);
  };

  const tellTime = (): void => link?.ask({ kind: "time", time: sampleClock(clock) });
  const unwatch = deps.watchClock(tellTime);

  const keepTime = (): void => {
    tellTime();
    cancelTimer = clock.after(TIME_MS, keepTime);
  };

  begin();
  return {
    wake: () => {
      if (link === null) begin();
      else link.ask({ kind: "wake" });
    },
    figures: () => figures,
    stop: async (graceMs) => {
      isStopping = true;
      unfollow();
      unwatch();
      cancelTimer();
      link?.ask({ kind: "stop", graceMs });
      if (link !== null) await settleWithin(clock, graceMs + STOPPING_MS, link.stopped);
      cancelTimer();
      link?.end();
    },
  };
}

/** Starts the thread. `onFailure` is called with the reason when it dies without having been ended. */
function startBridge(
  deps: DeliveryBridgeDeps,
  onFigures: (figures: DispatchFigures) => void,
  onFailure: (why: string) => void,
): Link {
  const thread = deps.startThread("webhooks/delivery-thread.ts");
  const stopped = Promise.withResolvers<void>();
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
    thread.terminate();
    stopped.resolve();
  };
  const fail = (why: string): void => {
    if (!isOpen) return;
    end();
    onFailure(why);
  };
  const ask = (asked: ToThread): void => {
    if (isOpen) thread.postMessage(asked);
  };
  const hear = hearing(deps, ask, onFigures, stopped.resolve);
  thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if (isOpen) hear(data);
  };
  thread.onerror = ({ message }) => fail(message);
  thread.addEventListener("close", () => fail("it ended"));
  return { ask, stopped: stopped.promise, end };
}

/** Handles the thread's messages. */
function hearing(
  { store, clock, log }: DeliveryBridgeDeps,
  ask: (asked: ToThread) => void,
  onFigures: (figures: DispatchFigures) => void,
  onStopped: () => void,
): (said: FromThread) => void {
  const write = outcomesInto(store, clock);
  return (said) => {
    switch (said.kind) {
      case "outcomes":
        write(said.outcomes).then(
          (kept) => ask({ kind: "written", kept }),
          (error: unknown) => ask({ kind: "unwritten", error: wordsOf(error) }),
        );
        return;
      case "figures":
        onFigures(said.figures);
        return;
      case "line":
        log[said.level](said.message, said.fields);
        return;
      case "step":
        log.steps?.tell("webhooks", said.what, said.fields);
        return;
      case "stopped":
        onStopped();
        return;
      default:
        unreachable(said, "word of the thread that tells endpoints");
    }
  };
}

function wordsOf(error: unknown): { readonly name: string; readonly message: string } {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: "Error", message: String(error) };
}

function beginningOf({ settings, store, clock, log }: DeliveryBridgeDeps): DeliveryWorkerStart {
  const { steps = null } = log;
  return {
    directory: store.directory,
    webhooks: readEndpointRules(settings),
    time: sampleClock(clock),
    steps: steps && { isEachShown: steps.shows("webhooks"), followed: [...steps.followed] },
  };
}
