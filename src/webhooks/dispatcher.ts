/**
 * Tells endpoints what happened. One lane for each enabled endpoint; lanes take turns, so that a slow or failing one
 * delays nobody else, and what came of the attempts is written a few times a second for all of them together.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { startLoop } from "../base/loop.ts";
import { slicer } from "../base/slices.ts";
import type { Post } from "../https/post.ts";
import type { Store } from "../store/store.ts";
import { courtesy } from "./courtesy.ts";
import { type EnabledRow, enabledAfter, PAGE } from "./enabled-endpoints.ts";
import { readEndpointUrl } from "./endpoint-url.ts";
import { endpointById } from "./endpoints.ts";
import { type EndpointLane, openLane } from "./lane.ts";
import { dueRetries, writeOutcome } from "./outcomes.ts";
import { type Delays, longestWaitMs } from "./schedule.ts";
import type { Seal } from "./sealing.ts";
import { signingKeys } from "./secrets.ts";

export type DispatcherDeps = {
  readonly store: Pick<Store, "read" | "write" | "version">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly seal: Seal;
  readonly delays: Delays;
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
/** After a look, at least as many times as long as it took nobody looks again: thousands of endpoints cost few hundredths. */
const REST = 20;
/** Attempts in flight over all endpoints. The runtime sends 256 requests at a time; one more would wait, its time running. */
const MOST_IN_FLIGHT = 240;
/** Due retries taken over at a time. */
const RETRIES_A_LOOK = 32;
/** How long starting attempts may hold the event loop. */
const TURN_MS = 2;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, log } = deps;
  const longestMs = longestWaitMs(deps.delays);
  const lanes = new Map<number, EndpointLane>();
  // Endpoints that can't be told anything as they are, by the revision of which that was said.
  const unfit = new Map<number, number>();
  const ready = new Set<EndpointLane>();
  // Lanes whose attempts or cursors may have come to something since it was last written down.
  const touched = new Set<EndpointLane>();
  const stopping = new AbortController();
  const pace = courtesy(clock);
  const counts = { delivered: 0, failed: 0, givenUp: 0, disabled: 0, attemptsMs: 0 };
  // By account; an endpoint's attempts are counted until they end, whatever became of its lane.
  const inFlightOf = new Map<number, number>();
  let inFlight = 0;
  let isTurnDue = false;
  let isStopping = false;
  let onIdle: (() => void) | null = null;

  const open = ({ id, revision }: EnabledRow): EndpointLane | null => {
    const endpoint = endpointById(store.read, id);
    if (endpoint?.status !== "ENABLED") return null;
    const keys = signingKeys(store.read, deps.seal, endpoint);
    const read = readEndpointUrl(endpoint.url);
    if (keys === null || "fault" in read) {
      if (unfit.get(id) !== revision) {
        const error = keys === null ? "its secrets cannot be opened: rotate them" : "its URL is not valid";
        log.error("webhook cannot be told anything", { webhook_id: endpoint.ulid, error });
      }
      unfit.set(id, revision);
      return null;
    }
    const lane: EndpointLane = openLane(
      {
        ...deps,
        read: store.read,
        stop: stopping.signal,
        counts,
        onEnd: () => {
          touched.add(lane);
          count(endpoint.accountId, -1);
          if (inFlight === 0) onIdle?.();
          if (lanes.get(id) === lane) ready.add(lane);
          // Of one that was dropped nothing is written down, so nothing else tells the others of the room it left.
          else lookedAt = null;
          turnSoon();
        },
        onBroken: (error) => {
          log.error("webhook event could not be made", {
            webhook_id: endpoint.ulid,
            ...errorFields(error),
          });
          drop(lane);
        },
      },
      { endpoint, target: read.target, keys },
    );
    lanes.set(id, lane);
    return lane;
  };

  const drop = (lane: EndpointLane): void => {
    lane.close();
    ready.delete(lane);
    touched.delete(lane);
    lookedAt = null;
    if (lanes.get(lane.endpointId) === lane) lanes.delete(lane.endpointId);
  };

  // What the last look saw; nothing has changed for anybody until there is another version or this moment has come.
  let lookedAt: number | null = null;
  let nextDueMs = Number.POSITIVE_INFINITY;
  let restUntilMs = 0;

  const look = async (): Promise<boolean> => {
    if (clock.steadyMs() < restUntilMs) return false;
    if (store.version() === lookedAt && clock.nowMs() < nextDueMs) return false;
    lookedAt = store.version();
    nextDueMs = Number.POSITIVE_INFINITY;
    try {
      await lookAround();
    } catch (error) {
      // What it did not come to must not wait until something else is committed.
      lookedAt = null;
      throw error;
    }
    turnSoon();
    return false;
  };

  const lookAround = async (): Promise<void> => {
    const pause = slicer(clock);
    const enabled = new Set<number>();
    let workedMs = 0;
    for (let after = 0; !isStopping; ) {
      const beganMs = clock.steadyMs();
      const rows = enabledAfter(store.read, after);
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
    for (const lane of lanes.values()) if (!isStopping && !enabled.has(lane.endpointId)) drop(lane);
    restUntilMs = clock.steadyMs() + workedMs * REST;
  };

  /** Opens the lane of an endpoint, or tells it how far the logs go and what is due. */
  const attend = (row: EnabledRow): void => {
    const nowMs = clock.nowMs();
    const known = lanes.get(row.id);
    if (known && known.revision !== row.revision) drop(known);
    if (unfit.get(row.id) === row.revision) return;
    const lane = lanes.get(row.id) ?? open(row);
    if (!lane) return;
    lane.grow(row);
    // What is due later than any delay lasts was dated by a clock that was set back since, like all after it.
    const dueBy = (row.dueAt ?? 0) > nowMs + longestMs ? Number.MAX_SAFE_INTEGER : nowMs;
    if (row.dueAt !== null && row.dueAt <= dueBy) {
      lane.due(dueRetries(store.read, row.id, dueBy, RETRIES_A_LOOK));
    }
    // What is due already is the lane's: its end is written down.
    for (const atMs of [row.dueAt ?? 0, lane.restsUntilMs()]) {
      if (atMs > nowMs) nextDueMs = Math.min(nextDueMs, atMs);
    }
    ready.add(lane);
  };

  /**
   * Whether a lane may have one more in flight: as long as it has fewer than what is free, less what its account has. So
   * an account never has more than half, several share alike, and something is always left for one that has none.
   */
  const hasRoom = (lane: EndpointLane): boolean =>
    lane.inFlight() < MOST_IN_FLIGHT - inFlight - (inFlightOf.get(lane.accountId) ?? 0);

  const count = (accountId: number, change: 1 | -1): void => {
    inFlight += change;
    const itsOwn = (inFlightOf.get(accountId) ?? 0) + change;
    if (itsOwn === 0) inFlightOf.delete(accountId);
    else inFlightOf.set(accountId, itsOwn);
  };

  const turnSoon = (): void => {
    if (isTurnDue || isStopping || ready.size === 0) return;
    isTurnDue = true;
    pace.next(turn);
  };

  /** A disk that can't be read ends nobody's process: the lane is opened anew. */
  const startOne = (lane: EndpointLane): ReturnType<EndpointLane["startOne"]> => {
    try {
      return lane.startOne();
    } catch (error) {
      log.error("webhook events could not be read", { webhook_id: lane.webhookId, ...errorFields(error) });
      drop(lane);
      return "nothing";
    }
  };

  /** Lets each lane that is ready begin one attempt after the other, in turn. */
  const turn = (): void => {
    isTurnDue = false;
    if (isStopping) return;
    const untilMs = clock.steadyMs() + TURN_MS;
    for (const lane of ready) {
      ready.delete(lane);
      touched.add(lane);
      const started = hasRoom(lane) ? startOne(lane) : "nothing";
      if (started === "started") count(lane.accountId, 1);
      if (started !== "nothing") ready.add(lane);
      if (clock.steadyMs() >= untilMs) break;
    }
    turnSoon();
  };

  const writeDown = async (): Promise<boolean> => {
    const pages = [...touched].flatMap((lane) => {
      const outcome = lane.takeOutcome();
      return outcome ? [{ lane, outcome }] : [];
    });
    touched.clear();
    if (pages.length === 0) return false;
    try {
      const kept = await store.write((tx) =>
        pages.map(({ outcome }) => writeOutcome(tx, outcome, clock.nowMs())),
      );
      for (const [index, { lane, outcome }] of pages.entries()) {
        if (kept[index] === true && !outcome.isOver) lane.settled(outcome);
        else drop(lane);
      }
    } catch (error) {
      // What was not written is attempted again under the same id, from where the cursors stand.
      log.error("what webhooks came to could not be written", { ...errorFields(error) });
      for (const { lane } of pages) drop(lane);
    }
    return false;
  };

  const looking = startLoop({ name: "look for webhook events", everyMs: LOOK_MS, clock, log, runOnce: look });
  const writing = startLoop({
    name: "write down webhook attempts",
    everyMs: WRITE_MS,
    clock,
    log,
    runOnce: writeDown,
  });

  return {
    wake: looking.wake,
    figures: () => ({ ...counts, endpoints: lanes.size, inFlight }),
    stop: async (graceMs) => {
      isStopping = true;
      await looking.stop();
      if (inFlight > 0) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(graceMs, resolve);
          onIdle = () => {
            cancel();
            resolve();
          };
        });
      }
      await writing.stop();
      await writeDown();
      for (const lane of lanes.values()) lane.close();
      stopping.abort();
    },
  };
}
