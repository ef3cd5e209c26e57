/**
 * Sends what is queued: the workers of every channel, fed from the queue.
 *
 * A channel opens a worker for each operator it serves (`worker.ts`). A worker takes messages in fair order
 * (`batch-scheduler.ts`) from the batches that may be sent from (`sending-gate.ts`, `operator-queue.ts`), claims each before
 * anything of it leaves (`claim.ts`), and records what happens to it as facts (`recorder.ts`). The room knows no protocol and
 * imports no channel.
 *
 * A batch is offered to its workers when it is accepted, a small one with all its messages, so that nothing of it is read. At the
 * start, and every minute for what was missed, the whole queue is scanned: it holds what there is to do. What has left and waits
 * for receipts is not in it.
 *
 * Messages for an operator without a worker are orphaned and wait here (below), a claimed message without a lease is found by
 * `leases.ts`, and what can't be sent any more is given up (`give-up.ts`).
 */
import { type Clock, isOver } from "../core/clock.ts";
import { createYielder, runInBatches } from "../core/concurrency.ts";
import { errorFields, type Log } from "../core/log.ts";
import { startLoop } from "../core/loop.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import { calledOff } from "../domain/messages/cancellation.ts";
import { hasUntimedLegs, startLegTimers } from "../domain/messages/fallback-legs.ts";
import { isRetired, resolveOperatorCode } from "../domain/messages/operator-codes.ts";
import {
  type FilledQueue,
  findNextQueuePlace,
  handOver,
  placesOf,
  type QueuedBatch,
  type QueuedMessage,
  type QueuePlace,
  readQueuedBatch,
  type TakeFastPathSlot,
  TOP_OF_QUEUE,
  type WaitingPlace,
  waitingAt,
} from "../domain/messages/queue.ts";
import { isHeldBack } from "../domain/messages/restore-holds.ts";
import { batchCancellations, giveUpQueued } from "./give-up.ts";
import { Leases, type RecoverClaim, recoverLeases } from "./leases.ts";
import { recorder } from "./recorder.ts";
import { taskTracker } from "./task-tracker.ts";
import type {
  ExtraWorkers,
  OpenExtraWorkers,
  OpenWorkers,
  OperatorWorker,
  SessionHealth,
  WorkerTools,
} from "./worker.ts";

/** The connections of one operator's worker. */
export type WorkerStatus = { readonly operator: string; readonly connections: readonly SessionHealth[] };

export type Delivery = {
  /**
   * Offers the messages of one batch to the workers of their operators; those of a cancelled batch are cancelled. `filled`: all
   * that waits of a batch accepted just now, so that it is not read.
   */
  readonly offer: (batchId: number, filled?: readonly FilledQueue[] | null) => void;
  /** Reserves slots on its worker for messages of a batch that is being accepted. */
  readonly passage: TakeFastPathSlot;
  /** Scans the queue and offers the batches that no worker knows. Called during a scan, it scans once more afterwards. */
  readonly refresh: () => void;
  /** The account, its senders or one of its batches changed: whether its messages may leave is checked again. */
  readonly accountChanged: (accountId: number) => void;
  readonly status: () => WorkerStatus[];
  /** How many messages wait for operators that are not in the configuration, as of a short while ago. */
  readonly waitingElsewhere: () => readonly OrphanCount[];
  /** Claims nothing from this moment on; what was claimed and not written goes back to the queue. */
  readonly halt: () => void;
  /** Waits for answers for `graceMs` and ends the sessions; after `longestMs` closes them as they are. */
  readonly stop: (graceMs: number, longestMs?: number) => Promise<void>;
};

type DeliveryDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the workers of each channel. No two channels serve an operator of the same code. */
  readonly openLines: readonly OpenWorkers[];
  /** Opens workers for codes that no channel serves. */
  readonly openRest?: OpenExtraWorkers;
  readonly recoverClaim: RecoverClaim;
  /** Whether anything may be claimed at this moment. */
  readonly mayClaim: () => boolean;
};

/** Between two checks of the orphaned messages. */
const ORPHAN_CHECK_MS = 30_000;
/** Between two searches for claimed messages without a lease, which are found within a minute (docs/behaviour.md#nobody-holds-it). */
const LEASE_CHECK_MS = 20_000;

/** A place of the queue, with its messages where they need not be read. */
type Offered = Pick<FilledQueue, "batch"> & Partial<FilledQueue>;

/** Opens every channel's workers and starts sending what waits. */
export function startDelivery(deps: DeliveryDeps): Delivery {
  const { store, clock, log } = deps;
  let isStopping = false;
  const openLane = (batch: QueuedBatch, all?: readonly QueuedMessage[]): void => {
    const line = register.of(batch.operator);
    if (line) line.open(batch, all);
    else elsewhere.note(batch);
  };
  const offer: Delivery["offer"] = (batchId, filled) => {
    if (isStopping) return;
    const places: readonly Offered[] =
      filled ?? readQueuedBatch(store.read, batchId).map((batch) => ({ batch }));
    for (const { batch, messages } of places) openLane(batch, messages);
    const off = places.length === 0 ? calledOff(store.read, batchId) : null;
    if (off) cancelling.begin(off);
  };
  const register = workerRegistry(() => refresh(), log);
  const { lines, opened, closed } = register;
  const { mayClaim } = deps;
  const shared = { recorder: recorder(store, clock, log, offer), leases: new Leases() };
  const tools = { ...shared, onOver: offer, mayClaim, opened, closed };
  for (const open of deps.openLines) register.add(open(tools));
  if (deps.openRest) register.addRest(deps.openRest(tools));
  const cancelling = batchCancellations({ store, clock, log });
  const elsewhere = orphanedMessages({
    store,
    clock,
    log,
    hasLine: register.has,
    mayClaim,
    onHandedOver: offer,
  });
  const visits = queueScans({
    read: store.read,
    clock,
    log,
    isStopping: () => isStopping,
    visit: ({ batchId, operator }) => {
      if (!register.of(operator)?.knows(batchId)) offer(batchId);
    },
  });
  const lookingElsewhere = startLoop({
    name: "look after what waits for operators that left",
    everyMs: ORPHAN_CHECK_MS,
    clock,
    log,
    runOnce: async (isStopped) => {
      await elsewhere.look(isStopped);
      return false;
    },
  });
  const refresh = (): void => {
    if (isStopping) return;
    lookingElsewhere.wake();
    visits.begin();
  };
  const lookingForUnheld = startLeaseRecovery(deps, tools.leases, refresh);
  refresh();

  const halt = (): void => {
    isStopping = true;
    register.halt();
  };
  return {
    offer,
    passage: (read, batch, messages) => register.of(batch.operator)?.passage(read, batch, messages) ?? null,
    refresh,
    waitingElsewhere: elsewhere.waiting,
    accountChanged: register.accountChanged,
    status: () => [...lines].map(([operator, line]) => ({ operator, connections: line.status() })),
    halt,
    stop: async (graceMs, longestMs) => {
      halt();
      await register.stop(graceMs, longestMs);
      await visits.idle();
      await cancelling.idle();
      await Promise.all([lookingElsewhere.stop(), lookingForUnheld.stop()]);
      tools.recorder.close();
    },
  };
}

/** Searches for claimed messages without a lease. `onFound`: some are queued again. */
function startLeaseRecovery(deps: DeliveryDeps, held: Leases, onFound: () => void) {
  const { clock, log } = deps;
  let isFirstLook = true;
  return startLoop({
    name: "look after claimed messages that nobody holds",
    everyMs: LEASE_CHECK_MS,
    clock,
    log,
    runOnce: async () => {
      // Those of the process before were recovered before this one began.
      const messages = isFirstLook ? 0 : await recoverLeases(deps, clock.nowMs(), held);
      isFirstLook = false;
      if (messages > 0) {
        log.error("claimed messages that nobody looked after go on as in doubt", { messages });
        onFound();
      }
      return false;
    },
  });
}

// The workers of every channel by their operators' codes, the extra workers that were asked for, and those whose operator left the
// configuration and that still wait for answers.

type WorkerRegistry = Pick<WorkerTools, "opened" | "closed"> & {
  /** The channels' workers. */
  readonly lines: ReadonlyMap<string, OperatorWorker>;
  /** The worker of a code, a channel's or an extra one; null for none. */
  readonly of: (code: string) => OperatorWorker | null;
  readonly has: (code: string) => boolean;
  /** The account, its senders or one of its batches changed: every worker checks again. */
  readonly accountChanged: (accountId: number) => void;
  /** Sets who opens workers for codes that no channel has one for. */
  readonly addRest: (rest: ExtraWorkers) => void;
  /** Adds the workers that there are from the start. */
  readonly add: (lines: ReadonlyMap<string, OperatorWorker>) => void;
  /** Claims nothing from this moment on and opens no more workers. */
  readonly halt: () => void;
  /** Stops every worker, as `OperatorWorker.stop` does, including those that are leaving. */
  readonly stop: OperatorWorker["stop"];
};

/** `onChanged`: what waits may have got a worker, or have lost its worker. */
function workerRegistry(onChanged: () => void, log: Log): WorkerRegistry {
  const { own } = taskTracker((error) => {
    log.error("a line that leaves did not end cleanly", { ...errorFields(error) });
  });
  const lines = new Map<string, OperatorWorker>();
  const leaving = new Set<OperatorWorker>();
  const others = new Map<string, OperatorWorker>();
  let rest: ExtraWorkers | null = null;
  const ofRest = (code: string): OperatorWorker | null => {
    const line = others.get(code) ?? rest?.lineOf(code) ?? null;
    if (line) others.set(code, line);
    return line;
  };
  const of = (code: string): OperatorWorker | null => lines.get(code) ?? ofRest(code);
  const all = (): readonly OperatorWorker[] => [...lines.values(), ...others.values()];
  return {
    lines,
    of,
    has: (code) => of(code) !== null,
    accountChanged: (accountId) => {
      for (const line of all()) line.accountChanged(accountId);
    },
    addRest: (added) => {
      rest = added;
    },
    add: (more) => {
      for (const [code, line] of more) lines.set(code, line);
    },
    opened: (code, line) => {
      lines.set(code, line);
      onChanged();
    },
    closed: (code, line) => {
      if (lines.get(code) === line) lines.delete(code);
      leaving.add(line);
      own(
        line.leave().then(() => {
          leaving.delete(line);
        }),
      );
      onChanged();
    },
    halt: () => {
      rest?.halt();
      for (const line of all()) line.halt();
    },
    stop: async (graceMs, longestMs) => {
      await Promise.all([...all(), ...leaving].map((line) => line.stop(graceMs, longestMs)));
      await rest?.stop();
    },
  };
}

/**
 * Visits every place of the queue and yields in between: tens of thousands may wait for an operator that is unreachable. The
 * newest come first, because what is urgent is new.
 */
export async function scanQueue(
  read: Reader,
  clock: Clock,
  visit: (place: QueuePlace) => void,
  isStopping: () => boolean,
): Promise<void> {
  const pause = createYielder(clock);
  for (let place = findNextQueuePlace(read, TOP_OF_QUEUE); place; place = findNextQueuePlace(read, place)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (isStopping()) return;
    visit(place);
  }
}

/** Scans of the whole queue, one at a time. */
type QueueScans = {
  /** Begins a scan. Called while one is under way, it begins one more afterwards. */
  readonly begin: () => void;
  /** Resolves when none is under way. */
  readonly idle: () => Promise<void>;
};

function queueScans(deps: {
  readonly read: Reader;
  readonly clock: Clock;
  readonly log: Log;
  readonly visit: (place: QueuePlace) => void;
  readonly isStopping: () => boolean;
}): QueueScans {
  const { read, clock, log, visit, isStopping } = deps;
  let underWay: Promise<void> | null = null;
  let isAskedAgain = false;
  const begin = (): void => {
    if (isStopping()) return;
    isAskedAgain = underWay !== null;
    if (isAskedAgain) return;
    underWay = scanQueue(read, clock, visit, isStopping)
      .catch((error) => log.error("batches could not be offered", { ...errorFields(error) }))
      .finally(() => {
        underWay = null;
        if (isAskedAgain) begin();
      });
  };
  return {
    begin,
    idle: async () => {
      await underWay;
    },
  };
}

// Orphaned messages: they wait for an operator that has no worker, because it left the configuration. They wait within their validity,
// move on when the operator was given another code, and are given up when it was retired (docs/behaviour.md#operators-that-left).

/** How many messages wait for an operator that is not in the configuration. */
export type OrphanCount = { readonly operator: string; readonly messages: number };

type OrphanedMessages = {
  /** Messages of a batch wait for an operator without a worker. */
  readonly note: (place: WaitingPlace) => void;
  /** Checks every place once, in steps. The first check finds them, and logs how many wait for which operator. */
  readonly look: (isStopping: () => boolean) => Promise<void>;
  /** The counts of the last check, by code. */
  readonly waiting: () => readonly OrphanCount[];
};

type OrphanedMessagesDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasLine: (operator: string) => boolean;
  /** Whether anything may be claimed at all. */
  readonly mayClaim: () => boolean;
  /** Messages of a batch now wait for an operator that has a worker. */
  readonly onHandedOver: (batchId: number) => void;
};

/** What becomes of messages for a code without a worker. `code`: the code with a worker that it goes by, if any. */
type Fate = { readonly code: string | null; readonly isRetired: boolean };

/** Messages handed over in one transaction. */
const STEP = 250;

function orphanedMessages({
  store,
  clock,
  log,
  hasLine,
  mayClaim,
  onHandedOver,
}: OrphanedMessagesDeps): OrphanedMessages {
  const places = new Map<string, WaitingPlace>();
  let counts = new Map<string, number>();
  let isSearched = false;

  const note = (place: WaitingPlace): void => {
    places.set(`${place.batchId} ${place.operator}`, place);
  };

  /** What was decided about the code, read once a check: tens of thousands of batches may wait for it. */
  const fateOf = (operator: string): Fate => {
    const code = resolveOperatorCode(store.read, operator);
    return { code: hasLine(code) ? code : null, isRetired: isRetired(store.read, operator) };
  };

  /** Handles one place; returns how many messages still wait there. */
  const lookAfter = async (place: WaitingPlace, { code, isRetired: isOut }: Fate): Promise<number> => {
    if (code !== null) {
      const isBack = code === place.operator;
      if (!isBack) await runInBatches(STEP, () => store.write((tx) => handOver(tx, place, code, STEP)));
      onHandedOver(place.batchId);
      return 0;
    }
    const found = waitingAt(store.read, place);
    if (!found || found.messages === 0) return 0;
    if (isHeldBack(store.read, place)) return found.messages;
    const isExpired = isOver(clock, found.createdAt, found.expiresAt);
    if (!isExpired && !isOut) return found.messages;
    const reason = isExpired ? "EXPIRED_IN_QUEUE" : "NO_ROUTE";
    await giveUpQueued({ store, clock, log }, place, { code: reason, operatorCode: null });
    return waitingAt(store.read, place)?.messages ?? 0;
  };

  /** Nothing leaves by this code any more, so each message has had its turn: the time begins after which it goes on by its fallback. */
  const beginTurns = async (
    operator: string,
    batches: ReadonlySet<number>,
    isStopping: () => boolean,
  ): Promise<void> => {
    if (!mayClaim() || !hasUntimedLegs(store.read)) return;
    const isMeant = (batchId: number): boolean => batches.has(batchId);
    await runInBatches(STEP, async () =>
      isStopping()
        ? 0
        : await store.write((tx) => startLegTimers(tx, operator, clock.nowMs(), STEP, isMeant)),
    );
  };

  const tell = (operator: string, messages: number): void => {
    log.warn("messages wait for an operator that is not in the configuration", {
      operator,
      messages,
      action: `configure it again, or use "operator rename ${operator} NEW" or "operator retire ${operator}"`,
    });
  };

  return {
    note,
    look: async (isStopping) => {
      const pause = createYielder(clock);
      if (!isSearched) {
        for (const place of await placesOf(store.read, pause, (code) => !hasLine(code))) note(place);
        isSearched = true;
      }
      const left = new Map<string, number>();
      const fates = new Map<string, Fate>();
      const standing = new Map<string, Set<number>>();
      for (const [key, place] of places) {
        if (isStopping()) return;
        const fate = fates.get(place.operator) ?? fateOf(place.operator);
        fates.set(place.operator, fate);
        const messages = await lookAfter(place, fate);
        if (messages === 0) places.delete(key);
        else {
          left.set(place.operator, (left.get(place.operator) ?? 0) + messages);
          const batches = standing.get(place.operator) ?? new Set();
          if (!isHeldBack(store.read, place)) standing.set(place.operator, batches.add(place.batchId));
        }
        await pause();
      }
      for (const [operator, batches] of standing) await beginTurns(operator, batches, isStopping);
      for (const [operator, messages] of left) if (!counts.has(operator)) tell(operator, messages);
      counts = left;
    },
    waiting: () => [...counts].map(([operator, messages]) => ({ operator, messages })),
  };
}
