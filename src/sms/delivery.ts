/**
 * The way out: one line for each configured operator, fed from the queue. A batch is offered when it is accepted. At the
 * start, and every minute for what nobody looks after, the queue is gone through: it tells what there is to do, and what
 * has left and waits for receipts is not in it.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { startLoop } from "../base/loop.ts";
import type { Config } from "../config/config.ts";
import type { InboundRules } from "../inbound/inbound.ts";
import { type CalledOff, calledOff } from "../messages/cancel.ts";
import { type QueuePlace, queuedBatch } from "../messages/queue.ts";
import { cancelQueued } from "../outbound/call-off.ts";
import { holds } from "../outbound/holds.ts";
import { recorder } from "../outbound/recorder.ts";
import { strays, type WaitingElsewhere } from "../outbound/strays.ts";
import { visitQueue } from "../outbound/visit-queue.ts";
import type { Store } from "../store/store.ts";
import type { LinkStatus } from "./link.ts";
import { type OperatorLine, operatorLine } from "./operator-line.ts";
import { receiptMemory } from "./receipt-memory.ts";
import { rescueClaims } from "./rescue.ts";

/** An operator's connections, in the order of the configuration. */
export type OperatorStatus = { readonly operator: string; readonly connections: readonly LinkStatus[] };

export type Delivery = {
  /** Offers the messages of one batch to the operators they are for; those of one that was called off are cancelled. */
  readonly offer: (batchId: number) => void;
  /** Goes through the queue and offers what no line knows. Asked for while it does, it goes through once more afterwards. */
  readonly refresh: () => void;
  /** The account, its senders or one of its batches changed: whether its messages may leave is asked again. */
  readonly accountChanged: (accountId: number) => void;
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
/**
 * Between two looks at claimed messages that nobody holds, which are found within a minute
 * (docs/behaviour.md#nobody-holds-it).
 */
const LOOK_FOR_UNHELD_MS = 20_000;

/** Opens the connections to every operator and starts sending what waits. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  const { config, store, clock, log } = deps;
  const shared = recorder(store, clock, log, (batchId) => offer(batchId));
  const held = holds();
  const memory = receiptMemory(store.read);
  const lines = new Map<string, OperatorLine>();
  for (const [code, operator] of Object.entries(config.operators)) {
    const line = operatorLine({
      ...deps,
      code,
      operator,
      recorder: shared,
      holds: held,
      inbound: inboundRules(deps),
      memory,
      onOver: (batchId) => offer(batchId),
    });
    lines.set(code, line);
  }

  let isStopping = false;
  const elsewhere = strays({
    store,
    clock,
    log,
    hasLine: (code) => lines.has(code),
    onHandedOver: (batchId) => offer(batchId),
  });
  const cancelling = new Map<number, Promise<void>>();
  const cancel = (batch: CalledOff): void => {
    if (cancelling.has(batch.id)) return;
    const cancelled = cancelQueued({ store, clock, log }, batch).finally(() => cancelling.delete(batch.id));
    cancelling.set(batch.id, cancelled);
  };
  const offer = (batchId: number): void => {
    if (isStopping) return;
    const queued = queuedBatch(store.read, batchId);
    for (const batch of queued) {
      const line = lines.get(batch.operator);
      if (line) line.open(batch);
      else elsewhere.note(batch);
    }
    const off = queued.length === 0 ? calledOff(store.read, batchId) : null;
    if (off) cancel(off);
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
  let isFirstLook = true;
  const lookingForUnheld = startLoop({
    name: "look after claimed messages that nobody holds",
    everyMs: LOOK_FOR_UNHELD_MS,
    clock,
    log,
    runOnce: async () => {
      // Those of the process before were looked after before this one began.
      if (!isFirstLook) await rescueUnheld();
      isFirstLook = false;
      return false;
    },
  });
  const rescueUnheld = async (): Promise<void> => {
    const messages = await rescueClaims(store, config, clock.nowMs(), held.has);
    if (messages === 0) return;
    log.error("claimed messages that nobody looked after go on as in doubt", { messages });
    refresh();
  };

  const visit = ({ batchId, operator }: QueuePlace): void => {
    if (!lines.get(operator)?.knows(batchId)) offer(batchId);
  };
  let visiting: Promise<void> | null = null;
  let isAskedAgain = false;
  const refresh = (): void => {
    if (isStopping) return;
    lookingElsewhere.wake();
    isAskedAgain = visiting !== null;
    if (isAskedAgain) return;
    visiting = visitQueue(store.read, clock, visit, () => isStopping)
      .catch((error) => log.error("batches could not be offered", { ...errorFields(error) }))
      .finally(() => {
        visiting = null;
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
    accountChanged: (accountId) => {
      for (const line of lines.values()) line.accountChanged(accountId);
    },
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
    halt,
    stop: async (graceMs, longestMs) => {
      halt();
      await Promise.all([...lines.values()].map((line) => line.stop(graceMs, longestMs)));
      await visiting;
      await Promise.all(cancelling.values());
      await Promise.all([lookingElsewhere.stop(), lookingForUnheld.stop()]);
      shared.close();
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
