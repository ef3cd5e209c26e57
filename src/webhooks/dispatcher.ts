/**
 * Delivers events to endpoints, one worker for each enabled endpoint. Workers take turns, so that a slow or failing endpoint
 * delays no other, and the outcomes of attempts are written a few times a second for all of them together.
 */
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import { createYielder } from "../core/concurrency.ts";
import { errorFields, type Log } from "../core/log.ts";
import { startLoop } from "../core/loop.ts";
import { settleWithin } from "../core/shutdown-plan.ts";
import type { Seal } from "../db/data-keys.ts";
import type { Reader } from "../db/reader.ts";
import type { Store } from "../db/store.ts";
import type { Post } from "../https/post.ts";
import { type EndpointOutcome, readDueRetries, type SaveOutcomes } from "./attempts.ts";
import { readEndpointUrl } from "./endpoint-request.ts";
import { type EndpointWorker, type EndpointWorkerDeps, openEndpointWorker } from "./endpoint-worker.ts";
import { type EnabledEndpoint, endpointById, PAGE, readEnabledEndpoints } from "./endpoints.ts";
import { type Delays, longestWaitMs } from "./retry-schedule.ts";
import { readSigningKeys } from "./signing.ts";

type DispatcherDeps = {
  readonly store: Pick<Store, "read" | "version">;
  readonly write: SaveOutcomes;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly seal: Seal;
  readonly delays: () => Delays;
  readonly post: Post;
};

export type Dispatcher = {
  /** Looks for new events at once. */
  readonly wake: () => void;
  /** Figures since the start. */
  readonly figures: () => DispatchFigures;
  /** Begins no more attempts, waits up to `graceMs` for those in flight, and writes their outcomes. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** Counted since the start of the process, but for what is in flight at this moment. */
export type DispatchFigures = {
  /** Enabled endpoints that events can be delivered to. */
  readonly endpoints: number;
  readonly inFlight: number;
  readonly delivered: number;
  readonly failed: number;
  readonly givenUp: number;
  /** Endpoints disabled after failures. */
  readonly disabled: number;
  /** All attempts together took this long. */
  readonly attemptsMs: number;
};

/** Between two looks for new or due events, and between two writes of outcomes. */
const LOOK_MS = 100;
const WRITE_MS = 100;
/** The longest wait before a failed write is tried again. */
const MAX_BACKOFF_MS = 5000;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, write, clock, log } = deps;
  const room = createConcurrencyLimit();
  const stopping = new AbortController();
  const counts = { delivered: 0, failed: 0, givenUp: 0, disabled: 0, attemptsMs: 0 };
  let onIdle: (() => void) | null = null;
  const workers = manageEndpointWorkers({
    ...deps,
    read: store.read,
    stop: stopping.signal,
    counts,
    onEnd: ({ accountId }, isOpen) => {
      room.ended(accountId);
      if (room.inFlight() === 0) onIdle?.();
      // For a dropped worker nothing is written, so nothing else tells the others that its capacity is free.
      if (!isOpen) looks.again();
      turns.soon();
    },
    onDropped: () => looks.again(),
  });
  const turns = scheduleAttempts(workers, room, clock, log);
  const looks = pollEndpoints(store, clock, deps.delays, workers);
  const looking = startLoop({
    name: "look for webhook events",
    everyMs: LOOK_MS,
    clock,
    log,
    runOnce: async () => {
      if (await looks.look()) turns.soon();
      return false;
    },
  });
  const writeDown = outcomeWriter(write, workers, () => turns.soon(), looks.again);
  const writing = startLoop({
    name: "write down webhook attempts",
    everyMs: WRITE_MS,
    longestBackoffMs: MAX_BACKOFF_MS,
    clock,
    log,
    runOnce: async () => {
      await writeDown();
      return false;
    },
  });
  return {
    wake: looking.wake,
    figures: () => ({ ...counts, endpoints: workers.count(), inFlight: room.inFlight() }),
    stop: async (graceMs) => {
      turns.stop();
      looks.stop();
      await looking.stop();
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      if (room.inFlight() > 0) await settleWithin(clock, graceMs, idle.promise);
      await writing.stop();
      workers.leaveOff();
      // Events whose outcome is not written then are delivered again after the next start.
      await writeDown().catch((error: unknown) => {
        log.error("what webhooks came to could not be written", errorFields(error));
      });
      for (const worker of workers.all()) worker.close();
      stopping.abort();
    },
  };
}

type Page = { readonly worker: EndpointWorker; readonly outcome: EndpointOutcome };

/**
 * Writes the outcomes of all workers since the last time in one transaction. Outcomes that could not be written are kept and written
 * with the next ones: nothing is delivered twice because of it, and until then their workers begin nothing, so that a crash has little
 * to repeat. `onWritten` is called when such workers go on, `onRetries` when retries are written, which may be due already. Rejects
 * when the write fails.
 */
function outcomeWriter(
  write: SaveOutcomes,
  workers: Pick<EndpointWorkers, "all" | "ready" | "touched" | "drop">,
  onWritten: () => void,
  onRetries: () => void,
): () => Promise<void> {
  let unwritten: readonly Page[] = [];

  const take = (): readonly Page[] => {
    const fresh = [...workers.touched].flatMap((worker) => {
      const outcome = worker.takeOutcome();
      return outcome ? [{ worker, outcome }] : [];
    });
    workers.touched.clear();
    const open = new Set(workers.all());
    return [...unwritten.filter(({ worker }) => open.has(worker)), ...fresh];
  };

  const settle = (pages: readonly Page[], kept: readonly boolean[]): void => {
    for (const [index, { worker, outcome }] of pages.entries()) {
      if (kept[index] === true && !outcome.isOver) worker.settled(outcome);
      else workers.drop(worker);
    }
    if (pages.some(({ outcome }) => outcome.retries.length > 0)) onRetries();
    if (unwritten.length === 0) return;
    unwritten = [];
    for (const worker of workers.all()) workers.ready.add(worker);
    onWritten();
  };

  return async () => {
    const pages = take();
    if (pages.length === 0) {
      unwritten = [];
      return;
    }
    try {
      settle(pages, await write(pages.map(({ outcome }) => outcome)));
    } catch (error) {
      for (const { worker } of pages) worker.hold();
      unwritten = pages;
      throw error;
    }
  };
}

/** How long starting attempts may hold the event loop. */
const TURN_MS = 2;

type AttemptScheduler = {
  /** Lets workers that are ready begin attempts, on the next turn of the event loop. */
  readonly soon: () => void;
  /** Begins no more attempts. */
  readonly stop: () => void;
};

/** Lets each worker that is ready begin one attempt at a time, in turn, so that none delays the others. */
function scheduleAttempts(
  { ready, touched, drop }: EndpointWorkers,
  room: ConcurrencyLimit,
  clock: Clock,
  log: Log,
): AttemptScheduler {
  let isDue = false;
  let isStopping = false;

  /** A failed read does not end the process: the worker is opened again. */
  const startOne = (worker: EndpointWorker): ReturnType<EndpointWorker["startOne"]> => {
    try {
      return worker.startOne();
    } catch (error) {
      log.error("webhook events could not be read", { webhook_id: worker.webhookId, ...errorFields(error) });
      drop(worker);
      return "nothing";
    }
  };

  const turn = (): void => {
    isDue = false;
    if (isStopping) return;
    const untilMs = clock.steadyMs() + TURN_MS;
    for (const worker of ready) {
      ready.delete(worker);
      touched.add(worker);
      const started = room.hasRoom(worker.accountId, worker.inFlight()) ? startOne(worker) : "nothing";
      if (started === "started") room.began(worker.accountId);
      if (started !== "nothing") ready.add(worker);
      if (clock.steadyMs() >= untilMs) break;
    }
    soon();
  };

  const soon = (): void => {
    if (isDue || isStopping || ready.size === 0) return;
    isDue = true;
    clock.soon(turn);
  };

  return {
    soon,
    stop: () => {
      isStopping = true;
    },
  };
}

type EndpointPoll = {
  /** Looks if something was committed since the last look or is due. Whether it looked. */
  readonly look: () => Promise<boolean>;
  /** The next look sees everything, whatever the last one saw. */
  readonly again: () => void;
  readonly stop: () => void;
};

/** After a look the next one waits at least this many times its duration: thousands of endpoints cost a few percent of the time. */
const REST = 20;
/** Due retries handed to a worker at a time. */
const RETRIES_A_LOOK = 32;

/** Goes through the enabled endpoints: opens their workers, and tells them how far the logs go and which retries are due. */
function pollEndpoints(
  store: Pick<Store, "read" | "version">,
  clock: Clock,
  delays: () => Delays,
  workers: EndpointWorkers,
): EndpointPoll {
  // What the last look saw; nothing has changed until the version differs or this moment has come.
  let lookedAt: number | null = null;
  let nextDueMs = Number.POSITIVE_INFINITY;
  let restUntilMs = 0;
  let isStopping = false;

  const attend = (row: EnabledEndpoint): void => {
    const nowMs = clock.nowMs();
    const worker = workers.workerFor(row);
    if (!worker) return;
    worker.grow(row);
    takeDueRetries(store.read, worker, row, nowMs, longestWaitMs(delays()));
    // Retries that are already due belong to the worker, and are looked up again once their outcome is written.
    for (const atMs of [row.dueAt ?? 0, worker.restsUntilMs()]) {
      if (atMs > nowMs) nextDueMs = Math.min(nextDueMs, atMs);
    }
    workers.ready.add(worker);
  };

  const lookAround = async (): Promise<void> => {
    const pause = createYielder(clock);
    const enabled = new Set<number>();
    let workedMs = 0;
    for (let after = 0; !isStopping; ) {
      const beganMs = clock.steadyMs();
      const rows = readEnabledEndpoints(store.read, after);
      for (const row of rows) {
        enabled.add(row.id);
        attend(row);
      }
      workedMs += clock.steadyMs() - beganMs;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last.id;
      await pause();
    }
    for (const worker of workers.all())
      if (!isStopping && !enabled.has(worker.endpointId)) workers.drop(worker);
    restUntilMs = clock.steadyMs() + workedMs * REST;
  };

  const hasNothingNew = (): boolean =>
    clock.steadyMs() < restUntilMs || (store.version() === lookedAt && clock.nowMs() < nextDueMs);

  return {
    look: async () => {
      if (hasNothingNew()) return false;
      lookedAt = store.version();
      nextDueMs = Number.POSITIVE_INFINITY;
      // What a failed look did not reach must not wait until something else is committed.
      await lookAround().catch((error: unknown) => {
        lookedAt = null;
        throw error;
      });
      return true;
    },
    again: () => {
      lookedAt = null;
    },
    stop: () => {
      isStopping = true;
    },
  };
}

/** Hands a worker its retries that are due. */
function takeDueRetries(
  read: Reader,
  worker: EndpointWorker,
  { id, dueAt }: EnabledEndpoint,
  nowMs: number,
  longestMs: number,
): void {
  if (dueAt === null) return;
  // A retry due later than the longest delay was dated by a clock that was set back since, and so were all after it.
  const dueBy = dueAt > nowMs + longestMs ? Number.MAX_SAFE_INTEGER : nowMs;
  if (dueAt <= dueBy) worker.due(readDueRetries(read, id, dueBy, RETRIES_A_LOOK));
}

/** Counts the attempts in flight over all endpoints, and decides whether a worker may begin one more. */
type ConcurrencyLimit = {
  readonly inFlight: () => number;
  /** An attempt of an account began or ended; it counts until it ends, even when its worker was closed. */
  readonly began: (accountId: number) => void;
  readonly ended: (accountId: number) => void;
  /**
   * Whether a worker of an account with so many attempts in flight may have one more: while it has fewer than are free, less
   * those of its account. So an account never has more than half, several share equally, and some are always left for an
   * account that has none.
   */
  readonly hasRoom: (accountId: number, laneInFlight: number) => boolean;
};

/** Attempts in flight over all endpoints. The runtime sends 256 requests at a time; one more would wait, its time running. */
const MAX_IN_FLIGHT = 240;

function createConcurrencyLimit(): ConcurrencyLimit {
  const ofAccount = new Map<number, number>();
  let inFlight = 0;
  const count = (accountId: number, change: 1 | -1): void => {
    inFlight += change;
    const itsOwn = (ofAccount.get(accountId) ?? 0) + change;
    if (itsOwn === 0) ofAccount.delete(accountId);
    else ofAccount.set(accountId, itsOwn);
  };
  return {
    inFlight: () => inFlight,
    began: (accountId) => count(accountId, 1),
    ended: (accountId) => count(accountId, -1),
    hasRoom: (accountId, laneInFlight) =>
      laneInFlight < MAX_IN_FLIGHT - inFlight - (ofAccount.get(accountId) ?? 0),
  };
}

type EndpointWorkersDeps = Omit<EndpointWorkerDeps, "onEnd" | "onBroken"> & {
  readonly read: Reader;
  readonly log: Log;
  readonly seal: Seal;
  /** An attempt ended. `isOpen`: its worker is still the endpoint's. */
  readonly onEnd: (worker: EndpointWorker, isOpen: boolean) => void;
  /** A worker was closed, so that its endpoint must be looked at again. */
  readonly onDropped: () => void;
};

/** The workers of the endpoints that events can be delivered to. */
type EndpointWorkers = {
  readonly count: () => number;
  readonly all: () => Iterable<EndpointWorker>;
  /** Workers that may have an attempt to begin, in turn. */
  readonly ready: Set<EndpointWorker>;
  /** Workers whose outcomes or cursors may have changed since they were last written. */
  readonly touched: Set<EndpointWorker>;
  /**
   * The worker of an enabled endpoint, opened again where the endpoint changed; null where nothing can be delivered to it
   * as it is, which is logged once for each revision.
   */
  readonly workerFor: (row: EnabledEndpoint) => EndpointWorker | null;
  /** All workers abandon what they have in flight; the resulting outcomes are left to be written. */
  readonly leaveOff: () => void;
  /** Closes a worker; the results of what it has in flight are ignored. */
  readonly drop: (worker: EndpointWorker) => void;
};

function manageEndpointWorkers(deps: EndpointWorkersDeps): EndpointWorkers {
  const { read, log } = deps;
  const workers = new Map<number, EndpointWorker>();
  // Endpoints that nothing can be delivered to as they are, with the revision for which that was logged.
  const unfit = new Map<number, number>();
  const ready = new Set<EndpointWorker>();
  const touched = new Set<EndpointWorker>();

  const drop = (worker: EndpointWorker): void => {
    worker.close();
    ready.delete(worker);
    touched.delete(worker);
    deps.onDropped();
    if (workers.get(worker.endpointId) === worker) workers.delete(worker.endpointId);
  };

  const open = ({ id, revision }: EnabledEndpoint): EndpointWorker | null => {
    const endpoint = endpointById(read, id);
    if (endpoint?.status !== "ENABLED") return null;
    const keys = readSigningKeys(read, deps.seal, endpoint);
    const url = readEndpointUrl(endpoint.url);
    if (keys === null || "fault" in url) {
      const error = keys === null ? "its secrets cannot be opened: rotate them" : "its URL is not valid";
      log.error("webhook cannot be told anything", { webhook_id: endpoint.ulid, error });
      unfit.set(id, revision);
      return null;
    }
    const onEnd = (): void => {
      touched.add(worker);
      const isOpen = workers.get(id) === worker;
      if (isOpen) ready.add(worker);
      deps.onEnd(worker, isOpen);
    };
    const onBroken = (error: unknown): void => {
      log.error("webhook event could not be made", { webhook_id: endpoint.ulid, ...errorFields(error) });
      drop(worker);
    };
    const worker = openEndpointWorker({ ...deps, onEnd, onBroken }, { endpoint, target: url.target, keys });
    workers.set(id, worker);
    return worker;
  };

  return {
    count: () => workers.size,
    all: () => workers.values(),
    ready,
    touched,
    workerFor: (row) => {
      const known = workers.get(row.id);
      if (known?.revision === row.revision) return known;
      if (known) drop(known);
      return unfit.get(row.id) === row.revision ? null : open(row);
    },
    leaveOff: () => {
      for (const worker of workers.values()) {
        worker.leaveOff();
        touched.add(worker);
      }
    },
    drop,
  };
}
