/**
 * Tells endpoints what happened. One lane for each enabled endpoint; lanes take turns, so that a slow or failing one
 * delays nobody else, and what came of the attempts is written a few times a second for all of them together.
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
  /** Looks at once for what is new. */
  readonly wake: () => void;
  /** How it goes, since the start. */
  readonly figures: () => DispatchFigures;
  /** Begins no more attempts, waits up to `graceMs` for those under way, and writes what came of them. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** Counted since the start of the process, but for what is in flight at this moment. */
export type DispatchFigures = {
  /** Enabled endpoints that can be told something. */
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

/** Between two looks for what is new or due, and between two writings of what came of it. */
const LOOK_MS = 100;
const WRITE_MS = 100;
/** What a disk does not take is tried again at least so often. */
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
      // Of one that was dropped nothing is written down, so nothing else tells the others of the room it left.
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
      // What is not written then is told again after the next start.
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
 * Writes what the attempts came to since the last time, of all lanes in one transaction. What the disk did not take is kept and
 * written with the next: nobody is told again because of it, and until then its lanes begin nothing, so that a death has little to
 * undo. `onWritten` is told when such lanes go on, `onRetries` when retries are written, which may be due already. Rejects when it
 * could not be written.
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
  /** Lets lanes that are ready begin attempts, on the next turn of the event loop. */
  readonly soon: () => void;
  /** Nothing is begun any more. */
  readonly stop: () => void;
};

/** Lets each lane that is ready begin one attempt after the other, in turn, so that none delays the others. */
function scheduleAttempts(
  { ready, touched, drop }: EndpointWorkers,
  room: ConcurrencyLimit,
  clock: Clock,
  log: Log,
): AttemptScheduler {
  let isDue = false;
  let isStopping = false;

  /** A disk that can't be read ends nobody's process: the lane is opened again. */
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
  /** Looks where something was committed since the last look, or something is due. Whether it looked. */
  readonly look: () => Promise<boolean>;
  /** The next look sees everything, whatever the last one saw. */
  readonly again: () => void;
  readonly stop: () => void;
};

/** After a look, at least as many times as long as it took nobody looks again: thousands of endpoints cost few hundredths. */
const REST = 20;
/** Due retries taken over at a time. */
const RETRIES_A_LOOK = 32;

/** Goes through the enabled endpoints: opens their lanes, and tells them how far the logs go and what is due. */
function pollEndpoints(
  store: Pick<Store, "read" | "version">,
  clock: Clock,
  delays: () => Delays,
  workers: EndpointWorkers,
): EndpointPoll {
  // What the last look saw; nothing has changed for anybody until there is another version or this moment has come.
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
    // What is due already is the lane's: its end is written down.
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
      // What a look that failed did not come to must not wait until something else is committed.
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

/** Hands a lane its retries that are due. */
function takeDueRetries(
  read: Reader,
  worker: EndpointWorker,
  { id, dueAt }: EnabledEndpoint,
  nowMs: number,
  longestMs: number,
): void {
  if (dueAt === null) return;
  // What is due later than any delay lasts was dated by a clock that was set back since, like all after it.
  const dueBy = dueAt > nowMs + longestMs ? Number.MAX_SAFE_INTEGER : nowMs;
  if (dueAt <= dueBy) worker.due(readDueRetries(read, id, dueBy, RETRIES_A_LOOK));
}

/** How many attempts are in flight over all endpoints, and whether a lane may begin one more. */
type ConcurrencyLimit = {
  readonly inFlight: () => number;
  /** An attempt of an account began or ended; it counts until it ends, whatever became of its lane. */
  readonly began: (accountId: number) => void;
  readonly ended: (accountId: number) => void;
  /**
   * Whether an account's lane with so many in flight may have one more: as long as it has fewer than what is free, less
   * what its account has. So an account never has more than half, several share alike, and something is always left for
   * one that has none.
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
  /** An attempt ended. `isOpen`: its lane is still the endpoint's. */
  readonly onEnd: (worker: EndpointWorker, isOpen: boolean) => void;
  /** A lane was closed, so that its endpoint is to be looked at again. */
  readonly onDropped: () => void;
};

/** The lanes of the endpoints that can be told something. */
type EndpointWorkers = {
  readonly count: () => number;
  readonly all: () => Iterable<EndpointWorker>;
  /** Lanes that may have something to begin, in turn. */
  readonly ready: Set<EndpointWorker>;
  /** Lanes whose attempts or cursors may have come to something since it was last written down. */
  readonly touched: Set<EndpointWorker>;
  /**
   * The lane of an enabled endpoint, opened again where the endpoint changed; null where it can't be told anything as
   * it is, which is said once for each revision.
   */
  readonly workerFor: (row: EnabledEndpoint) => EndpointWorker | null;
  /** No lane takes notice any more of what it has in flight; what that comes to is there to be written down. */
  readonly leaveOff: () => void;
  /** Closes a lane; what it has in flight is told to nobody. */
  readonly drop: (worker: EndpointWorker) => void;
};

function manageEndpointWorkers(deps: EndpointWorkersDeps): EndpointWorkers {
  const { read, log } = deps;
  const workers = new Map<number, EndpointWorker>();
  // Endpoints that can't be told anything as they are, by the revision of which that was said.
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
