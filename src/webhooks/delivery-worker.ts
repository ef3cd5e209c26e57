/**
 * The delivery thread: runs the dispatcher on a reading connection of its own. It writes nothing: outcomes of attempts and log
 * lines are handed to the appliance a few times a second.
 */

import { deriveCached } from "../config/live-config.ts";
import { assert, unreachable } from "../core/assert.ts";
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log, type LogFields, type LogLevel, type TraceLog } from "../core/log.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import { openReadConnection, type ReadConnection } from "../db/connections.ts";
import type { OpenDatabase } from "../db/disk.ts";
import type { HttpsNetwork } from "../https/address-guard.ts";
import type { Post } from "../https/post.ts";
import type { SaveOutcomes } from "./attempts.ts";
import { type Dispatcher, startDispatcher } from "./dispatcher.ts";
import { createEndpointClient, type WebhookNetworkRules } from "./endpoint-client.ts";
import { openSecretSeal } from "./signing.ts";
import {
  createMirroredClock,
  type DeliveryWorkerStart,
  type FromThread,
  type MirroredClock,
  type ToThread,
} from "./worker-protocol.ts";

export type DeliveryWorkerPorts = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly machine: { readonly https: HttpsNetwork; readonly openDatabase: OpenDatabase };
};

type Say = (said: FromThread) => void;

/** What runs once the thread was told to begin. */
type RunningWorker = {
  readonly store: ReadConnection;
  readonly clock: MirroredClock;
  readonly dispatcher: Dispatcher;
  readonly figures: Loop;
  /** Puts new settings in force. */
  readonly follow: (webhooks: WebhookNetworkRules) => void;
};

/** How often figures are sent to the appliance, when they have changed. */
const FIGURES_MS = 250;

/** Delivers events to endpoints as the appliance's messages ask; `say` sends messages to the appliance. */
export function runDeliveryWorker(edges: DeliveryWorkerPorts, say: Say): (asked: ToThread) => void {
  const desk = attemptWriter(say);
  let underWay: RunningWorker | null = null;
  const begun = (): RunningWorker => {
    assert(underWay, "the thread was told to begin");
    return underWay;
  };
  return (asked) => {
    switch (asked.kind) {
      case "begin":
        underWay = begin(edges, asked.beginning, desk.write, say);
        return;
      case "settings":
        begun().follow(asked.webhooks);
        return;
      case "time":
        begun().clock.set(asked.time);
        return;
      case "wake":
        begun().dispatcher.wake();
        return;
      case "written":
      case "unwritten":
        desk.answered(asked);
        return;
      case "stop":
        end(begun(), asked.graceMs, say).catch((error: unknown) => {
          say({
            kind: "line",
            level: "error",
            message: "telling did not end cleanly",
            fields: errorFields(error),
          });
        });
        return;
      default:
        unreachable(asked, "word to the thread that tells endpoints");
    }
  };
}

function begin(
  { clock: wall, chance, machine }: DeliveryWorkerPorts,
  { directory, webhooks, time, steps }: DeliveryWorkerStart,
  write: SaveOutcomes,
  say: Say,
): RunningWorker {
  const store = openReadConnection(directory, machine.openDatabase);
  const clock = createMirroredClock(wall, time);
  const log = workerLog(say, steps && createTracePort(say, steps));
  let inForce = webhooks;
  const table = () => inForce;
  const way = deriveCached(table, (given) => createEndpointClient(given, clock, machine.https));
  const post: Post = (...request) => way().post(...request);
  const seal = openSecretSeal(directory, chance);
  const dispatcher = startDispatcher({ store, write, clock, chance, log, seal, delays: table, post });
  return {
    store,
    clock,
    dispatcher,
    figures: sayFigures(dispatcher, clock, log, say),
    follow: (given) => {
      inForce = given;
    },
  };
}

/** Ends delivery, and says so once the last outcomes were written. */
async function end({ dispatcher, figures, store }: RunningWorker, graceMs: number, say: Say): Promise<void> {
  await dispatcher.stop(graceMs);
  await figures.stop();
  store.close();
  say({ kind: "stopped" });
}

/** Hands outcomes to the appliance, and waits until it says which were kept. */
function attemptWriter(say: Say) {
  let waiting: PromiseWithResolvers<readonly boolean[]> | null = null;
  const write: SaveOutcomes = (outcomes) => {
    waiting = Promise.withResolvers();
    say({ kind: "outcomes", outcomes });
    return waiting.promise;
  };
  const answered = (answer: Extract<ToThread, { kind: "written" | "unwritten" }>): void => {
    if (answer.kind === "written") waiting?.resolve(answer.kept);
    else waiting?.reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
  };
  return { write, answered };
}

/** Sends figures whenever they have changed. */
function sayFigures(dispatcher: Dispatcher, clock: Clock, log: Log, say: Say): Loop {
  let told = "";
  const runOnce = (): undefined => {
    const figures = dispatcher.figures();
    const text = JSON.stringify(figures);
    if (text !== told) say({ kind: "figures", figures });
    told = text;
  };
  return startLoop({ name: "tell figures of webhooks", everyMs: FIGURES_MS, clock, log, runOnce });
}

/** A log whose lines the appliance writes. */
function workerLog(say: Say, steps: TraceLog | null, always: LogFields = {}): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      say({ kind: "line", level, message, fields: { ...always, ...fields } });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => workerLog(say, steps, { ...always, ...fields }),
    steps,
  };
}

function createTracePort(
  say: Say,
  { isEachShown, followed }: Exclude<DeliveryWorkerStart["steps"], null>,
): TraceLog {
  return {
    tell: (_room, what, fields) => say({ kind: "step", what, fields }),
    shows: () => isEachShown,
    followed: new Map(followed),
  };
}
