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
 * Here are the workers by their operators (`WorkerRegistry`), the scans of the queue (`QueueScans`), the messages for an operator
 * without a worker (`OrphanedMessages`), and the cancellation of what waits of a cancelled batch (`BatchCancellations`). A claimed
 * message without a lease is found by `leases.ts`.
 */
import { type Clock, isOver } from "../core/clock.ts";
import { createYielder, runInBatches } from "../core/concurrency.ts";
import { errorFields, type Log } from "../core/log.ts";
import { type Loop, startLoop } from "../core/loop.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import { type CancelledBatch, calledOff, cancelQueuedMessages } from "../domain/messages/cancellation.ts";
import { hasUntimedLegs, startLegTimers } from "../domain/messages/fallback-legs.ts";
import { isRetired, resolveOperatorCode } from "../domain/messages/operator-codes.ts";
import {
  type FilledQueue,
  findNextQueuePlace,
  handOver,
  type QueuePlace,
  readPlaces,
  readQueuedBatch,
  readWaiting,
  type TakeFastPathSlot,
  TOP_OF_QUEUE,
  type WaitingPlace,
} from "../domain/messages/queue.ts";
import { isHeldBack } from "../domain/messages/restore-holds.ts";
import { Leases, type RecoverClaim, recoverLeases } from "./leases.ts";
import { giveUpQueued } from "./operator-queue.ts";
import { type Recorder, recorder } from "./recorder.ts";
import {
  type ExtraWorkers,
  type OpenExtraWorkers,
  type OpenWorkers,
  type OperatorWorker,
  type SessionHealth,
  type TaskTracker,
  taskTracker,
} from "./worker.ts";

/** The connections of one operator's worker. */
export type WorkerStatus = { readonly operator: string; readonly connections: readonly SessionHealth[] };

type DeliveryDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the workers of each channel. No two channels serve an operator of the same code. */
  readonly openWorkers: readonly OpenWorkers[];
  /** Opens workers for codes that no channel serves. */
  readonly openExtraWorkers?: OpenExtraWorkers;
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
  return new Delivery(deps);
}

/** The workers of every channel at work. */
export class Delivery {
  private isStopping = false;
  private readonly leases = new Leases();
  private readonly recorder: Recorder;
  private readonly workers: WorkerRegistry;
  private readonly orphans: OrphanedMessages;
  private readonly scans: QueueScans;
  private readonly cancellations: BatchCancellations;
  private readonly orphanChecks: Loop;
  private readonly leaseChecks: Loop;

  constructor(private readonly deps: DeliveryDeps) {
    const { store, clock, log, mayClaim } = deps;
    this.recorder = recorder(store, clock, log, this.offer);
    this.workers = new WorkerRegistry(() => this.refresh(), log);
    const { opened, closed } = this.workers;
    const { leases, offer: onOver } = this;
    const tools = { recorder: this.recorder, leases, onOver, mayClaim, opened, closed };
    for (const open of deps.openWorkers) this.workers.add(open(tools));
    if (deps.openExtraWorkers) this.workers.addExtra(deps.openExtraWorkers(tools));
    this.cancellations = new BatchCancellations({ store, clock, log });
    this.orphans = new OrphanedMessages({
      store,
      clock,
      log,
      hasWorker: (operator) => this.workers.has(operator),
      mayClaim,
      onHandedOver: this.offer,
    });
    this.scans = new QueueScans({
      read: store.read,
      clock,
      log,
      isStopping: () => this.isStopping,
      visit: ({ batchId, operator }) => {
        if (!this.workers.of(operator)?.knows(batchId)) this.offer(batchId);
      },
    });
    this.orphanChecks = startLoop({
      name: "look after what waits for operators that left",
      everyMs: ORPHAN_CHECK_MS,
      clock,
      log,
      runOnce: async (isStopped) => {
        await this.orphans.check(isStopped);
        return false;
      },
    });
    this.leaseChecks = this.startLeaseRecovery();
    this.refresh();
  }

  /**
   * Offers the messages of one batch to the workers of their operators; those of a cancelled batch are cancelled. `filled`: all
   * that waits of a batch accepted just now, so that it is not read.
   */
  readonly offer = (batchId: number, filled?: readonly FilledQueue[] | null): void => {
    if (this.isStopping) return;
    const { store } = this.deps;
    const places: readonly Offered[] =
      filled ?? readQueuedBatch(store.read, batchId).map((batch) => ({ batch }));
    for (const { batch, messages } of places) {
      const worker = this.workers.of(batch.operator);
      if (worker) worker.open(batch, messages);
      else this.orphans.note(batch);
    }
    const off = places.length === 0 ? calledOff(store.read, batchId) : null;
    if (off) this.cancellations.begin(off);
  };

  /** Reserves slots on its worker for messages of a batch that is being accepted. */
  readonly takeFastPathSlot: TakeFastPathSlot = (read, batch, messages) =>
    this.workers.of(batch.operator)?.takeFastPathSlot(read, batch, messages) ?? null;

  /** Scans the queue and offers the batches that no worker knows. Called during a scan, it scans once more afterwards. */
  readonly refresh = (): void => {
    if (this.isStopping) return;
    this.orphanChecks.wake();
    this.scans.begin();
  };

  /** The account, its senders or one of its batches changed: whether its messages may leave is checked again. */
  readonly accountChanged = (accountId: number): void => this.workers.accountChanged(accountId);

  readonly status = (): WorkerStatus[] => this.workers.status();

  /** How many messages wait for operators that are not in the configuration, as of a short while ago. */
  readonly waitingElsewhere = (): readonly OrphanCount[] => this.orphans.waiting();

  /** Claims nothing from this moment on; what was claimed and not written goes back to the queue. */
  readonly halt = (): void => {
    this.isStopping = true;
    this.workers.halt();
  };

  /** Waits for answers for `graceMs` and ends the sessions; after `longestMs` closes them as they are. */
  readonly stop = async (graceMs: number, longestMs?: number): Promise<void> => {
    this.halt();
    await this.workers.stop(graceMs, longestMs);
    await this.scans.idle();
    await this.cancellations.idle();
    await Promise.all([this.orphanChecks.stop(), this.leaseChecks.stop()]);
    this.recorder.close();
  };

  /** Searches for claimed messages without a lease, now and then. */
  private startLeaseRecovery(): Loop {
    const { clock, log } = this.deps;
    let isFirst = true;
    return startLoop({
      name: "look after claimed messages that nobody holds",
      everyMs: LEASE_CHECK_MS,
      clock,
      log,
      runOnce: async () => {
        // Those of the process before were recovered before this one began.
        const messages = isFirst ? 0 : await recoverLeases(this.deps, clock.nowMs(), this.leases);
        isFirst = false;
        if (messages > 0) {
          log.error("claimed messages that nobody looked after go on as in doubt", { messages });
          this.refresh();
        }
        return false;
      },
    });
  }
}

/**
 * The workers of every channel by their operators' codes, the extra workers that were asked for, and those whose operator left the
 * configuration and that still wait for answers.
 */
class WorkerRegistry {
  private readonly workers = new Map<string, OperatorWorker>();
  private readonly leaving = new Set<OperatorWorker>();
  private readonly extra = new Map<string, OperatorWorker>();
  private extraWorkers: ExtraWorkers | null = null;
  private readonly tasks: TaskTracker;

  /** `onChanged`: what waits may have got a worker, or have lost its worker. */
  constructor(
    private readonly onChanged: () => void,
    log: Log,
  ) {
    this.tasks = taskTracker((error) => {
      log.error("a line that leaves did not end cleanly", { ...errorFields(error) });
    });
  }

  /** Adds the workers that there are from the start. */
  add(workers: ReadonlyMap<string, OperatorWorker>): void {
    for (const [code, worker] of workers) this.workers.set(code, worker);
  }

  /** Sets who opens workers for codes that no channel has one for. */
  addExtra(workers: ExtraWorkers): void {
    this.extraWorkers = workers;
  }

  readonly opened = (code: string, worker: OperatorWorker): void => {
    this.workers.set(code, worker);
    this.onChanged();
  };

  readonly closed = (code: string, worker: OperatorWorker): void => {
    if (this.workers.get(code) === worker) this.workers.delete(code);
    this.leaving.add(worker);
    this.tasks.own(
      worker.leave().then(() => {
        this.leaving.delete(worker);
      }),
    );
    this.onChanged();
  };

  /** The worker of a code, a channel's or an extra one; null for none. */
  of(code: string): OperatorWorker | null {
    return this.workers.get(code) ?? this.findExtra(code);
  }

  has(code: string): boolean {
    return this.of(code) !== null;
  }

  private findExtra(code: string): OperatorWorker | null {
    const worker = this.extra.get(code) ?? this.extraWorkers?.workerOf(code) ?? null;
    if (worker) this.extra.set(code, worker);
    return worker;
  }

  private all(): readonly OperatorWorker[] {
    return [...this.workers.values(), ...this.extra.values()];
  }

  /** The account, its senders or one of its batches changed: every worker checks again. */
  accountChanged(accountId: number): void {
    for (const worker of this.all()) worker.accountChanged(accountId);
  }

  /** The status of the channels' workers. */
  status(): WorkerStatus[] {
    return [...this.workers].map(([operator, worker]) => ({ operator, connections: worker.status() }));
  }

  /** Claims nothing from this moment on and opens no more workers. */
  halt(): void {
    this.extraWorkers?.halt();
    for (const worker of this.all()) worker.halt();
  }

  /** Stops every worker, as `OperatorWorker.stop` does, including those that are leaving. */
  async stop(graceMs: number, longestMs?: number): Promise<void> {
    await Promise.all([...this.all(), ...this.leaving].map((worker) => worker.stop(graceMs, longestMs)));
    await this.extraWorkers?.stop();
  }
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

type QueueScansDeps = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly log: Log;
  readonly visit: (place: QueuePlace) => void;
  readonly isStopping: () => boolean;
};

/** Scans of the whole queue, one at a time. */
class QueueScans {
  private underWay: Promise<void> | null = null;
  private isAskedAgain = false;

  constructor(private readonly deps: QueueScansDeps) {}

  /** Begins a scan. Called while one is under way, it begins one more afterwards. */
  begin(): void {
    const { read, clock, log, visit, isStopping } = this.deps;
    if (isStopping()) return;
    this.isAskedAgain = this.underWay !== null;
    if (this.isAskedAgain) return;
    this.underWay = scanQueue(read, clock, visit, isStopping)
      .catch((error) => log.error("batches could not be offered", { ...errorFields(error) }))
      .finally(() => {
        this.underWay = null;
        if (this.isAskedAgain) this.begin();
      });
  }

  /** Resolves when none is under way. */
  async idle(): Promise<void> {
    await this.underWay;
  }
}

/** How many messages wait for an operator that is not in the configuration. */
export type OrphanCount = { readonly operator: string; readonly messages: number };

type OrphanedMessagesDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasWorker: (operator: string) => boolean;
  /** Whether anything may be claimed at all. */
  readonly mayClaim: () => boolean;
  /** Messages of a batch now wait for an operator that has a worker. */
  readonly onHandedOver: (batchId: number) => void;
};

/** What was decided about a code without a worker. `code`: the code with a worker that its messages go by, if any. */
type Resolution = { readonly code: string | null; readonly isRetired: boolean };

/** Messages handed over, or cancelled, in one transaction, so that a large batch makes nobody wait. */
const STEP = 250;

/**
 * Messages that wait for an operator without a worker, because it left the configuration. They wait within their validity, move on
 * when the operator was given another code, and are given up when it was retired (docs/behaviour.md#operators-that-left).
 */
class OrphanedMessages {
  private readonly places = new Map<string, WaitingPlace>();
  private counts = new Map<string, number>();
  private isSearched = false;

  constructor(private readonly deps: OrphanedMessagesDeps) {}

  /** Messages of a batch wait for an operator without a worker. */
  note(place: WaitingPlace): void {
    this.places.set(`${place.batchId} ${place.operator}`, place);
  }

  /** The counts of the last check, by code. */
  waiting(): readonly OrphanCount[] {
    return [...this.counts].map(([operator, messages]) => ({ operator, messages }));
  }

  /** Checks every place once, in steps. The first check finds them, and logs how many wait for which operator. */
  async check(isStopping: () => boolean): Promise<void> {
    const { store, clock, hasWorker } = this.deps;
    const pause = createYielder(clock);
    if (!this.isSearched) {
      for (const place of await readPlaces(store.read, pause, (code) => !hasWorker(code))) this.note(place);
      this.isSearched = true;
    }
    const left = new Map<string, number>();
    const resolutions = new Map<string, Resolution>();
    const standing = new Map<string, Set<number>>();
    for (const [key, place] of this.places) {
      if (isStopping()) return;
      const resolution = resolutions.get(place.operator) ?? this.resolve(place.operator);
      resolutions.set(place.operator, resolution);
      const messages = await this.handlePlace(place, resolution);
      if (messages === 0) this.places.delete(key);
      else {
        left.set(place.operator, (left.get(place.operator) ?? 0) + messages);
        const batches = standing.get(place.operator) ?? new Set();
        if (!isHeldBack(store.read, place)) standing.set(place.operator, batches.add(place.batchId));
      }
      await pause();
    }
    for (const [operator, batches] of standing) await this.startTimers(operator, batches, isStopping);
    for (const [operator, messages] of left) if (!this.counts.has(operator)) this.warn(operator, messages);
    this.counts = left;
  }

  /** What was decided about the code, read once a check: tens of thousands of batches may wait for it. */
  private resolve(operator: string): Resolution {
    const { store, hasWorker } = this.deps;
    const code = resolveOperatorCode(store.read, operator);
    return { code: hasWorker(code) ? code : null, isRetired: isRetired(store.read, operator) };
  }

  /** Handles one place; returns how many messages still wait there. */
  private async handlePlace(place: WaitingPlace, { code, isRetired: isOut }: Resolution): Promise<number> {
    const { store, clock, log, onHandedOver } = this.deps;
    if (code !== null) {
      const isBack = code === place.operator;
      if (!isBack) await runInBatches(STEP, () => store.write((tx) => handOver(tx, place, code, STEP)));
      onHandedOver(place.batchId);
      return 0;
    }
    const found = readWaiting(store.read, place);
    if (!found || found.messages === 0) return 0;
    if (isHeldBack(store.read, place)) return found.messages;
    const isExpired = isOver(clock, found.createdAt, found.expiresAt);
    if (!isExpired && !isOut) return found.messages;
    const reason = isExpired ? "EXPIRED_IN_QUEUE" : "NO_ROUTE";
    await giveUpQueued({ store, clock, log }, place, { code: reason, operatorCode: null });
    return readWaiting(store.read, place)?.messages ?? 0;
  }

  /** Nothing leaves by this code any more, so each message has had its turn: the time begins after which it goes on by its fallback. */
  private async startTimers(
    operator: string,
    batches: ReadonlySet<number>,
    isStopping: () => boolean,
  ): Promise<void> {
    const { store, clock, mayClaim } = this.deps;
    if (!mayClaim() || !hasUntimedLegs(store.read)) return;
    const isMeant = (batchId: number): boolean => batches.has(batchId);
    await runInBatches(STEP, async () =>
      isStopping()
        ? 0
        : await store.write((tx) => startLegTimers(tx, operator, clock.nowMs(), STEP, isMeant)),
    );
  }

  private warn(operator: string, messages: number): void {
    this.deps.log.warn("messages wait for an operator that is not in the configuration", {
      operator,
      messages,
      action: `configure it again, or use "operator rename ${operator} NEW" or "operator retire ${operator}"`,
    });
  }
}

type BatchCancellationsDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** Cancels and releases what waits of batches that were cancelled. */
class BatchCancellations {
  private readonly underWay = new Map<number, Promise<void>>();

  constructor(private readonly deps: BatchCancellationsDeps) {}

  /** Begins with a batch, unless it is under way. What can't be written is found again in the queue. */
  begin(batch: CancelledBatch): void {
    if (this.underWay.has(batch.id)) return;
    this.underWay.set(
      batch.id,
      this.cancel(batch).finally(() => this.underWay.delete(batch.id)),
    );
  }

  /** Resolves when none is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  private async cancel(batch: CancelledBatch): Promise<void> {
    const { store, clock, log } = this.deps;
    try {
      await runInBatches(STEP, () =>
        store.write((tx) => cancelQueuedMessages(tx, batch, clock.nowMs(), STEP)),
      );
    } catch (failure) {
      log.error("messages could not be cancelled", { batch: batch.id, ...errorFields(failure) });
    }
  }
}
