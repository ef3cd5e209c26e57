/**
 * The way out: one line for each configured operator, fed from the queue. A batch is offered when it is accepted;
 * at the start, and whenever accounts or senders change, all of them are offered anew.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import { errorText, type Log } from "../base/log.ts";
import { startLoop } from "../base/loop.ts";
import type { Config } from "../config/config.ts";
import { queuedBatch } from "../messages/queue.ts";
import type { Store } from "../store/store.ts";
import type { InboundRules } from "./inbound.ts";
import type { LinkStatus } from "./link.ts";
import { offerAll } from "./offer-all.ts";
import { type OperatorLine, operatorLine } from "./operator-line.ts";
import { recorder } from "./recorder.ts";
import { strays, type WaitingElsewhere } from "./strays.ts";

/** An operator's connections, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly LinkStatus[] };

export type Delivery = {
  /** Offers the messages of one batch to the operators they are for. */
  readonly offer: (batchId: number) => void;
  /** Offers every batch anew. */
  readonly refresh: () => void;
  readonly status: () => OperatorStatus[];
  /** How many messages wait for operators that are not in the configuration, as of a short while ago. */
  readonly waitingElsewhere: () => readonly WaitingElsewhere[];
  /** From this moment nothing is claimed, and what was claimed and not written goes back to the queue. */
  readonly halt: () => void;
  /** Waits for answers for `graceMs` and unbinds; after `longestMs` the links are closed as they are. */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
};

export type DeliveryDeps = {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A number in any form as E.164 with "+", as those of a batch are read; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  readonly readPem: (file: string) => string | null;
};

/** Between two looks at what waits for operators that left the configuration. */
const LOOK_ELSEWHERE_MS = 30_000;

/** Opens the connections to every operator and starts sending what waits. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  const { config, store, clock, log } = deps;
  const shared = recorder(store, clock, log);
  const lines = new Map<string, OperatorLine>();
  for (const [code, operator] of Object.entries(config.operators)) {
    lines.set(code, operatorLine({ ...deps, code, operator, recorder: shared, inbound: inboundRules(deps) }));
  }

  let isStopping = false;
  const elsewhere = strays({
    store,
    clock,
    log,
    hasLine: (code) => lines.has(code),
    onHandedOver: (batchId) => offer(batchId),
  });
  const offer = (batchId: number): void => {
    if (isStopping) return;
    for (const batch of queuedBatch(store.read, batchId)) {
      const line = lines.get(batch.operator);
      if (line) line.open(batch);
      else elsewhere.note(batch);
    }
  };
  const lookingElsewhere = startLoop({
    name: "look after what waits for operators that left",
    everyMs: LOOK_ELSEWHERE_MS,
    clock,
    log,
    runOnce: async (isStopped) => {
      await elsewhere.look(isStopped);
      return false;
    },
  });
  let offering: Promise<void> | null = null;
  let isAskedAgain = false;
  /** Begins anew when it is asked for while it is under way: what was offered before may be out of date. */
  const refresh = (): void => {
    if (isStopping) return;
    for (const line of lines.values()) line.forget();
    lookingElsewhere.wake();
    isAskedAgain = offering !== null;
    if (isAskedAgain) return;
    offering = offerAll(store.read, clock, offer, () => isStopping || isAskedAgain)
      .catch((error) => log.error("batches could not be offered", { error: errorText(error) }))
      .finally(() => {
        offering = null;
        if (isAskedAgain) refresh();
      });
  };
  refresh();

  const halt = (): void => {
    isStopping = true;
    for (const line of lines.values()) line.halt();
  };

  return {
    offer,
    refresh,
    waitingElsewhere: elsewhere.waiting,
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
    halt,
    stop: async (graceMs, longestMs) => {
      halt();
      await Promise.all([...lines.values()].map((line) => line.stop(graceMs, longestMs)));
      await offering;
      await lookingElsewhere.stop();
    },
  };
}

/** How inbound texts are read. */
export function inboundRules({
  config,
  readNumber,
}: Pick<DeliveryDeps, "config" | "readNumber">): InboundRules {
  return {
    readNumber,
    alphabetOf: (code, connection) =>
      config.operators[code]?.connections[connection - 1]?.default_alphabet ?? "gsm",
  };
}
